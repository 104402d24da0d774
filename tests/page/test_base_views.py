"""Every view of a real table's page, as on a desk and as on a phone, in four languages: nothing sticks out, is cut off,
covered or lies over something else, and axe-core finds nothing that would shut anybody out."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from page.access import axe_faults
from page.base_views import VIEWS, VISITOR, looking_at_the_base
from page.layout import layout_faults
from page.viewing import SIZES
from page.visitor import LANGUAGES

LARGE = {"large letters": SIZES["phone"], "zoomed": {"width": 640, "height": 400}}
"""A phone whose browser has letters of twice the usual size, and a desk zoomed to twice the usual size."""


def test_nothing_overflows_or_overlaps_and_axe_finds_nothing_in_any_view(browser: Browser, tmp_path: Path) -> None:
    found: list[str] = []
    with looking_at_the_base(browser, tmp_path) as views:
        visitor = views.visitors[VISITOR]
        for number, view in enumerate(VIEWS):
            views.show(view)
            for which, language in enumerate(LANGUAGES):
                visitor.speaks(language)
                for place, (name, size) in enumerate(SIZES.items()):
                    visitor.page.set_viewport_size(size)
                    visitor.next_frame()
                    faults = layout_faults(visitor.page)
                    # each view in each language at one of the sizes
                    if (number + which + place) % 2:
                        faults += axe_faults(visitor)
                    found += [f"{view.name}, {language}, {name}: {fault}" for fault in faults]
            language = LANGUAGES[number % len(LANGUAGES)]
            visitor.speaks(language)
            for name, size in LARGE.items():
                visitor.page.set_viewport_size(size)
                with visitor.with_letters(2 if name == "large letters" else 1):
                    visitor.next_frame()
                    found += [f"{view.name}, {language}, {name}: {fault}" for fault in layout_faults(visitor.page)]
    assert found == []
