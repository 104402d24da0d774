"""Every view of a real table's page, as on a desk and as on a phone, in four languages: nothing sticks out, is cut off,
covered or lies over something else, with letters of twice the size too, and axe-core finds nothing that would shut
anybody out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from page.access import axe_faults
from page.base_views import SETTINGS, VIEWS, VISITOR, looking_at_the_base
from page.layout import layout_faults
from page.table_pool import TablePool
from page.viewing import SIZES, Views
from page.visitor import LANGUAGES, Visitor

ZOOMED = {"width": 640, "height": 400}
"""A desk whose page is shown at twice its size."""


def test_nothing_overflows_or_overlaps_in_any_view(rooms: TablePool) -> None:
    with rooms.table(4, starter=None, settings=SETTINGS) as (table, visitor):
        visitor.speaks("de")
        views = Views(table, {VISITOR: visitor})
        for view in VIEWS:
            views.show(view)
            assert layout_faults(visitor.page) == [], view.name


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_nor_does_it_in_any_language_and_at_any_size_and_axe_finds_nothing(
    browser: Browser, rooms: TablePool, size: str, tmp_path: Path
) -> None:
    found: list[str] = []
    rooms.close()
    with looking_at_the_base(browser, tmp_path, size=size) as views:
        visitor = views.visitors[VISITOR]
        for number, view in enumerate(VIEWS):
            visitor.page.set_viewport_size(SIZES[size])
            views.show(view)
            for language in LANGUAGES:
                visitor.speaks(language)
                found += [f"{view.name}, {language}: {fault}" for fault in layout_faults(visitor.page)]
            if number % len(SIZES) == list(SIZES).index(size):  # each view is gone through at one of the sizes
                found += [f"{view.name}: {fault}" for fault in axe_faults(visitor)]
            found += [f"{view.name}, {fault}" for fault in enlarged(visitor, LANGUAGES[number % 4], size)]
    assert found == []


def enlarged(visitor: Visitor, language: str, size: str) -> list[str]:
    """The faults of a view for visitors who need large letters: by the browser's own on a phone, by a zoom at a
    desk."""
    visitor.speaks(language)
    if size == "desk":
        visitor.page.set_viewport_size(ZOOMED)
        visitor.next_frame()
        return [f"{language}, zoomed: {fault}" for fault in layout_faults(visitor.page)]
    with visitor.with_letters(2):
        visitor.next_frame()
        return [f"{language}, large letters: {fault}" for fault in layout_faults(visitor.page)]
