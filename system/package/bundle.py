"""The bundle: a tar with the packages, everything they need from Debian, and a script that installs them. Without a
network, apt takes missing packages from it as from any other archive."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from package.archive import Archive
from package.build import HERE, fill_in
from package.release import Target, run, version_here


def make_bundle(target: Target, packages: Sequence[Path], folder: Path) -> Path:
    """Make the tar in a folder, from our own packages and the archive."""
    name = f"taptable-{version_here()}-{target.release}-{target.architecture}"
    with TemporaryDirectory() as scratch:
        bundle, debs = Path(scratch) / name, Path(scratch) / name / "debs"
        debs.mkdir(parents=True)
        for package in packages:
            shutil.copy(package, debs)
        write_index(debs)
        archive = Archive(target, Path(scratch) / "apt", own=debs)
        for package in archive.with_all_they_need([package.name.partition("_")[0] for package in packages]):
            shutil.copy(package, debs)
        write_index(debs)
        script = bundle / "install"
        script.write_text(fill_in((HERE / "install").read_text(encoding="utf-8"), target), encoding="utf-8")
        script.chmod(0o755)
        sums = [
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(bundle)}\n"
            for path in sorted(bundle.rglob("*"))
            if path.is_file()
        ]
        (bundle / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
        with tarfile.open(folder / f"{name}.tar", "w") as tar:
            tar.add(bundle, name, filter=_nobodys)
    return folder / f"{name}.tar"


def write_index(folder: Path) -> None:
    """Write ``Packages``, the index by which apt knows the packages in a folder."""
    (folder / "Packages").unlink(missing_ok=True)
    stanzas: list[str] = []
    for deb in sorted(folder.glob("*.deb")):
        fields = run(["dpkg-deb", "--field", deb]).rstrip("\n")
        digest = hashlib.sha256(deb.read_bytes()).hexdigest()
        stanzas.append(f"{fields}\nFilename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\n")
    (folder / "Packages").write_text("\n".join(stanzas), encoding="utf-8")


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Remove traces of the maker: owner and mode are root's, the date is SOURCE_DATE_EPOCH if that is set."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    member.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", member.mtime))
    return member
