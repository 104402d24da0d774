"""The cloth keeps the distances that reading cards needs, and comes out of the printer at its size."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from drafting.cloth import centre_sheet, seat_sheet, whole_sheet
from drafting.placements import read_placements
from drafting.places import Place, grove_path, misplacements, table_places
from drafting.ready_cloth import ready_seat_sheet
from drafting.sheets import A4, MM_AN_INCH, Sheet, pdf
from drafting.stickers import sticker_sheet
from taptable.words import LANGUAGES

MEASURES, _ = read_placements(Path(__file__).parents[2] / "hardware")
TABLES = tuple(MEASURES["table"])
POINTS_AN_INCH = 72


def test_the_starter_has_nothing_in_its_centre_but_pad_and_piles():
    named = [name for name, _ in table_places(MEASURES, "starter").named()]
    assert {"the scoreboard", "the sounder"}.isdisjoint(named)
    assert {"the discard pad", "the discard pile", "the draw pile"} <= set(named)
    assert {"the scoreboard", "the sounder"} <= {name for name, _ in table_places(MEASURES, "full").named()}


@pytest.mark.parametrize("table", TABLES)
def test_everything_lies_on_its_table_at_the_distances_that_reading_needs(table: str):
    assert [said for said in misplacements(MEASURES) if said.startswith(table)] == []


@pytest.mark.parametrize(
    ("section", "value", "said"),
    [
        ("rows", {"to_edge": -19.0}, "compact table: row 1 of seat 1 doesn't lie on the board."),
        ("rows", {"to_edge": 10.0}, "compact table: the pad of seat 1 and the discard pad are 7"),
        ("card", {"height": 130.0}, "starter table: row 1 of seat 1 and the"),
        ("distances", {"reader_lead": 200}, "compact table: the pad of seat 1 needs a lead of"),
        (
            "distances",
            {"grove_lead": 900},
            "ready table: the pad of seat 1 needs a lead of 925 mm, and a Grove cable has",
        ),
        (
            "distances",
            {"usb_lead": 500},
            "ready-usb table: the pad of seat 1 needs a lead of 592 mm, and a reader's cable has 500.",
        ),
        ("distances", {"pad_to_row": 300}, "ready table: row 1 of seat 2 and the discard pad are 30 mm apart, and 300"),
        ("buzzer", {"width": 200.0}, "ready table: the button of seat 3 doesn't lie on the board."),
        ("pocket", {"bridge": [36.0, 60.0]}, "full table: row 3 of seat 1 and the pocket behind the pad of seat 1"),
    ],
)
def test_a_part_that_lies_wrongly_is_reported(section: str, value: dict[str, object], said: str):
    wrong = {**MEASURES, section: {**MEASURES[section], **value}}
    assert any(each.startswith(said) for each in misplacements(wrong))


@pytest.mark.parametrize("table", ["ready", "ready-four", "ready-usb"])
def test_cards_lie_far_enough_from_the_readers_of_parts_that_plug_together(table: str):
    places = table_places(MEASURES, table)
    pads = [*(seat.pad for seat in places.seats), places.discard_pad]
    rows = [row for seat in places.seats for row in seat.rows]
    assert min(pad.gap_to(row) for pad in pads for row in rows) == pytest.approx(60)
    assert min(pad.gap_to(places.discard_pile) for pad in pads) == pytest.approx(80)
    assert min(one.gap_to(other) for one, other in combinations(pads, 2)) >= 80


@pytest.mark.parametrize("table", ["ready", "ready-four", "ready-usb"])
def test_a_lead_runs_between_two_columns_of_cards_and_beside_what_lies_in_the_centre(table: str):
    places = table_places(MEASURES, table)
    switches = {"the switch", "the second switch", "the hub"}
    cards = [*(row for seat in places.seats for row in seat.rows), places.discard_pile, places.draw_pile]
    others = [*cards, *(place for name, place in places.things if name not in switches), places.discard_pad]
    for seat in places.seats:
        for (x, y), (to_x, to_y) in pairwise(grove_path(places, seat.pad)):
            step = Place((x + to_x) / 2, (y + to_y) / 2, abs(to_x - x), abs(to_y - y))
            assert min(step.gap_to(other) for other in others) >= 4


@pytest.mark.parametrize("table", TABLES)
def test_seats_are_numbered_clockwise_seen_from_above(table: str):
    places = table_places(MEASURES, table)
    x, y = places.size[0] / 2, places.size[1] / 2
    outline = [(seat.pad.x - x, seat.pad.y - y) for seat in places.seats]
    turned = [a[0] * b[1] - a[1] * b[0] for a, b in zip(outline, [*outline[1:], outline[0]], strict=True)]
    assert all(each <= 1e-9 for each in turned)
    assert sum(turned) < 0 or len(outline) == 2


def page_sizes_mm(document: bytes) -> list[tuple[float, float]]:
    """The size of each page of a PDF."""
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", document)
    return [(float(w) / POINTS_AN_INCH * MM_AN_INCH, float(h) / POINTS_AN_INCH * MM_AN_INCH) for w, h in boxes]


@pytest.mark.parametrize(
    "sheet",
    [
        seat_sheet(MEASURES),
        centre_sheet(MEASURES),
        whole_sheet(MEASURES, "compact"),
        ready_seat_sheet(MEASURES),
    ],
    ids=("seat", "centre", "compact", "ready seat"),
)
def test_a_sheet_is_as_large_on_paper_as_it_says_whole_or_cut_up_for_a4(sheet: Sheet):
    assert page_sizes_mm(pdf([sheet])) == [pytest.approx(sheet.size, abs=0.1)]
    pages = page_sizes_mm(pdf([sheet], on_a4=True))
    assert len(pages) > 1
    assert all(sorted(page) == pytest.approx(sorted(A4), abs=0.1) for page in pages)


def test_the_same_sheet_gives_the_same_bytes():
    assert pdf([centre_sheet(MEASURES)]) == pdf([centre_sheet(MEASURES)])


def test_the_control_cards_fit_on_a_page_in_every_language():
    document = pdf([sticker_sheet(MEASURES, language) for language in LANGUAGES])
    assert page_sizes_mm(document) == [pytest.approx(A4, abs=0.1)] * len(LANGUAGES)
