"""The cloth keeps the distances that reading cards needs, and comes out of the printer at its size."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from drafting.cloth import Place, TablePlaces, centre_sheet, seat_sheet, table_places
from drafting.parts import Table, read_toml
from drafting.sheets import A4, MM_AN_INCH, Sheet, pdf
from drafting.stickers import sticker_sheet
from taptable.words import LANGUAGES

MEASURES = read_toml(Path(__file__).parents[2] / "hardware" / "mechanics.toml")
BUILDS = ("full", "compact")
POINTS_AN_INCH = 72


def pads_of(places: TablePlaces) -> list[Place]:
    return [places.discard_pad, *(seat.pad for seat in places.seats)]


def gaps_of(build: str, measures: Table = MEASURES) -> dict[str, float]:
    """The smallest distance of each kind in a whole table."""
    places = table_places(measures, build)
    pads, rows = pads_of(places), [row for seat in places.seats for row in seat.rows]
    buttons, piles = [seat.button for seat in places.seats], [places.discard_pile, places.draw_pile]
    return {
        "pad_to_row": min(pad.gap_to(row) for pad in pads for row in rows),
        "pad_to_pile": min(pad.gap_to(pile) for pad in pads for pile in piles),
        "pad_to_pad": min(one.gap_to(other) for one, other in combinations(pads, 2)),
        "button_to_pad": min(button.gap_to(pad) for button in buttons for pad in pads),
        "anything": min(one.gap_to(other) for one, other in combinations([*pads, *rows, *buttons, *piles], 2)),
    }


@pytest.mark.parametrize("build", BUILDS)
def test_the_distances_that_reading_needs_are_kept_between_all_seats(build: str):
    gaps, wanted = gaps_of(build), MEASURES["distances"]
    for name in ("pad_to_row", "pad_to_pile", "pad_to_pad", "button_to_pad"):
        assert gaps[name] >= wanted[name] - 1e-9, name
    assert gaps["anything"] > 0, "things lie over one another"


@pytest.mark.parametrize("build", BUILDS)
def test_seats_are_numbered_clockwise_seen_from_above(build: str):
    places = table_places(MEASURES, build)
    table = MEASURES["table"][build]
    x, y = table["length"] / 2, table["width"] / 2
    outline = [(seat.pad.x - x, seat.pad.y - y) for seat in places.seats]
    turned = [a[0] * b[1] - a[1] * b[0] for a, b in zip(outline, [*outline[1:], outline[0]], strict=True)]
    assert all(each <= 1e-9 for each in turned)
    assert sum(turned) < 0


def test_the_compact_builds_readers_are_within_reach_of_the_pi():
    places = table_places(MEASURES, "compact")
    for pad in pads_of(places):
        assert pad.gap_to(places.discard_pad) + pad.length <= MEASURES["distances"]["reader_lead"]


def page_sizes_mm(document: bytes) -> list[tuple[float, float]]:
    """The size of each page of a PDF."""
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", document)
    return [(float(w) / POINTS_AN_INCH * MM_AN_INCH, float(h) / POINTS_AN_INCH * MM_AN_INCH) for w, h in boxes]


@pytest.mark.parametrize("sheet", [seat_sheet(MEASURES), centre_sheet(MEASURES)], ids=lambda sheet: sheet.name)
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
