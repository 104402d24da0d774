"""The firmware of this installation, file by file as on a board; the survey of a board's files, made by its own
MicroPython; and the plan that makes the two equal. Knows no port."""

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
"""The folders that a board needs, the outer ones first."""
OWN_FOLDERS = ("/lib/tapshared", "/seatboard")
"""Everything in these folders, and MAIN, belongs to the firmware. Other files on a board are left alone."""

_COPIED_LAST = ("/lib/tapshared/version.py", MAIN)
"""Copied last, so that a half flashed board doesn't start, or reports its old version."""


def bundled_firmware(package: Path | None = None) -> Mapping[str, bytes]:
    """Return every file by its path on a board, in the order of copying. Raises DeviceError if this installation has no
    firmware. `package` is the folder of `taptable`."""
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
"""The program that surveys a board. `read_survey` parses the last line of its output."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The state of a board. `files` are the SHA-256 sums, in hex, of the firmware's files that exist and of the
    settings; `folders` are those that exist; `pixels` is the ring's size in the settings, None if they have none."""

    port: str
    micropython: tuple[int, ...]
    board: str
    files: Mapping[str, str]
    folders: frozenset[str]
    pixels: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes to a board: folders to make, files to copy in this order, and files to remove."""

    folders: tuple[str, ...]
    copies: Mapping[str, bytes]
    stale: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing has to be changed."""
        return not (self.folders or self.copies or self.stale)


def read_survey(output: str) -> Survey:
    """Parse a board's output. Raises DeviceError if it isn't a survey."""
    lines = output.strip().splitlines() or [""]
    try:
        report = cast("dict[str, Any]", json.loads(lines[-1]))
        settings: Any = report["settings"]
        pixels: Any = cast("dict[str, Any]", settings).get("pixels") if isinstance(settings, dict) else None
        return Survey(
            str(report["port"]),
            tuple(int(number) for number in report["version"]),
            str(report["board"]),
            {str(path): str(digest) for path, digest in report["files"].items()},
            frozenset(str(folder) for folder in report["folders"]),
            pixels if isinstance(pixels, int) else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DeviceError(f"the board was asked for its files, and said: {lines[-1][-200:] or 'nothing'}") from None


def plan(target: Mapping[str, bytes], survey: Survey) -> Plan:
    """Return the fewest changes that make the board's files equal to `target`."""
    copies = {path: data for path, data in target.items() if survey.files.get(path) != sha256(data).hexdigest()}
    stale = tuple(sorted(path for path in survey.files if path not in target and path != SETTINGS))
    return Plan(tuple(folder for folder in FOLDERS if folder not in survey.folders), copies, stale)
