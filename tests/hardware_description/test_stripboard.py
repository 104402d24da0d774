"""Strip boards: what copper, cuts, links and parts join is what the wiring joins; what isn't is said; and the meter's
tests find it."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from choosing import long_params
from drafting.builds import Description, read_description
from drafting.circuit import At
from drafting.making import ROOT
from drafting.parts import DescriptionError, read_toml
from drafting.strips.board import Hole, hole
from drafting.strips.copper import Cut, pieces
from drafting.strips.drawing import drawing
from drafting.strips.layout import layouts
from drafting.strips.legs import legs
from drafting.strips.links import Link
from drafting.strips.meter import holes_apart, holes_joined
from drafting.strips.page import page
from drafting.strips.proof import Layout, joined_groups, mistakes

HARDWARE = ROOT / "hardware"
BOARDS = ("seat", "full", "compact")


@pytest.fixture(scope="module")
def description() -> Description:
    return read_description(HARDWARE)


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return dict(read_toml(HARDWARE / "stripboards.toml"))


@pytest.fixture(scope="module")
def boards(description: Description, data: dict[str, Any]) -> dict[str, Layout]:
    return {layout.board.key: layout for layout in layouts(description, data)}


def test_holes_have_names() -> None:
    assert [str(Hole(*at)) for at in ((1, 1), (26, 9), (27, 10), (39, 31))] == ["A1", "Z9", "AA10", "AM31"]
    assert hole("AM31") == Hole(39, 31)
    with pytest.raises(DescriptionError, match='"7B" is no hole'):
        hole("7B")


@pytest.mark.parametrize("key", BOARDS)
def test_a_board_joins_what_the_wiring_joins(boards: dict[str, Layout], key: str) -> None:
    assert mistakes(boards[key]) == []


@pytest.mark.parametrize("key", long_params(BOARDS, 2))
def test_each_cut_that_is_forgotten_is_found_or_only_parts_rows_of_one_net(boards: dict[str, Layout], key: str) -> None:
    layout = boards[key]
    board, pins = layout.board, layout.board.pins()
    for cut in layout.cuts:
        others = tuple(other for other in layout.cuts if other != cut)
        row = [where for where in pins if where.row == cut.at.row]
        left = max(where for where in row if where.column <= cut.at.column)
        right = min(where for where in row if where.column > cut.at.column)
        same = board.nets[pins[left]] == board.nets[pins[right]]
        assert bool(mistakes(replace(layout, cuts=others))) != same, cut


@pytest.mark.parametrize("key", long_params(BOARDS, 2))
def test_each_link_that_is_forgotten_is_found(boards: dict[str, Layout], key: str) -> None:
    layout = boards[key]
    for link in layout.links:
        others = tuple(other for other in layout.links if other != link)
        assert any("should be joined" in said for said in mistakes(replace(layout, links=others))), link


@pytest.mark.parametrize(
    ("key", "part"), [("seat", "shifter"), ("seat", "pico"), ("full", "discard_diode"), ("compact", "driver")]
)
def test_a_part_that_is_turned_round_is_found(boards: dict[str, Layout], key: str, part: str) -> None:
    layout = boards[key]
    placed = layout.board.parts[part]
    names = list(placed.pins)
    across = names[len(names) // 2 :] + names[: len(names) // 2]
    turned = replace(placed, pins=dict(zip(across, placed.pins.values(), strict=True)))
    board = replace(layout.board, parts={**layout.board.parts, part: turned})
    assert any("are joined." in said for said in mistakes(replace(layout, board=board)))


def test_the_forgotten_cut_that_joins_5_v_and_3_3_v_is_reported_in_a_sentence(boards: dict[str, Layout]) -> None:
    layout = boards["full"]
    first = layout.board.parts["pi"].first
    less = tuple(cut for cut in layout.cuts if cut != Cut(first, knife=True))
    assert len(less) == len(layout.cuts) - 1
    assert any(
        "(PI_3V3)" in said and "(5V)" in said and said.endswith("are joined.")
        for said in mistakes(replace(layout, cuts=less))
    )


@pytest.mark.parametrize("key", BOARDS)
def test_between_the_two_rows_of_a_part_every_strip_is_cut(boards: dict[str, Layout], key: str) -> None:
    layout = boards[key]
    made = pieces(layout.board, layout.cuts)
    for part in layout.board.parts.values():
        if part.form.across:
            for piece in made:
                assert len({part.rows[at.pin] for at in piece.pins if at.part == part.name}) < 2, piece


def test_two_links_in_a_hole_and_a_link_where_a_pin_is_are_found(boards: dict[str, Layout]) -> None:
    layout = boards["full"]
    link = layout.links[0]
    assert any("two links end in" in said for said in mistakes(replace(layout, links=(*layout.links, link))))
    at_pin = replace(link, start=layout.board.parts["regulator"].first)
    assert any("where regulator.GND is" in said for said in mistakes(replace(layout, links=(at_pin,))))


def test_a_link_that_lies_where_a_screw_goes_through_is_found(boards: dict[str, Layout]) -> None:
    layout = boards["seat"]
    link = Link("GND", hole("A18"), hole("A24"))
    said = mistakes(replace(layout, links=(*layout.links, link)))
    assert "seat: a link of GND from A18 to A24 would lie where a screw goes through." in said
    below = mistakes(replace(layout, links=(*layout.links, replace(link, copper_side=True))))
    assert any("would lie where a screw goes through" in each for each in below)


def test_a_bare_end_below_a_leg_is_found_but_not_on_the_copper_side(boards: dict[str, Layout]) -> None:
    layout = boards["compact"]
    leg = next(leg for leg in legs(layout.board) if leg.at == At("series2", "1"))
    x, y = leg.end
    below = min(
        (Hole(column, row) for column in range(1, 40) for row in range(1, 32)),
        key=lambda where: (
            where == leg.hole,
            abs(layout.board.place(where)[0] - x) + abs(layout.board.place(where)[1] - y),
        ),
    )
    link = Link("GND", below, Hole(below.column + 3, below.row))
    told = f"would end below a bare leg, in {below}."
    assert any(told in said for said in mistakes(replace(layout, links=(link,))))
    assert not any(told in said for said in mistakes(replace(layout, links=(replace(link, copper_side=True),))))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    long_params(
        [
            ({"mosi4": ["AE24", "AM24"]}, "the legs sck2.1 and mosi4.1 would touch"),
            ({"sck4": ["AD20", "AL20"]}, "the leg sck4.1 would touch sck2.2 in AF20"),
            ({"diode2": ["X16", "AF16"]}, "the leg diode2.A would touch diode4.K in AC16"),
            ({"diode2": ["X16", "AF16"]}, "the leg diode2.K would run into sck3"),
            ({"regulator": ["H4", "H6"]}, "the leg esd4.2 would run into regulator"),
        ]
    ),
)
def test_bare_legs_that_touch_something_are_reported(
    description: Description, data: dict[str, Any], changes: dict[str, list[str]], sentence: str
) -> None:
    changed = deepcopy(data)
    changed["boards"] = {"compact": changed["boards"]["compact"]}
    changed["boards"]["compact"]["parts"] |= changes
    with pytest.raises(DescriptionError, match=sentence):
        layouts(description, changed)


@pytest.mark.parametrize(
    ("key", "first", "part", "over"),
    [("full", [2.5, 2.5], "regulator", "0.16"), ("compact", [1.74, 1.9], "esd2", "0.06")],
)
def test_a_body_that_stands_out_over_the_edge_is_reported(
    description: Description, data: dict[str, Any], key: str, first: list[float], part: str, over: str
) -> None:
    changed = deepcopy(data)
    changed["boards"] = {key: changed["boards"][key] | {"first": first}}
    with pytest.raises(DescriptionError, match=f"{part} would stand out over the board's edge by {over} mm"):
        layouts(description, changed)


def test_the_drill_for_strips_is_the_one_in_the_tools(data: dict[str, Any], boards: dict[str, Layout]) -> None:
    drills = [tool["name"] for tool in read_toml(HARDWARE / "prices.toml")["tools"] if "drill of" in tool["name"]]
    assert drills == [f"Cutter for strips, or a drill of {data['drill_mm']} mm turned by hand"]
    assert all(f"Turn a drill of {data['drill_mm']} mm" in page(layout) for layout in boards.values())


@pytest.mark.parametrize("key", BOARDS)
def test_names_lie_on_the_board_and_pin_1_is_framed_on_both_sides(boards: dict[str, Layout], key: str) -> None:
    layout = boards[key]
    width, height = layout.board.size
    drawn = [drawing(layout, copper_side=it) for it in (False, True)]
    for name in layout.board.parts:
        (x, y) = re.findall(rf'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>{name}</text>', drawn[0])[0]
        assert 0 < float(x) < width, name
        assert 0 < float(y) < height, name
    frames = [it.count('width="1.90" height="1.90"') for it in drawn]
    assert frames[0] == frames[1] > 0


def test_a_hole_that_was_cut_joins_nothing(boards: dict[str, Layout]) -> None:
    layout = boards["full"]
    first = layout.board.parts["regulator"].first
    groups = joined_groups(replace(layout, cuts=(*layout.cuts, Cut(first))))
    assert [str(at) for group in groups if len(group) == 1 for at in group].count("regulator.GND") == 1


def _place(part: str, *holes: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["boards"]["full"]["parts"][part] = list(holes)

    return change


def _less(part: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["boards"]["full"]["parts"].pop(part)


def _low(data: dict[str, Any]) -> None:
    data["boards"]["full"]["low"] = [{"box": [0, 0, 200, 200], "most": 5.2, "why": "the ring lies over it"}]


def _full_strip(data: dict[str, Any]) -> None:
    data["boards"]["full"]["columns"] = 2
    data["boards"]["full"]["drilled"] = []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_less("regulator"), "full has no place for regulator"),
        (_place("motor", "A1"), "full has a place for motor, which the board hasn't"),
        (
            _place("regulator", "A1", "B9"),
            "regulator can't lie from A1 to B9: .* a straight line of 2 holes",
        ),
        (_place("power_series", "A1", "A3"), "power_series can't lie from A1 to A3.* of 3 to 8 holes"),
        (_place("test_gnd", "L3"), "would both be in L3"),
        (_place("test_gnd", "A1"), "test_gnd.1 would be in A1, where a screw goes through"),
        (_low, "pi is 8.5 mm high, and there is room for 5.2 mm: the ring lies over it"),
        (_full_strip, "would be beyond the edge of the board"),
    ],
)
def test_a_part_that_can_t_be_placed_is_reported(
    description: Description, data: dict[str, Any], change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    changed = deepcopy(data)
    changed["boards"] = {"full": changed["boards"]["full"]}
    change(changed)
    with pytest.raises(DescriptionError, match=sentence):
        layouts(description, changed)


@pytest.mark.parametrize(
    ("part", "holes", "sentence"),
    [
        (
            "reader_capacitor",
            ["E23", "E24"],
            "reader_capacitor is 4.2 mm high, .* 1.8 mm: the reader's crystal may stand",
        ),
        ("pull_up", ["E24", "E21"], "pull_up is 2.5 mm high, .* 1.8 mm: the reader's crystal may stand"),
        ("filter", ["O21", "O24"], "filter is 4 mm high, and there is room for 3.8 mm: the reader lies over it"),
    ],
)
def test_a_part_that_is_too_high_below_a_reader_is_reported(
    description: Description, data: dict[str, Any], part: str, holes: list[str], sentence: str
) -> None:
    changed = deepcopy(data)
    changed["boards"] = {"seat": changed["boards"]["seat"]}
    changed["boards"]["seat"]["parts"][part] = holes
    with pytest.raises(DescriptionError, match=sentence):
        layouts(description, changed)


def test_a_net_without_a_free_hole_is_reported(description: Description, data: dict[str, Any]) -> None:
    changed = deepcopy(data)
    changed["forms"]["reader"]["wires_at_pins"] = False
    changed["boards"] = {"seat": changed["boards"]["seat"]}
    with pytest.raises(DescriptionError, match=r"can't be joined: strip \d+, .* has no free hole for a link"):
        layouts(description, changed)


def test_the_meter_finds_what_destroys_first(boards: dict[str, Layout]) -> None:
    tests = holes_apart(boards["seat"])
    assert [test.rank for test in tests] == sorted(test.rank for test in tests)
    dangers = {frozenset(map(str, test.between)): test for test in tests if test.rank == 0}
    assert "destroys the Raspberry Pi Pico" in dangers[frozenset(("pico.GP0", "pico.VBUS"))].harm
    assert "5 V on what takes 3.3 V" in dangers[frozenset(("pico.3V3", "pico.VBUS"))].harm
    pi = {frozenset(map(str, test.between)) for test in holes_apart(boards["full"]) if test.rank == 0}
    assert frozenset(("pi.3V3", "pi.5V")) in pi
    assert [test.through for test in tests if test.through] == ["lamp_fuse"]


@pytest.mark.parametrize("key", long_params(BOARDS, 2))
def test_the_meter_finds_every_forgotten_cut_that_matters_and_every_forgotten_link(
    boards: dict[str, Layout], key: str
) -> None:
    layout = boards[key]
    where = {at: number for number, group in enumerate(joined_groups(layout)) for at in group}
    tests, beeping = holes_apart(layout), holes_joined(layout)
    assert all(where[test.between[0]] != where[test.between[1]] for test in tests)
    for cut in layout.cuts:
        less = replace(layout, cuts=tuple(other for other in layout.cuts if other != cut))
        of = {at: number for number, group in enumerate(joined_groups(less)) for at in group}
        beeps = any(of[test.between[0]] == of[test.between[1]] for test in tests)
        assert beeps == bool(mistakes(less)), cut
    pins = layout.board.pins()
    for link in layout.links:
        less = replace(layout, links=tuple(other for other in layout.links if other != link))
        of = {at: number for number, group in enumerate(joined_groups(less)) for at in group}
        assert any(len({of[pins[one]] for one in holes}) > 1 for holes in beeping.values()), link


@pytest.mark.parametrize("key", BOARDS)
def test_drawings_and_page_show_every_cut_and_link(boards: dict[str, Layout], key: str) -> None:
    layout = boards[key]
    text = page(layout)
    for copper_side in (False, True):
        drawn = drawing(layout, copper_side=copper_side)
        assert drawn.count('stroke="#d40000"') == len(layout.cuts)
        for number in range(1, len(layout.links) + 1):
            assert drawn.count(f">{number}</text>") >= 2
        assert ("mirrored" in drawn) == copper_side
    assert all(re.search(rf"\b{cut.at}\b", text) for cut in layout.cuts)
    assert all(f"| {link.net} | {link.start}" in text for link in layout.links)
    assert all(f"| {part} |" in text for part in layout.board.parts)


def test_the_copper_side_is_mirrored(boards: dict[str, Layout]) -> None:
    drawn = [drawing(boards["seat"], copper_side=it) for it in (False, True)]
    first = [re.findall(r"<text x=\"([\d.]+)\"[^>]*>A</text>", it) for it in drawn]
    assert float(first[0][0]) + float(first[1][0]) == pytest.approx(boards["seat"].board.size[0])
