"""The firmware that this installation brings, file by file as it lies on a board. In an installed package it is data;
beside a checkout it is the folder `firmware/` itself. Knows no board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import taptable
from taptable.core.errors import DeviceError

MAIN = "/main.py"
FOLDERS = ("/lib", "/lib/tapshared", "/seatboard")
"""That a board needs, the outer ones first."""
OWN = ("/lib/tapshared", "/seatboard")
"""Whatever lies in these, the firmware put there; with MAIN. What else a board has is left alone."""

_LAST = ("/lib/tapshared/version.py", MAIN)
"""So a board that was flashed by half doesn't start, or says its old version."""


def bundled(package: Path | None = None) -> Mapping[str, bytes]:
    """Every file by its path on a board, in the order in which they are to be copied; DeviceError where this
    installation has none. `package` is the folder of `taptable`.
    """
    package = package or Path(taptable.__file__).parent
    places = (package / "firmware", package.parents[1] / "firmware")
    place = next((each for each in places if each.joinpath("main.py").is_file()), None)
    if place is None:
        raise DeviceError(f"this installation brings no firmware: there is no main.py in {places[0]} or {places[1]}")
    files = dict(_files(place))
    first = {path: files[path] for path in sorted(files) if path not in _LAST}
    return MappingProxyType({**first, **{path: files[path] for path in _LAST}})


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    yield MAIN, place.joinpath("main.py").read_bytes()
    for folder in OWN:
        for file in (place / folder.lstrip("/")).glob("*.py"):
            yield f"{folder}/{file.name}", file.read_bytes()
