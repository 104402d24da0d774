"""Builds the Debian package with dpkg-deb alone, from files of system/ and examples/, wheels, and the documents that
Debian requires. There is no Debian source package: only other people's wheels would be compiled."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from package.archive import Archive
from package.licences import third_parties
from package.release import ROOT, CantPackage, Target, run, version_here
from package.wheels import collect, fetch

HERE = Path(__file__).parent
SYSTEM = ROOT / "system"
MAINTAINER = "The taptable contributors <contributors@taptable.invalid>"
UNITS = sorted(path.name for path in SYSTEM.iterdir() if path.suffix in {".service", ".path", ".socket", ".timer"})
STARTED = [unit for unit in UNITS if "\n[Install]\n" in (SYSTEM / unit).read_text(encoding="utf-8")]
"""The units that start with the computer."""
TABLE = {
    "usr/bin/taptable": SYSTEM / "taptable",
    "usr/sbin/taptable-buses": SYSTEM / "taptable-buses",
    "usr/lib/modules-load.d/taptable.conf": SYSTEM / "drivers.conf",
    "usr/lib/sysusers.d/taptable.conf": SYSTEM / "taptable.sysusers.conf",
    "usr/lib/tmpfiles.d/taptable.conf": SYSTEM / "taptable.tmpfiles.conf",
    "usr/lib/udev/rules.d/60-taptable.rules": SYSTEM / "taptable.rules",
    "usr/share/polkit-1/rules.d/50-taptable.rules": SYSTEM / "taptable.polkit.rules",
    **{f"usr/lib/systemd/system/{unit}": SYSTEM / unit for unit in UNITS},
    **{
        f"usr/share/taptable/examples/{build}.toml": ROOT / f"examples/{build}.toml"
        for build in ("full", "compact", "ready")
    },
    "usr/share/taptable/examples/mosquitto/taptable.conf": ROOT / "examples/mosquitto/taptable.conf",
    "usr/share/man/man1/taptable.1.gz": SYSTEM / "taptable.1",
    "usr/share/man/man8/taptable-buses.8.gz": SYSTEM / "taptable-buses.8",
}
"""The places of the checkout's files in the package."""
SPEECH = {
    "usr/lib/systemd/system/taptable.service.d/speech.conf": SYSTEM / "speech.conf",
    "usr/lib/sysusers.d/taptable-speech.conf": SYSTEM / "speech.sysusers.conf",
}
TABLE_SCRIPTS = ("config", "preinst", "postinst", "prerm", "postrm")
SPEECH_SCRIPTS = ("postinst", "postrm")


def build(target: Target, archive: Archive, folder: Path) -> tuple[Path, Path]:
    """Make the two packages, the table's and its loudspeaker's, in a folder."""
    with TemporaryDirectory() as scratch:
        table, speech = Path(scratch) / "taptable", Path(scratch) / "taptable-speech"
        _lay_out(table, TABLE)
        wheels = table / "usr/share/taptable/wheels"
        wheels.mkdir()
        collect(target, archive, wheels)
        fetch(target, [ROOT / "requirements/package.txt"], wheels.with_name("pip"))
        papers = table / "usr/share/doc/taptable"
        papers.mkdir(parents=True)
        listed = third_parties(sorted(wheels.parent.rglob("*.whl")))
        (papers / "THIRD-PARTY.md").write_text(listed, encoding="utf-8")
        _lay_out(speech, SPEECH)
        return (
            _pack(target, table, {script: HERE / script for script in TABLE_SCRIPTS}, HERE / "control", folder),
            _pack(
                *(target, speech, {script: HERE / f"speech.{script}" for script in SPEECH_SCRIPTS}),
                *(HERE / "speech.control", folder),
            ),
        )


def fill_in(text: str, target: Target, **more: str) -> str:
    """Return a text of the package with its placeholders (``@NAME@``) filled in."""
    facts = {
        "VERSION": target.version(version_here()),
        "RELEASE": target.release,
        "ARCHITECTURE": target.architecture,
        "PYTHON": target.python_name,
        "NEXT_PYTHON": f"{target.python[0]}.{target.python[1] + 1}",
        "MAINTAINER": MAINTAINER,
        "UNITS": " ".join(UNITS),
        "STARTED": " ".join(STARTED),
        **more,
    }
    return re.sub(r"@([A-Z_]+)@", lambda found: facts[found[1]], text)


def _lay_out(root: Path, files: dict[str, Path]) -> None:
    for place, source in files.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        content = source.read_bytes()
        (root / place).write_bytes(gzip.compress(content, mtime=0) if place.endswith(".gz") else content)
        (root / place).chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


def _pack(target: Target, root: Path, scripts: dict[str, Path], control: Path, folder: Path) -> Path:
    """Pack a tree with its scripts and documents."""
    papers = root / "usr/share/doc" / root.name
    papers.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(HERE / "copyright", papers / "copyright")
    (papers / "changelog.gz").write_bytes(gzip.compress(_changelog(target, root.name).encode(), mtime=0))
    files = sorted(path for path in root.rglob("*") if path.is_file())
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    debian = root / "DEBIAN"
    debian.mkdir()
    debian.chmod(0o755)
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    (debian / "md5sums").write_text(sums, encoding="utf-8")
    size = str(sum(path.stat().st_size for path in files) // 1024)
    (debian / "control").write_text(fill_in(control.read_text(encoding="utf-8"), target, SIZE=size), encoding="utf-8")
    if "config" in scripts:
        shutil.copyfile(HERE / "templates", debian / "templates")
    for name, script in scripts.items():
        (debian / name).write_text(fill_in(script.read_text(encoding="utf-8"), target), encoding="utf-8")
        (debian / name).chmod(0o755)
    folder.mkdir(parents=True, exist_ok=True)
    run(["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", root, folder])
    version = target.version(version_here())
    architecture = "all" if root.name != "taptable" else target.architecture
    return folder / f"{root.name}_{version}_{architecture}.deb"


def _changelog(target: Target, package: str) -> str:
    """Return Debian's change log, which contains only this version and its date."""
    version = version_here()
    change_log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", change_log, re.MULTILINE)
    if found is None:
        raise CantPackage(f"CHANGELOG.md has no section [{version}] with a date, and that is the version here.")
    date = format_datetime(datetime.fromisoformat(f"{found[1]}T12:00:00+00:00"))
    return (
        f"{package} ({target.version(version)}) {target.release}; urgency=medium\n\n"
        f"  * Version {version}: what is new stands in CHANGELOG.md of the sources.\n\n -- {MAINTAINER}  {date}\n"
    )
