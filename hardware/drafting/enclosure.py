"""The pads' enclosures from ``enclosure/pad.scad`` and the measures: what is printed, as STL, and a picture. OpenSCAD
does the work; the picture needs a screen, for which xvfb stands in."""

from __future__ import annotations

import hashlib
import io
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from drafting.parts import DescriptionError, Table

PADS = ("pad", "discard_pad")
"""A seat's pad; and one with nothing in it but a reader."""
PRINTED = ("tray", "lid")
PICTURED = "pad"
_HEAD, _FACE, _CORNER = 84, 50, 12
"""Bytes of a binary STL: before the first face, of a face, and of a corner or normal."""
_MADE_FROM = "Made from"
_CAMERA = "34,55,28,62,0,33,330"
_SIZE = "1600,1200"


def settings(measures: Table, pad: str) -> Mapping[str, str]:
    """What ``pad.scad`` is told of a pad, as OpenSCAD writes it."""
    common, reader, pico, ring = measures["pad"], measures["reader_board"], measures["pico"], measures["ring"]
    box, board = measures[pad], measures["seat_board"]
    values: dict[str, object] = {
        "WITH_RING": str(pad == "pad").lower(),
        "SIZE": [box["width"], box["length"], box["height"]],
        "WALL": common["wall"],
        "FLOOR": common["floor"],
        "ROOF": common["cover"],
        "WINDOW": common["window"],
        "CORNER": common["corner"],
        "READER": [reader["length"], reader["width"], reader["thickness"]],
        "READER_PARTS": reader["tallest_part"],
        "COIL": reader["antenna_length"] / 2,
        "COPPER_GAP": ring["antenna_to_ring"],
        "RING_OUTER": ring["outside"],
        "RING_INNER": ring["inside"],
        "RING_HEIGHT": ring["thickness"],
        "BOARD": [board["length"], board["width"], board["height"]],
        "BELOW": board["below"],
        "BOARD_THICKNESS": board["thickness"],
        "PICO": [pico["length"], pico["width"], pico["thickness"]],
        "PICO_AT": board["pico_at"],
        "PLUG": common["plug"],
        "TONGUE": common["tongue"],
        "SCREW": common["screw"],
    }
    if "cable" in box:
        values["CABLE"] = box["cable"]
    return {name: str(value) for name, value in values.items()}


def solid(model: Path, measures: Table, pad: str, part: str) -> bytes:
    """A printed part as binary STL, the same bytes each time; DescriptionError if something doesn't fit."""
    return _sorted(_openscad(model, settings(measures, pad), part, "stl", ("--export-format", "binstl")))


def _sorted(stl: bytes) -> bytes:
    """The same faces in an order of their own: OpenSCAD's is another one each time, and so is each face's first
    corner."""
    faces = [stl[at : at + _FACE] for at in range(_HEAD, len(stl), _FACE)]
    return stl[:_HEAD] + b"".join(sorted(map(_turned, faces)))


def _turned(face: bytes) -> bytes:
    """A face that begins with the least of its corners."""
    normal, *corners = (face[at : at + _CORNER] for at in range(0, 4 * _CORNER, _CORNER))
    first = corners.index(min(corners))
    return b"".join([normal, *corners[first:], *corners[:first], face[4 * _CORNER :]])


def picture(model: Path, measures: Table) -> bytes:
    """A PNG of everything in its place, which says what it was made from."""
    view = ("--imgsize", _SIZE, "--camera", _CAMERA, "--colorscheme", "Tomorrow")
    drawn = _openscad(model, settings(measures, PICTURED), "picture", "png", view, ("xvfb-run", "-a"))
    said = PngInfo()
    said.add_text(_MADE_FROM, source(model, measures))
    kept = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as image:
        image.convert("P", palette=Image.Palette.ADAPTIVE, colors=96).save(kept, "PNG", pnginfo=said, optimize=True)
    return kept.getvalue()


def source(model: Path, measures: Table) -> str:
    """What stands for everything that the picture depends on. Two machines don't draw it alike to the last bit, so this
    is compared and not the picture."""
    said = "\n".join([model.read_text(encoding="utf-8"), _CAMERA, _SIZE, str(settings(measures, PICTURED))])
    return hashlib.sha256(said.encode()).hexdigest()


def made_from(png: Path) -> str | None:
    """The `source` that a picture was made from; None if it doesn't say."""
    with Image.open(png) as image:
        return image.info.get(_MADE_FROM)


def _openscad(
    model: Path,
    given: Mapping[str, str],
    part: str,
    ending: str,
    options: Sequence[str],
    before: Sequence[str] = (),
) -> bytes:
    defined = [word for name, value in given.items() for word in ("-D", f"{name}={value}")]
    with TemporaryDirectory() as folder:
        out = Path(folder, f"{part}.{ending}")
        done = subprocess.run(
            [*before, "openscad", "-q", *defined, "-D", f'PART="{part}"', *options, "-o", out, model],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not out.exists():
            raise DescriptionError(f"{model.name}, {part}: {done.stderr.strip()}")
        return out.read_bytes()
