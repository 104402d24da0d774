"""Every view of the page, at a desk and on a phone, in four languages: nothing sticks out, is cut off, covered or lies
over something else, and axe-core finds nothing that would shut anybody out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from page.access import axe_faults
from page.layout import layout_faults
from page.table_pool import TablePool
from page.viewing import SIZES
from page.views import VIEWS, looking_at
from page.visitor import LANGUAGES

SEED = 1


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 6])
def test_nothing_overflows_or_overlaps_however_many_play(
    browser: Browser, rooms: TablePool, players: int, tmp_path: Path
) -> None:
    found: list[str] = []
    rooms.close()
    with looking_at(browser, tmp_path, players=players, seed=SEED) as views:
        for view in VIEWS[: 1 + max(at for at, view in enumerate(VIEWS) if not view.alike)]:
            if view.alike:
                views.passes(view)
                continue
            views.show(view)
            for visitor in views.visitors.values():
                for language in ("de", "fr"):  # the long ones
                    visitor.speaks(language)
                    found += [f"{view.name}, {language}: {fault}" for fault in layout_faults(visitor.page)]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_nor_does_it_in_any_language_and_axe_finds_nothing(
    browser: Browser, rooms: TablePool, size: str, tmp_path: Path
) -> None:
    found: list[str] = []
    rooms.close()
    with looking_at(browser, tmp_path, players=4, seed=SEED, sizes=(size,)) as views:
        visitor = views.visitors[size]
        for number, view in enumerate(VIEWS):
            views.show(view)
            at = number + list(SIZES).index(size)
            # two languages at each size: what isn't the demo's own is gone through in all without it
            for language in LANGUAGES[at % 2 :: 2]:
                visitor.speaks(language)
                found += [f"{view.name}, {language}: {fault}" for fault in layout_faults(visitor.page)]
            if at % 2:
                found += [f"{view.name}: {fault}" for fault in axe_faults(visitor)]
    assert found == []
