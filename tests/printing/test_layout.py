"""The places of cards and their backs on a sheet."""

from __future__ import annotations

import pytest
from taptable.printing.layout import BLEED, CARD_HEIGHT, CARD_WIDTH, PAPERS, Layout, layout_of

LAYOUTS = [layout_of(paper, bleed=bleed) for paper in PAPERS.values() for bleed in (False, True)]
SIZES = {("A4", 0.0): 9, ("Letter", 0.0): 9, ("A4", BLEED): 8, ("Letter", BLEED): 6}

every = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: f"{each.paper.name}-{each.bleed:.0f}")


@every
def test_as_many_cards_lie_on_a_sheet_as_fit(layout: Layout) -> None:
    assert layout.cards_per_sheet == SIZES[layout.paper.name, layout.bleed]
    for number in range(layout.cards_per_sheet):
        place = layout.front(number)
        assert (
            layout.card_width / 2 + layout.bleed < place.x < layout.paper.width - layout.card_width / 2 - layout.bleed
        )
        assert (
            layout.card_height / 2 + layout.bleed
            < place.y
            < layout.paper.height - layout.card_height / 2 - layout.bleed
        )


@every
def test_cards_are_as_large_as_playing_cards_and_touch_their_neighbours_with_their_bleeds_alone(layout: Layout) -> None:
    assert {layout.card_width, layout.card_height} == {CARD_WIDTH, CARD_HEIGHT} == {63, 88}
    first, second, below = layout.front(0), layout.front(1), layout.front(layout.columns)
    assert second.x - first.x == pytest.approx(layout.card_width + 2 * layout.bleed)
    assert below.y - first.y == pytest.approx(layout.card_height + 2 * layout.bleed)


@every
def test_a_back_lies_behind_its_card_when_the_paper_is_turned_over_its_long_edge(layout: Layout) -> None:
    for number in range(layout.cards_per_sheet):
        front, back = layout.front(number), layout.back(number)
        assert (back.x, back.y) == pytest.approx((layout.paper.width - front.x, front.y))
        # seen through the paper, what was turned to the left is turned to the right
        assert back.rotation_deg == -front.rotation_deg
    assert layout.back(0).x > layout.back(1).x


@every
def test_every_cut_has_a_mark_at_both_ends_outside_the_print(layout: Layout) -> None:
    across, down = layout.cuts()
    marks = layout.crop_marks()
    assert len(marks) == 2 * (len(across) + len(down))
    left, right = across[0] - layout.bleed, across[-1] + layout.bleed
    top, bottom = down[0] - layout.bleed, down[-1] + layout.bleed
    for x1, y1, x2, y2 in marks:
        assert min(x1, x2, y1, y2) >= 0
        assert max(x1, x2) <= layout.paper.width
        assert max(y1, y2) <= layout.paper.height
        assert max(x1, x2) < left or min(x1, x2) > right or max(y1, y2) < top or min(y1, y2) > bottom
    assert {x1 for x1, _, x2, _ in marks if x1 == x2} == set(across)
    assert {y1 for _, y1, _, y2 in marks if y1 == y2} == set(down)
    # each card has its own cuts beside the bleed, neighbours share one without
    assert len(across) == (2 * layout.columns if layout.bleed else layout.columns + 1)
