"""The wheels in the package: those that the requirement files pin for the Python and the processor of the target, the
project's own, and lgpio if PyPI has none; with a requirements file that lists them with their hashes."""

from __future__ import annotations

import hashlib
import re
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

from package.archive import Archive
from package.release import ROOT, TRIPLETS, Target, pip, run

PLATFORMS = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
"""Tags of wheels for glibc up to bookworm's."""


def collect(target: Target, archive: Archive, folder: Path) -> None:
    """Put all wheels into a folder, with their ``requirements.txt``."""
    fetch(target, [ROOT / f"requirements/{name}.txt" for name in ("run", "pi")], folder)
    if target.python >= (3, 13):
        build_lgpio(target, archive, folder)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (folder / "requirements.txt").write_text("".join(_named(folder)), encoding="utf-8")


def pinned(target: Target, requirements: Path) -> str:
    """Return the lines of a requirements file for this target, without markers: pip would evaluate them for the Python
    that it runs in."""
    python = target.python_name
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": target.machine,
        "sys_platform": "linux",
    }
    return "".join(
        pin
        for requirement, pin in _pins(requirements)
        if not requirement.marker or requirement.marker.evaluate(environment)
    )


def _pins(requirements: Path) -> Iterator[tuple[Requirement, str]]:
    """Yield each requirement of a file, and its lines without a marker."""
    for block in re.findall(r"(?m)^\S(?:.*\\\n)*.*\n?", requirements.read_text(encoding="utf-8")):
        requirement = Requirement(block.partition("\\")[0].strip())
        yield requirement, re.sub(r" *;[^\\]*", " ", block, count=1)


def fetch(target: Target, requirements: Sequence[Path], folder: Path) -> None:
    """Put the wheels that these files pin for a target into a folder, each checked against its hashes."""
    platforms = [f"--platform={name}_{target.machine}" for name in PLATFORMS]
    with TemporaryDirectory() as scratch:
        pins = Path(scratch) / "pins.txt"
        pins.write_text("".join(pinned(target, each) for each in requirements), encoding="utf-8")
        pip(
            *("download", "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp"),
            *(f"--python-version={target.python_name}", *platforms, "--platform=any", f"--dest={folder}", "-r", pins),
        )


def build_lgpio(target: Target, archive: Archive, folder: Path) -> None:
    """Build lgpio's wheel: for Python 3.13 PyPI has only its source, and Debian has none; Raspberry Pi OS builds its
    own."""
    triplet, tag = TRIPLETS[target.architecture], "".join(map(str, target.python))
    with TemporaryDirectory() as kept:
        work = Path(kept)
        ((requirement, pin),) = (each for each in _pins(ROOT / "requirements/pi.txt") if each[0].name == "lgpio")
        version = str(requirement.specifier).removeprefix("==")
        (work / "pin.txt").write_text(pin, encoding="utf-8")
        pip(
            *("download", "--no-deps", "--no-build-isolation", "--no-binary=:all:", "--require-hashes"),
            *(f"--dest={work}", "-r", work / "pin.txt"),
        )
        run(["tar", "-xzf", *work.glob("*.tar.gz"), "--strip-components=1"], cwd=work)
        archive.unpack(f"libpython{target.python_name}-dev", work / "python")
        run(["swig", "-python", "lgpio.i"], cwd=work)
        headers, extension = work / "python/usr/include", f"_lgpio.cpython-{tag}-{triplet}.so"
        run(
            [
                *(f"{triplet}-gcc", "-w", "-O2", "-shared", "-fPIC", "-s", "-I", "src"),
                f"-ffile-prefix-map={work}=.",  # no names of temporary folders, which differ each time
                *("-I", headers / f"python{target.python_name}", "-idirafter", headers, "lgpio_wrap.c"),
                *(*sorted(work.glob("src/lg*.c")), "src/rgpiod.c", "-lpthread", "-o", extension),
            ],
            cwd=work,
        )
        wheel = f"lgpio-{version}-cp{tag}-cp{tag}-linux_{target.machine}.whl"
        _write_wheel(folder / wheel, version, [work / "lgpio.py", work / extension])


def _write_wheel(wheel: Path, version: str, modules: list[Path]) -> None:
    """Write a wheel of these modules, which become siblings."""
    tags = wheel.stem.split("-", 2)[2]
    about = f"lgpio-{version}.dist-info"
    contents = {module.name: module.read_bytes() for module in modules}
    contents[f"{about}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: lgpio\nVersion: {version}\nLicense: unlicense.org\nHome-page: http://abyz.me.uk/lg/py_lgpio.html\n".encode()
    )
    contents[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: taptable\nRoot-Is-Purelib: false\nTag: {tags}\n".encode()
    )
    record = [f"{name},sha256={_wheel_hash(content)},{len(content)}" for name, content in contents.items()]
    contents[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def _wheel_hash(content: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def _named(folder: Path) -> Iterator[str]:
    for wheel in sorted(folder.glob("*.whl")):
        name, version, _, _ = parse_wheel_filename(wheel.name)
        yield f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
