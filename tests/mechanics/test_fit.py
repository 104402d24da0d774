"""The check of the fit finds and reports what doesn't fit by intersecting bodies, without knowing what they are."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from drafting.bodies import Body, Box, Cylinder, overlap
from drafting.fit import assemblies, collisions, misfits, with_every_reader
from drafting.pads import LAYOUTS, reader_at, reader_pad, seat_pad
from drafting.placements import BoardPart, read_placements
from drafting.reader_module import extreme_modules, reader_bodies
from drafting.table_box import above_packing, table_box

HARDWARE = Path(__file__).parents[2] / "hardware"
MEASURES, PLACED = read_placements(HARDWARE)
STL = {path.stem: path.read_bytes() for path in (HARDWARE / "enclosure").glob("*.stl")}


def found(measures: Any = MEASURES, *more: BoardPart) -> list[str]:
    seat_board = (*PLACED["seat_board"], *more)
    return misfits(measures, assemblies(measures, STL, seat_board, PLACED["centre_board"]))


def test_everything_fits():
    assert found() == []


@pytest.mark.long
def test_every_reader_that_is_sold_fits():
    assert len({module.words for module in extreme_modules(MEASURES)}) == 8
    assert misfits(MEASURES, with_every_reader(MEASURES, STL, PLACED["seat_board"])) == []


@pytest.mark.parametrize(
    ("section", "key", "value", "said"),
    [
        ("crystal", "legs", 1.2, ("the lid and the crystal's legs",)),
        ("crystal", "height", 6.2, ("a seat's pad", "the seat board and the reader's crystal")),
        ("crystal", "height", 6.8, ("a pad with a reader alone", "the tray and the reader's crystal")),
        ("reader_board", "hole_from_pins", [12.0, 14.0], ("the tray and the parts below the reader", "holes 12 mm")),
        ("reader_board", "header_from_end", [1.4, 6.0], ("the seat board's copper: ", "antenna", "pins 6 mm")),
        ("reader_board", "joint", 1.3, ("the lid and the reader's joints",)),
        ("crystal", "height", 6.2, ("a pad in a box of cardboard", "the seat board and the reader's crystal")),
        ("reader_board", "antenna_holes", {"from_end": 8.0, "apart": 25.0}, ("the tray and the reader are",)),
    ],
)
def test_a_reader_that_does_not_fit_is_named(section: str, key: str, value: object, said: tuple[str, ...]):
    # as with a change of a measure: the printed parts stay as they are
    measures, sentences = changed(section, key, value), list[str]()
    for pad in with_every_reader(measures, STL, PLACED["seat_board"]):
        sentences += misfits(measures, [pad])
        if says(sentences, *said):
            return
    assert says(sentences, *said), sentences


def test_the_tray_carries_every_reader_at_its_holes():
    for layout in (seat_pad(MEASURES), reader_pad(MEASURES)):
        for module in extreme_modules(MEASURES):
            board, *_ = reader_bodies(MEASURES, module, reader_at(MEASURES, layout, module), "the reader")
            for x, y, top, _ in layout.stands:
                held = overlap(Body("a stand", "", (Cylinder(x, y, top, MEASURES["stand"]["diameter"], 0.5),)), board)
                assert held.volume() / 0.5 > 8, (module.words, x, y)


def test_nothing_lies_in_the_half_of_the_crystal():
    for layout in (seat_pad(MEASURES), reader_pad(MEASURES)):
        left, front, _ = layout.reader
        for x, y, *_ in layout.stands:
            in_half = x < left + MEASURES["reader_board"]["width"] / 2
            assert not (in_half and front + MEASURES["reader_board"]["antenna_length"] < y < front + 58)


@pytest.mark.parametrize(
    ("part", "met"),
    [
        (BoardPart("a pin header", 7.0, 30.0, 2.5, 20.0, 0, 8.4), ("a pin header", "the ring")),
        (BoardPart("screw terminals", 42.0, 45.0, 8.0, 10.0, 0, 9.0), ("screw terminals", "the ring")),
        (BoardPart("long wires", 20.0, 30.0, 5.0, 5.0, -4.6, 0), ("long wires", "the tray")),
        (BoardPart("a tall part", 20.0, 2.0, 5.0, 5.0, 0, 5.0), ("a tall part", "the parts below the reader")),
        (BoardPart("a part in front", 20.0, 0.0, 5.0, 1.0, 0, 1.0), ("a part in front", "from the antenna")),
    ],
    ids=lambda value: value.name if isinstance(value, BoardPart) else "",
)
def test_parts_that_are_too_high_or_too_near_are_named(part: BoardPart, met: tuple[str, ...]):
    assert says(found(MEASURES, part), *met)


def says(sentences: list[str], *words: str) -> bool:
    return any(all(word in each for word in words) for each in sentences)


def changed(section: str, key: str, value: object) -> Any:
    measures = deepcopy(dict(MEASURES))
    measures[section] = {**measures[section], key: value}
    return measures


@pytest.mark.parametrize(
    ("section", "key", "value", "said"),
    [
        ("top", "thickness", 18.0, ("A pocket for a seat's pad leaves 2.5 mm of a top of 18 mm",)),
        ("top", "button_bore", 10.0, ("the bore below it leaves 17 mm",)),
        ("lid_screw", "length", 4.0, ("the lid's screws are held by",)),
        ("lid_screw", "length", 15.2, ("the lid's screws leave",)),
        ("distances", "metal_to_antenna", 30.0, ("the lid's screws: ", "from the antenna")),
        ("ring", "outside", 54.0, ("the lid", "the ring", "in one another")),
        ("plug", "length", 50.0, ("USB", "the bridge", "in one another")),
        ("plug", "height", 12.0, ("the USB plug", "the tray")),
        ("pi", "thickness", 3.0, ("the centre's plate", "the Pi's screws")),
        ("hub", "width", 52.0, ("the hub", "the hub's plate", "in one another")),
        ("sounder", "diameter", 18.0, ("the sounder", "the cup", "in one another")),
    ],
)
def test_the_effect_of_a_changed_measure_is_reported(section: str, key: str, value: float, said: tuple[str, ...]):
    # the printed parts stay as they are: so a part that grew meets them
    sentences = found(changed(section, key, value))
    assert says(sentences, *said), sentences


def body(name: str, x: float, **more: Any) -> Body:
    return Body(name, name, (Box(x, 0, 0, 1, 1, 1),), **more)


@pytest.mark.parametrize(
    ("bodies", "said"),
    [
        ((body("a", 0), body("b", 0.75)), ["a and b are 0.2 mm in one another."]),
        ((body("a", 0), body("b", 1.1)), ["a and b have 0.1 mm between them, and need 0.2."]),
        ((body("a", 0), body("b", 1.1, touches=frozenset({"a"}))), []),
        ((body("a", 0, enters=frozenset({"b"})), body("b", 0.75)), []),
        ((body("a", 0), body("b", 2)), []),
    ],
)
def test_bodies_meet_unless_they_are_to(bodies: tuple[Body, ...], said: list[str]):
    assert list(collisions(bodies, 0.2)) == said


def test_a_board_that_its_pad_bars_on_the_way_in_is_reported():
    # in the end it stands in the opening, as a socket does; the wall above that is in its way
    part = BoardPart("a plug that stands out", 24.0, 66.0, 7.0, 2.5, 2.0, 4.0)
    assert any("a plug that stands out meets the tray on its way in" in each for each in found(MEASURES, part))


@pytest.mark.parametrize(
    ("which", "named"),
    [("pad", "seat's pad"), ("discard_pad", "pad with a reader alone"), ("oled", "scoreboard 2.42″")],
)
def test_the_steps_name_the_pocket_that_a_box_takes(which: str, named: str):
    room = 2 * MEASURES["pocket"]["room"]
    width, length, height = LAYOUTS[which](MEASURES).size
    row = f"| {named} | {width + room:.4g} × {length + room:.4g} | {height:.3g} |"
    assert row in (HARDWARE / "BUILD.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("layers", 3, ("a pad in a box of cardboard", "the lid and the reader")),
        ("sheet", 1.0, ("a pad in a box of cardboard", "the lid and the reader")),
        ("tallest_below_ring", 4.0, ("a pad in a bought case", "the ring capacitor")),
        ("room", -2.0, ("a pad in a box of cardboard", "the tray")),
    ],
)
def test_a_box_on_the_table_that_is_too_small_is_named(key: str, value: float, said: tuple[str, ...]):
    sentences = found(changed("table_box", key, value))
    assert says(sentences, *said), sentences


def test_the_starter_s_page_has_the_heights_of_the_fit_check():
    page = " ".join((HARDWARE / "STARTER.md").read_text(encoding="utf-8").split())
    card, case = table_box(MEASURES, "cardboard"), table_box(MEASURES, "case")
    width, length, height = card.outside
    assert f"It becomes {width:.4g} × {length:.4g} × {height:.3g} mm" in page
    assert f"| floor | 1 | {width:.4g} × {length:.4g} | |" in page
    layers = MEASURES["table_box"]["layers"]
    room = f"the room, {card.inside[0]:.4g} × {card.inside[1]:.4g};"
    assert f"| walls | {layers} | {width:.4g} × {length:.4g} | {room}" in page
    strip = MEASURES["table_box"]["strip"], MEASURES["seat_board"]["length"] - 28
    assert f"two strips of {strip[0]:g} × {strip[1]:g}" in page
    layer = MEASURES["table_box"]["sheet"] + MEASURES["table_box"]["tape"]
    assert f"| below the antenna | {card.block / layer:.0f} |" in page
    above = MEASURES["seat_board"]["below_reader"] - MEASURES["header"]["plastic"]
    assert MEASURES["table_box"]["sheet"] + 2 * MEASURES["table_box"]["tape"] <= above
    assert "A strip of 3 mm cardboard, 20 × 4 mm," in page
    below = card.packing + MEASURES["seat_board"]["thickness"] + MEASURES["seat_board"]["below_reader"] - card.block
    assert f"stays {below:.1f} mm below the reader" in page
    assert f"{above_packing(MEASURES):.1f} mm from the packing to the lid ({case.packing:.1f} mm high" in page
    assert "its room {:g} × {:g} × {:g};".format(*case.inside) in page
