"""Drawings for makers: dots lie inside what they name, red is cut, and the box of cardboard has its holes where the fit
check has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from drafting.bodies import Body, Box, Cylinder
from drafting.box_sheet import box_sheet
from drafting.cloth import table_sheet, whole_sheet
from drafting.fit import assemblies
from drafting.placements import read_placements
from drafting.places import table_places
from drafting.rendering import Scene, innermost, source
from drafting.sheets import A4, Pen, Sheet

HARDWARE = Path(__file__).parents[2] / "hardware"
MEASURES, PLACEMENTS = read_placements(HARDWARE)
SCALE = 5.0
BORDER_MM = 60.0


class Recorder:
    """A pen that keeps what it would have drawn."""

    def __init__(self, sheet: Sheet) -> None:
        self.boxes: list[tuple[tuple[float, ...], dict[str, Any]]] = []
        self.circles: list[tuple[tuple[float, ...], dict[str, Any]]] = []
        self.words: list[str] = []
        self.distances: list[str] = []
        sheet.draw(cast("Pen", self))

    def box(self, *where: float, **look: Any) -> None:
        self.boxes.append((tuple(round(each, 2) for each in where), look))

    def circle(self, *where: float, **look: Any) -> None:
        self.circles.append((tuple(round(each, 2) for each in where), look))

    def text(self, *said: Any, **_: Any) -> None:
        self.words.append(said[2])

    def distance(self, *said: Any) -> None:
        self.distances.append(said[2])

    def cross(self, *_: float) -> None: ...

    def line(self, *_: Any, **__: Any) -> None: ...


def test_a_dot_lies_as_far_inside_an_area_as_can_be():
    area = np.zeros((60, 60), dtype=bool)
    area[5:55, 5:9] = True  # a thin upright, whose mean with the block is outside of both
    area[40:55, 5:40] = True
    x, y = innermost(area)
    assert area[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7].all()


def test_a_picture_is_made_again_when_its_lines_change():
    body = Body("it", "it", (Box(0, 0, 0, 1, 1, 1),))
    scenes = [
        Scene("a", (body,)),
        Scene("a", (body,), guides=(((0, 0, 0), (0, 0, 5)),)),
        Scene("a", (body,), labels=(("it", "it"),)),
        Scene("a", (body,), labels=(("it", "it", (0.5, 0.0, 1.0)),)),
    ]
    assert len({source(scene) for scene in scenes}) == len(scenes)


@pytest.mark.parametrize("table", ["full", "compact"])
def test_the_table_from_above_shows_in_red_what_the_cloth_does(table: str):
    drawn, places = Recorder(table_sheet(MEASURES, table)), table_places(MEASURES, table)
    assert not any(look.get("cut") for _, look in drawn.boxes)
    red = {where for where, look in drawn.circles if look.get("cut")}
    buttons = [seat.button for seat in places.seats]
    assert red == {
        tuple(round(each / SCALE, 2) for each in (at.x + BORDER_MM, at.y + BORDER_MM, at.width)) for at in buttons
    }
    assert drawn.words.count("button") == len(buttons)
    assert "sounder" in drawn.words


def test_the_full_table_has_the_distances_that_place_its_sheets():
    places = table_places(MEASURES, "full")
    xs = sorted({seat.pad.x for seat in places.seats})
    told = Recorder(table_sheet(MEASURES, "full")).distances
    steps = [right - left for left, right in zip([0.0, *xs], xs, strict=False)]
    assert told[: len(steps)] == [f"{step:.0f}" for step in steps]
    assert f"{MEASURES['distances']['pad_to_row']:.0f}" in told


def test_boxes_that_stand_on_a_table_take_no_hole_for_a_button():
    drawn = Recorder(table_sheet(MEASURES, "starter"))
    assert not any(look.get("cut") for _, look in drawn.circles)


def test_the_whole_cloth_says_whose_each_pad_is():
    words = Recorder(whole_sheet(MEASURES, "compact")).words
    assert {f"seat {number}" for number in range(1, 5)} <= set(words)


def test_the_sheet_of_the_box_has_every_hole_and_what_lies_on_the_floor():
    stl = {path.stem: path.read_bytes() for path in (HARDWARE / "enclosure").glob("*.stl")}
    assembled = assemblies(MEASURES, stl, PLACEMENTS["seat_board"], PLACEMENTS["centre_board"])
    box = next(each for each in assembled if each.name == "a pad in a box of cardboard")
    sheet = box_sheet(box)
    drawn = Recorder(sheet)
    assert sheet.size == A4
    for (x, y, width, length), _ in drawn.boxes:
        assert 0 < x < x + width < A4[0]
        assert 0 < y < y + length < A4[1]
    sizes = [where[2:] for where, _ in drawn.boxes]
    lid, tray, packing = (box.body(name) for name in ("the lid", "the tray", "the packing"))
    for shape in (*lid.holes, tray.holes[0], *packing.shapes):
        if isinstance(shape, Box):
            assert (round(shape.width, 2), round(shape.length, 2)) in sizes
    (ring,) = drawn.circles
    (hole,) = (hole for hole in lid.holes if isinstance(hole, Cylinder))
    (outline, _) = drawn.boxes[0]
    assert (ring[0][0] - outline[0], ring[0][1] - outline[1]) == pytest.approx((hole.x, hole.y), abs=0.02)
