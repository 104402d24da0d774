"""The pads' enclosures: closed solids of the size the measures say, and a sentence where something doesn't fit."""

from __future__ import annotations

import struct
import subprocess
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest
from drafting.enclosure import PADS, PRINTED, solid
from drafting.parts import DescriptionError, read_toml

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "hardware" / "enclosure" / "pad.scad"
MEASURES = read_toml(ROOT / "hardware" / "mechanics.toml")
HEAD, FACE = 84, 50

Corner = tuple[float, float, float]


@pytest.fixture(scope="module", autouse=True)
def _openscad() -> None:
    subprocess.run([ROOT / "scripts" / "packages", "openscad:openscad"], check=True)


def faces_of(stl: bytes) -> list[tuple[Corner, Corner, Corner]]:
    """The triangles of a binary STL."""
    count = struct.unpack_from("<I", stl, HEAD - 4)[0]
    assert len(stl) == HEAD + count * FACE
    numbers = (struct.unpack_from("<12f", stl, HEAD + each * FACE)[3:] for each in range(count))
    return [(each[0:3], each[3:6], each[6:9]) for each in numbers]


@pytest.mark.parametrize("pad", PADS)
@pytest.mark.parametrize("part", PRINTED)
def test_what_is_printed_is_a_closed_solid_of_its_size(pad: str, part: str):
    stl = (ROOT / "hardware" / "enclosure" / f"{pad.replace('_', '-')}-{part}.stl").read_bytes()
    faces = faces_of(stl)
    edges = Counter((face[i], face[(i + 1) % 3]) for face in faces for i in range(3))
    assert all(edges[end, start] == times for (start, end), times in edges.items())
    low, high = ([pick(corner[axis] for face in faces for corner in face) for axis in range(3)] for pick in (min, max))
    box = MEASURES[pad]
    assert [high[axis] - low[axis] for axis in (0, 1)] == pytest.approx([box["width"], box["length"]], abs=0.01)
    assert high[2] - low[2] <= box["height"]


@pytest.mark.parametrize(
    ("section", "key", "value", "sentence"),
    [
        ("reader_board", "length", 70.0, "the reader is too long"),
        ("reader_board", "tallest_part", 14.0, "the reader is too thick"),
        ("seat_board", "height", 12.0, "the ring lies on the seat board"),
        ("ring", "outside", 70.0, "a screw is in the way of the ring"),
        ("seat_board", "width", 55.0, "there is no room for the seat board"),
    ],
)
def test_what_doesnt_fit_is_said_in_a_sentence(section: str, key: str, value: float, sentence: str):
    measures = deepcopy(MEASURES)
    measures[section][key] = value
    with pytest.raises(DescriptionError, match=sentence):
        solid(MODEL, measures, "pad", "tray")
