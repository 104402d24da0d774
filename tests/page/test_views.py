"""Every view of the page, at a desk and on a phone, in four languages: nothing sticks out, is cut off, covered or lies
over something else, and axe-core finds nothing that would shut anybody out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from page.access import axe_faults
from page.layout import layout_faults
from page.viewing import SIZES
from page.views import VIEWS, looking_at
from page.visitor import LANGUAGES

SEED = 1


@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_nothing_overflows_or_overlaps_however_many_play(browser: Browser, players: int, tmp_path: Path):
    found: list[str] = []
    with looking_at(browser, tmp_path, players=players, seed=SEED) as views:
        for view in VIEWS[: 1 + max(at for at, view in enumerate(VIEWS) if not view.alike)]:
            if view.alike:
                views.passes(view)
                continue
            views.show(view)
            for visitor in views.visitors.values():
                for language in LANGUAGES:
                    visitor.speaks(language)
                    found += [f"{view.name}, {language}: {fault}" for fault in layout_faults(visitor.page)]
    assert found == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overflows_or_overlaps_and_axe_finds_nothing_in_any_view(browser: Browser, size: str, tmp_path: Path):
    found: list[str] = []
    with looking_at(browser, tmp_path, players=4, seed=SEED, sizes=(size,)) as views:
        visitor = views.visitors[size]
        for number, view in enumerate(VIEWS):
            views.show(view)
            for which, language in enumerate(LANGUAGES):
                at = number + list(SIZES).index(size)
                if (at + which) % 2:
                    continue  # two languages at each size: what isn't the demo's own is gone through in all without it
                visitor.speaks(language)
                faults = layout_faults(visitor.page)
                if at % len(LANGUAGES) == which:
                    faults += axe_faults(visitor)
                found += [f"{view.name}, {language}: {fault}" for fault in faults]
    assert found == []
