"""The command line of scripts/release: makes all that people download for a version, in one folder."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from package.__main__ import have_tools
from package.archive import Archive
from package.build import build
from package.bundle import make_bundle
from package.licences import third_parties
from package.release import RELEASES, ROOT, TRIPLETS, CantPackage, Target, epoch_of, run, version_here

HARDWARE = ROOT / "hardware"
BOARDS = ("seat-board", "centre-board")
OF_A_BOARD = ("gerbers.zip", "parts.csv", "positions.csv", "schematic.pdf")
"""The files for a board house and for soldering, as they are in git."""
CARD = Target("trixie", "arm64")
"""The target of the card's zip: only its first start reads files that were merely copied."""
SUMS, NOTES, THIRD_PARTY = "SHA256SUMS", "NOTES.md", "THIRD-PARTY.md"


def main() -> int:
    """Make everything and print the paths; return 1 and print a sentence if that is impossible."""
    parser = argparse.ArgumentParser(
        prog="scripts/release",
        description="Makes what people download for the version of this clone, which has to be as it was committed:"
        " wheel and source, the Debian packages with their bundles, the card's zip, what board houses and 3D printers"
        " take, the sheets to print, notes, licences and sums. The same commit gives the same bytes.",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a folder that is empty or new")
    folder = parser.parse_args().output.resolve()
    try:
        release(folder)
    except CantPackage as error:
        print(f"scripts/release: {error}", file=sys.stderr)
        return 1
    for each in sorted(folder.iterdir()):
        print(each)
    return 0


def release(folder: Path) -> None:
    """Put everything into a folder; if that is impossible, raise `CantPackage` before anything is made."""
    require_committed(run(["git", "status", "--porcelain"], cwd=ROOT))
    version = version_here()
    notes = notes_of(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    targets = [Target(name, architecture) for name in RELEASES for architecture in TRIPLETS]
    if folder.is_dir() and any(folder.iterdir()):
        raise CantPackage(f"{folder} isn't empty: what lies there could be taken for part of the release.")
    for target in targets:
        have_tools(target)
    os.environ["SOURCE_DATE_EPOCH"] = str(epoch_of(version))
    folder.mkdir(parents=True, exist_ok=True)
    make_python(folder)  # first, as the source contains all files of the clone, and the folder may be there
    (folder / NOTES).write_text(notes, encoding="utf-8")
    make_hardware(folder, version)
    for target in targets:
        make_packages(target, folder)
    make_licences(folder)
    make_card(folder, version)
    (folder / SUMS).write_text(sums_of(folder), encoding="utf-8")


def require_committed(status: str) -> None:
    """Raise `CantPackage` unless git's status of the clone is clean."""
    if status:
        raise CantPackage(f"what is here isn't what was committed:\n{status.rstrip()}")


def notes_of(version: str, changelog: str) -> str:
    """Return a version's section of the change log; raise `CantPackage` if there is none, or it has no date."""
    found = re.search(rf"(?ms)^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## \[|\Z)", changelog)
    if found is None:
        raise CantPackage(f"CHANGELOG.md has no section [{version}] with a date, and that is the version here.")
    return f"# taptable {version}\n\n{found[1].strip()}\n"


def make_python(folder: Path) -> None:
    """Make wheel and source, with hatchling as everywhere."""
    run([sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT)


def make_hardware(folder: Path, version: str) -> None:
    """Copy the files to order and print for a table from git, where `scripts/boards --check` and `scripts/hardware
    --check` compare them with the description."""
    for board in BOARDS:
        for name in OF_A_BOARD:
            shutil.copyfile(HARDWARE / board / name, folder / f"taptable-{version}-{board}-{name}")
        for path in sorted((HARDWARE / board).glob("assembly*/*.csv")):
            shutil.copyfile(path, folder / f"taptable-{version}-{board}-{path.parent.name}-{path.name}")
    pack(folder / f"taptable-{version}-prints.zip", sorted((HARDWARE / "enclosure").glob("*.stl")))
    pack(folder / f"taptable-{version}-sheets.zip", sorted((HARDWARE / "print").glob("*.pdf")))


def pack(file: Path, contents: Iterable[Path]) -> None:
    """Write a zip whose bytes depend only on names and contents."""
    with zipfile.ZipFile(file, "w") as packed:
        for path in contents:
            packed.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def make_packages(target: Target, folder: Path) -> None:
    """Make the Debian packages of a target, and the bundle that installs them."""
    with TemporaryDirectory() as scratch:
        made = build(target, Archive(target, Path(scratch)), folder)
        make_bundle(target, made, folder)


def make_licences(folder: Path) -> None:
    """Write the list of other people's work in all packages of a folder."""
    with TemporaryDirectory() as scratch:
        for deb in sorted(folder.glob("taptable_*.deb")):
            run(["dpkg-deb", "--extract", deb, Path(scratch) / deb.stem])
        wheels = {wheel.name: wheel for wheel in sorted(Path(scratch).rglob("*.whl"))}
        (folder / THIRD_PARTY).write_text(third_parties(wheels.values()), encoding="utf-8")


def make_card(folder: Path, version: str) -> None:
    """Make the zip for a card."""
    bundle = folder / f"taptable-{version}-{CARD.release}-{CARD.architecture}.tar"
    zipped = folder / "taptable-card.zip"
    run([Path(sys.executable).with_name("taptable"), "sdcard", "--zip", zipped, "--package", bundle], cwd=folder)


def sums_of(folder: Path) -> str:
    """Return a line for each file, in the format of `sha256sum --check`."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != SUMS
    )


if __name__ == "__main__":
    sys.exit(main())
