"""What the emulated computer is given on a second disk: this checkout as it stands and that of the last version, the
wheels that their requirement files pin, so that pip needs no network there, MicroPython for a seat board, and a deck to
play with."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement
from taptable.games.registry import find_game
from taptable.memory.deck import CardSet
from taptable.memory.decks import Decks
from taptable.sim.setting_up import tagged_deck

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
REQUIREMENTS = ("build", "run", "pi")
LAST = "a87859c1a0d76f909370b5fbe086ba1c1acb200e"
"""The last commit of version 0.1.0, with one service."""
PLATFORMS = (*(f"manylinux_2_{libc}_aarch64" for libc in (34, 28, 17)), "manylinux2014_aarch64", "any")
"""Of glibc up to bookworm's."""


def pack(kept: Path, suite: str) -> None:
    """Make the disk ``supplies.img`` in `kept`; the wheels of a suite stay there from one trial to the next."""
    folder = kept / "supplies"
    shutil.rmtree(folder, ignore_errors=True)
    checkout = folder / "checkout"
    for name in _checkout_files():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, checkout / name, follow_symlinks=False)
    last = folder / "last"
    last.mkdir()
    archive = subprocess.run(["git", "archive", LAST], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x"], cwd=last, input=archive.stdout, check=True)
    wheels = kept / f"wheels-{suite}"
    _have_wheels(wheels, suite, (checkout, last))
    shutil.copytree(wheels, folder / "wheels")
    # its devices would be read to their end, which they have not
    shutil.copytree(kept / "micropython", folder / "micropython", symlinks=True, ignore=shutil.ignore_patterns("dev"))
    (folder / "decks").mkdir()
    Decks(folder / "decks").save(tagged_deck("family", CardSet("online", find_game("online").pack("").counts)))
    disk = kept / "supplies.img"
    subprocess.run(
        ["mke2fs", "-q", "-F", "-t", "ext4", "-d", folder, disk, "400M"], check=True, stdout=subprocess.DEVNULL
    )


def _checkout_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def _have_wheels(wheels: Path, suite: str, checkouts: Sequence[Path]) -> None:
    """pip's own look at the markers would be for the Python here, not for the one there."""
    python = PYTHONS[suite]
    environment = {"python_version": python, "python_full_version": f"{python}.2", "platform_machine": "aarch64"}
    pinned = [
        "".join(
            f"{_without_marker(block)}\n"
            for name in REQUIREMENTS
            for block in _blocks((checkout / "requirements" / f"{name}.txt").read_text(encoding="utf-8"))
            if (marker := Requirement(block.split("\\")[0].split(" --hash")[0]).marker) is None
            or marker.evaluate(environment)
        )
        for checkout in checkouts
    ]
    text = "\n".join(pinned)
    stamp = wheels / "requirements.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == text:
        return
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir(parents=True)
    wanted = wheels / "wanted.txt"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", f"--dest={wheels}"]
    for each in pinned:
        wanted.write_text(each, encoding="utf-8")
        subprocess.run([*command, *(f"--platform={each}" for each in PLATFORMS), "-r", str(wanted)], check=True)
    wanted.unlink()
    stamp.write_text(text, encoding="utf-8")


def _blocks(text: str) -> list[str]:
    """The requirements of a file, each with its hashes."""
    return [block for block in text.replace("\\\n", "\\\0").splitlines() if block]


def _without_marker(block: str) -> str:
    named, _, hashes = block.partition("\\\0")
    return f"{named.split(';')[0].strip()} \\\n{hashes}".replace("\\\0", "\\\n")
