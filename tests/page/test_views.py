"""Every view of the page, at a desk and on a phone, in four languages: nothing sticks out, is cut off, covered or lies
over something else, and axe-core finds nothing that would shut anybody out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from page.layout import layout_faults
from page.views import VIEWS, looking_at
from page.visitor import LANGUAGES, Visitor

AXE = Axe()
OPTIONS = {"resultTypes": ["violations"], "preload": False}
SEED = 1
MOST_PLAYERS = 6


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_nothing_overflows_or_overlaps_in_any_view(browser: Browser, players: int, tmp_path: Path):
    found: list[str] = []
    with looking_at(browser, tmp_path, players=players, seed=SEED) as views:
        for view in VIEWS:
            views.show(view)
            if view.alike and players != MOST_PLAYERS:
                continue
            for size, visitor in views.visitors.items():
                for language in _in_each_language(visitor):
                    found += [f"{view.name}, {size}, {language}: {fault}" for fault in layout_faults(visitor.page)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_any_view(browser: Browser, language: str, tmp_path: Path):
    found: list[str] = []
    # each language sees every view at one of the sizes, each size in two of the languages
    phone_first = LANGUAGES.index(language) % 2
    with looking_at(browser, tmp_path, players=4, seed=SEED) as views:
        for visitor in views.visitors.values():
            visitor.speaks(language)
        for number, view in enumerate(VIEWS):
            views.show(view)
            size = ("desk", "phone")[(number + phone_first) % 2]
            found += [f"{view.name}, {size}: {fault}" for fault in _axe_faults(views.visitors[size])]
    assert found == []


def _in_each_language(visitor: Visitor) -> Iterator[str]:
    for language in LANGUAGES:
        visitor.speaks(language)
        yield language


def _axe_faults(visitor: Visitor) -> list[str]:
    complaints = list(visitor.complaints)
    result = AXE.run(visitor.page, options=OPTIONS)
    visitor.complaints[:] = complaints  # what the policy forbids axe-core to do is none of the page's
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in result.response["violations"]
        for node in fault["nodes"]
    ]
