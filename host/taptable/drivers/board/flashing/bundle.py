"""The firmware that this installation brings, file by file as it lies on a board, what lies there as the board's own
MicroPython tells it, and what is to be done so that the two are the same. Knows no port."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import taptable
from taptable.core.errors import DeviceError

MAIN = "/main.py"
FOLDERS = ("/lib", "/lib/tapshared", "/seatboard")
"""That a board needs, the outer ones first."""
OWN_FOLDERS = ("/lib/tapshared", "/seatboard")
"""Whatever lies in these, the firmware put there; with MAIN. What else a board has is left alone."""

_COPIED_LAST = ("/lib/tapshared/version.py", MAIN)
"""So a board that was flashed by half doesn't start, or says its old version."""


def bundled_firmware(package: Path | None = None) -> Mapping[str, bytes]:
    """Every file by its path on a board, in the order in which they are to be copied; DeviceError where this
    installation has none. `package` is the folder of `taptable`.
    """
    package = package or Path(taptable.__file__).parent
    places = (package / "firmware", package.parents[1] / "firmware")
    place = next((each for each in places if each.joinpath("main.py").is_file()), None)
    if place is None:
        raise DeviceError(f"this installation brings no firmware: there is no main.py in {places[0]} or {places[1]}")
    files = dict(_files(place))
    first = {path: files[path] for path in sorted(files) if path not in _COPIED_LAST}
    return MappingProxyType({**first, **{path: files[path] for path in _COPIED_LAST}})


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    yield MAIN, place.joinpath("main.py").read_bytes()
    for folder in OWN_FOLDERS:
        for file in (place / folder.lstrip("/")).glob("*.py"):
            yield f"{folder}/{file.name}", file.read_bytes()


SETTINGS = "/board.json"

SCRIPT = f"""
import sys, os, json, binascii, hashlib, machine
def digest(path):
    sha = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while True:
                part = file.read(512)
                if not part:
                    return binascii.hexlify(sha.digest()).decode()
                sha.update(part)
    except OSError:
        return ""
def is_there(path):
    try:
        os.stat(path)
        return True
    except OSError:
        return False
folders = [path for path in {FOLDERS!r} if is_there(path)]
paths = [path for path in {(MAIN, SETTINGS)!r} if is_there(path)]
for folder in {OWN_FOLDERS!r}:
    if folder in folders:
        paths += [folder + "/" + entry[0] for entry in os.ilistdir(folder)]
try:
    import rp2
    port = "rp2"
except ImportError:
    port = sys.platform
try:
    with open({SETTINGS!r}) as file:
        settings = json.load(file)
except (OSError, ValueError):
    settings = None
print(json.dumps(dict(
    port=port, version=list(sys.implementation[1][:3]), board=binascii.hexlify(machine.unique_id()).decode(),
    folders=folders, files=dict([(path, digest(path)) for path in paths]), settings=settings,
)))
"""
"""To be run on a board; its last line is for `read_survey`."""


@dataclass(frozen=True, slots=True)
class Survey:
    """`files` are the SHA-256 sums, in hex, of the firmware's files that are there and of the settings, `folders` those
    that exist; `pixels` is what the settings say of the ring, None where they say nothing.
    """

    port: str
    micropython: tuple[int, ...]
    board: str
    files: Mapping[str, str]
    folders: frozenset[str]
    pixels: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made on a board, copied there in this order, and removed."""

    folders: tuple[str, ...]
    copies: Mapping[str, bytes]
    stale: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Is everything as it should be?"""
        return not (self.folders or self.copies or self.stale)


def read_survey(output: str) -> Survey:
    """What a board said when it was asked; DeviceError where that is no survey."""
    lines = output.strip().splitlines() or [""]
    try:
        told = cast("dict[str, Any]", json.loads(lines[-1]))
        settings: Any = told["settings"]
        pixels: Any = cast("dict[str, Any]", settings).get("pixels") if isinstance(settings, dict) else None
        return Survey(
            str(told["port"]),
            tuple(int(number) for number in told["version"]),
            str(told["board"]),
            {str(path): str(digest) for path, digest in told["files"].items()},
            frozenset(str(folder) for folder in told["folders"]),
            pixels if isinstance(pixels, int) else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DeviceError(f"the board was asked for its files, and said: {lines[-1][-200:] or 'nothing'}") from None


def plan(target: Mapping[str, bytes], survey: Survey) -> Plan:
    """What makes the board's files the wanted ones, with as few changes as that takes."""
    copies = {path: data for path, data in target.items() if survey.files.get(path) != sha256(data).hexdigest()}
    stale = tuple(sorted(path for path in survey.files if path not in target and path != SETTINGS))
    return Plan(tuple(folder for folder in FOLDERS if folder not in survey.folders), copies, stale)
