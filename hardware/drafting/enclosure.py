"""The files for a 3D printer, as STL, from the models in ``enclosure/`` and the measures. OpenSCAD does the work."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from drafting.holders import HOLDERS
from drafting.pads import LAYOUTS, Settings
from drafting.pads import settings as box_settings
from drafting.parts import DescriptionError, Table

_HEAD, _FACE, _CORNER = 84, 50, 12
"""Bytes of a binary STL: before the first face, of a face, and of a corner or normal."""
_BOXES = {"pad": "pad", "discard_pad": "discard-pad", "oled": "oled-box", "oled_small": "oled-small-box"}


def render_parts(folder: Path, measures: Table) -> Mapping[str, bytes]:
    """The STL of every printed part by its name, the same bytes each time; DescriptionError if OpenSCAD won't. `folder`
    is that of the models."""
    made: dict[str, bytes] = {}
    for which in LAYOUTS:
        for part in ("tray", "lid"):
            made[f"{_BOXES[which]}-{part}"] = _solid(folder / "pad.scad", part, box_settings(measures, which))
    for name, (part, settings) in HOLDERS.items():
        made[name] = _solid(folder / "holders.scad", part, settings(measures))
    return made


def _solid(model: Path, part: str, settings: Settings) -> bytes:
    given = tuple(f"{name}={_to_scad(value)}" for name, value in settings.items())
    return _run_openscad(model, model.read_text(encoding="utf-8"), part, given)


def _to_scad(value: Any) -> str:
    """A value as OpenSCAD writes it."""
    match value:
        case float():
            return f"{value:.6g}"
        case int():
            return str(value)
        case _:
            return f"[{', '.join(_to_scad(each) for each in value)}]"


@cache
def _run_openscad(model: Path, _text: str, part: str, settings: tuple[str, ...]) -> bytes:
    defined = [word for each in settings for word in ("-D", each)]
    with TemporaryDirectory() as folder:
        out = Path(folder, f"{part}.stl")
        done = subprocess.run(
            ["openscad", "-q", *defined, "-D", f'PART="{part}"', "--export-format", "binstl", "-o", out, model],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not out.exists():
            raise DescriptionError(f"{model.name}, {part}: {done.stderr.strip()}")
        return _sort_faces(out.read_bytes())


def _sort_faces(stl: bytes) -> bytes:
    """The same faces in an order of their own: OpenSCAD's is another one each time, and so is each face's first
    corner."""
    faces = [stl[at : at + _FACE] for at in range(_HEAD, len(stl), _FACE)]
    return stl[:_HEAD] + b"".join(sorted(map(_rotate_face, faces)))


def _rotate_face(face: bytes) -> bytes:
    """A face that begins with the least of its corners."""
    normal, *corners = (face[at : at + _CORNER] for at in range(0, 4 * _CORNER, _CORNER))
    first = corners.index(min(corners))
    return b"".join([normal, *corners[first:], *corners[:first], face[4 * _CORNER :]])
