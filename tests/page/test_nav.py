"""The way between the views: by finger, by keyboard, by the browser's own way back; the present one is marked, and its
title read out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from page.table_pool import TablePool
from page.visitor import LANGUAGES, Visitor

ORDER = ("table", "setup", "people", "cards", "correct", "games", "parts")
WIDTHS = (900, 960, 1024, 1100, 1200, 1280, 1400)
"""Widths of windows at which the links stand beside the buttons of the bar."""


@pytest.fixture
def visitor(rooms: TablePool) -> Iterator[Visitor]:
    with rooms.table() as (_, visitor):
        yield visitor


def current(visitor: Visitor) -> list[str]:
    """The links that are marked as where one is."""
    return visitor.page.locator("[data-nav] [aria-current='page']").evaluate_all(
        "(links) => links.map((each) => each.dataset.view)"
    )


def focused(visitor: Visitor) -> str:
    return visitor.page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id")


def stays(visitor: Visitor) -> list[list[float]]:
    """The places of the links."""
    boxes = "(links) => links.map((each) => { const { x, y } = each.getBoundingClientRect(); return [x, y]; })"
    return visitor.page.locator("[data-nav] a").evaluate_all(boxes)


def test_each_view_is_one_click_away_and_marked_and_its_title_is_read_out(visitor: Visitor) -> None:
    places = stays(visitor)
    assert current(visitor) == ["table"]
    for name in ORDER[1:]:
        visitor.clicks(f'[data-nav] [data-view="{name}"]')
        title = visitor.text(f'.view[data-view="{name}"] h2')
        assert current(visitor) == [name]
        assert focused(visitor) == title
        assert not visitor.is_seen("[data-table]")
        assert stays(visitor) == places
    visitor.clicks('[data-nav] [data-view="table"]')
    visitor.sees("[data-table]")
    assert visitor.page.evaluate("document.activeElement.matches('[data-table]')")


def test_no_word_on_the_way_is_cut_off_in_any_language(visitor: Visitor) -> None:
    cut = "(labels) => labels.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    for language in LANGUAGES:
        visitor.speaks(language)
        assert visitor.page.locator("[data-nav] .nav-label").evaluate_all(cut) == []


@pytest.mark.long
@pytest.mark.parametrize("at_demo", [False, True], ids=["table", "demo"])
def test_no_link_lies_behind_the_buttons_beside_it_at_any_width(rooms: TablePool, at_demo: bool) -> None:
    with rooms.demo() if at_demo else rooms.table() as (_, visitor):
        behind = """(nav) => nav.lastElementChild.getBoundingClientRect().right > nav.getBoundingClientRect().right"""
        size = visitor.page.viewport_size
        assert size is not None
        try:
            for language in LANGUAGES:
                visitor.speaks(language)
                for width in WIDTHS:
                    visitor.page.set_viewport_size({"width": width, "height": 800})
                    assert not visitor.page.locator("[data-nav]").evaluate(behind), (language, width)
        finally:
            visitor.page.set_viewport_size(size)


@pytest.mark.long
def test_the_way_back_leads_to_the_view_before(visitor: Visitor) -> None:
    visitor.clicks('[data-nav] [data-view="correct"]')
    visitor.sees('.view[data-view="correct"]')
    visitor.clicks('[data-nav] [data-view="setup"]')
    visitor.sees('.view[data-view="setup"]')
    visitor.page.go_back()
    visitor.sees('.view[data-view="correct"]')
    assert current(visitor) == ["correct"]
    visitor.page.go_back()
    visitor.sees("[data-table]")


def test_a_view_can_be_kept_as_an_address_and_one_that_isnt_there_is_the_table(visitor: Visitor) -> None:
    visitor.page.evaluate("location.hash = 'setup'")
    visitor.reloads()
    visitor.sees('.view[data-view="setup"]')
    for place in ("nowhere", "%"):
        visitor.page.evaluate("(place) => { location.hash = place; }", place)
        visitor.sees("[data-table]")


@pytest.mark.long
def test_by_keyboard_alone_one_gets_to_a_view_and_into_it(visitor: Visitor) -> None:
    visitor.reloads()
    for _ in range(3):
        visitor.page.keyboard.press("Tab")
    assert focused(visitor) == "New game"
    visitor.page.keyboard.press("Enter")
    visitor.sees('.view[data-view="setup"]')
    visitor.page.keyboard.press("Tab")
    assert visitor.page.evaluate("document.activeElement.closest('.view')?.dataset.view") == "setup"
