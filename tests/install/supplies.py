"""The second disk of a trial's computer, which has no network: the bundle of this checkout, and the package of a later
version; version 0.1.0, which was installed by hand, with the wheels and packages that it needs; the journal of an
unfinished game; and the program that runs a seat board."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from package.archive import Archive
from package.bundle import write_index
from package.release import Target, version_here
from package.wheels import fetch
from taptable.config import load_config
from taptable.core.game_options import GameOptions
from taptable.daemon.game_options import check_game
from taptable.sim.setting_up import set_up

ROOT = Path(__file__).resolve().parents[2]
LAST = "a87859c1a0d76f909370b5fbe086ba1c1acb200e"
"""The last commit of version 0.1.0, with one service."""
NEXT = "0.99.0"
"""A version after this one: the same sources."""
SAMPLE = ROOT / "tests/samples/0.1.0/online.sqlite"
"""A journal that breaks off in the middle of a game."""
OTHER_PACKAGES = ("python3-venv", "python3-spidev", "modemmanager", "pcscd", "vsmartcard-vpcd", "polkitd")
"""Debian's packages that version 0.1.0 needs, that a computer with a desktop has, and that readers of PC/SC need."""


def pack(kept: Path, target: Target, *, last: bool = True) -> None:
    """Make the folder ``supplies`` in `kept`, and a disk of it, with version 0.1.0 or without it."""
    folder = kept / "supplies"
    shutil.rmtree(folder, ignore_errors=True)
    checkout = folder / "checkout"
    _copy_checkout(checkout)
    with TemporaryDirectory() as made:
        _make_packages(ROOT, target, Path(made), "--bundle")
        (bundle,) = Path(made).glob("*.tar")
        subprocess.run(["tar", "-xf", bundle, "-C", folder], check=True)
        (folder / bundle.name.removesuffix(".tar")).rename(folder / "bundle")
    (folder / "next").mkdir()
    with TemporaryDirectory() as copied:
        _copy_checkout(Path(copied))
        _raise_version(Path(copied))
        _make_packages(Path(copied), target, folder / "next")
    if last:
        _have_last_version(folder, target)
    if (kept / "micropython").exists():
        # its devices would be read to their end, which they have not
        ignored = shutil.ignore_patterns("dev")
        shutil.copytree(kept / "micropython", folder / "micropython", symlinks=True, ignore=ignored)
    _have_game(folder / "game")
    disk = kept / "supplies.img"
    subprocess.run(
        ["mke2fs", "-q", "-F", "-t", "ext4", "-d", folder, disk, "800M"], check=True, stdout=subprocess.DEVNULL
    )


def _make_packages(checkout: Path, target: Target, folder: Path, *options: str) -> None:
    command = [checkout / "scripts/package", "--release", target.release, "--architecture", target.architecture]
    subprocess.run([*command, *options, "-o", folder], check=True, stdout=subprocess.DEVNULL)


def _copy_checkout(folder: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def _raise_version(checkout: Path) -> None:
    """Make a checkout one of the next version; it is worked on in this one's environment."""
    (checkout / ".venv").symlink_to(ROOT / ".venv")
    for name in ("host/taptable/__init__.py", "CHANGELOG.md"):
        file = checkout / name
        text = re.sub(rf'(__version__ = "|## \[){re.escape(version_here())}', rf"\g<1>{NEXT}", file.read_text("utf-8"))
        file.write_text(text, encoding="utf-8")


def _have_last_version(folder: Path, target: Target) -> None:
    """Version 0.1.0 with all that its installer would have fetched."""
    last, wheels, debs = folder / "last", folder / "last-wheels", folder / "last-debs"
    for each in (last, wheels, debs):
        each.mkdir()
    archive = subprocess.run(["git", "archive", LAST], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x"], cwd=last, input=archive.stdout, check=True)
    fetch(target, [last / f"requirements/{name}.txt" for name in ("build", "run", "pi")], wheels)
    with TemporaryDirectory() as work:
        for package in Archive(target, Path(work) / "apt").with_all_they_need(OTHER_PACKAGES):
            shutil.copy(package, debs)
        # Raspberry Pi OS has it, and this version asked for it; that the pins can't be had here without is all the same
        _empty_package(Path(work) / "lgpio", "python3-lgpio", debs)
    write_index(debs)


def _empty_package(work: Path, name: str, folder: Path) -> None:
    (work / "DEBIAN").mkdir(parents=True)
    control = f"Package: {name}\nVersion: 0~stand-in\nArchitecture: all\nMaintainer: nobody\nDescription: a stand-in\n"
    (work / "DEBIAN/control").write_text(control, encoding="utf-8")
    command: Sequence[str | Path] = ["dpkg-deb", "--root-owner-group", "--build", work, folder / f"{name}.deb"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _have_game(folder: Path) -> None:
    """A configuration, a deck and a journal that go together, as an installed table has them."""
    folder.mkdir()
    config = set_up(folder, "online", GameOptions(4, "de", {}, 1), "de", page=8137)
    memory = 'journal = "/var/lib/taptable/journal.sqlite"\ndecks = "/var/lib/taptable/decks"\n'
    text = config.file.read_text(encoding="utf-8")
    config.file.write_text(text.replace("[table]\n", f"[table]\n{memory}", 1), encoding="utf-8")
    load_config(config.file, check_game)
    for part in ("", "-wal"):
        shutil.copy(SAMPLE.with_name(SAMPLE.name + part), folder / f"journal.sqlite{part}")
