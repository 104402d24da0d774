"""Checks whether the page that a browser shows overflows its window or its boxes, cuts off words, or lets things
overlap."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

LOOKS = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
SIZES = (DESK, PHONE)

HOOKS = "[data-seat], [data-team], [data-pile], [data-pad], button[data-card], [data-score], [data-tab], button, select"
"""Elements with a place of their own: none of them covers another, unless it contains it."""
BOXES = "button:not([data-card]), [data-seat], [data-team], [data-pile], [data-panel], [data-hand], dialog, header, li"
"""Elements that keep their words within their borders."""
SIDEWAYS = "[data-hand], [data-hand] *, [data-figures], [data-figures] *, [data-wire], [data-nav]"
"""Elements that may scroll sideways."""
MIN_IN_A_FIELD_PX = 16
"""Letters below which a phone's browser zooms into a field."""
FIGURES = "[data-scoreboard] .digits"
"""Figures so large that only their letters count, not the room above and below that a font adds."""
LAYERS = ".menu-list, #settings"
"""Elements that open over the rest and close again."""


def layout_faults(page: Page, least_px: int = 24) -> list[str]:
    """The faults of the page's layout in its window, as sentences, including controls smaller than `least_px` and, on a
    narrow window, fields with small letters.
    The page itself may scroll up and down only, and only on a narrow window."""
    assert page.viewport_size is not None
    return page.evaluate(LOOKS, rules_for(page.viewport_size, least_px))


def rules_for(size: ViewportSize, least_px: int = 24) -> dict[str, object]:
    """The rules in `LOOKS` for a window of this size."""
    narrow = size["width"] < DESK["width"]
    return {
        "hooks": HOOKS,
        "boxes": BOXES,
        "sideways": SIDEWAYS,
        "layers": LAYERS,
        "figures": FIGURES,
        "leastPx": least_px,
        "leastInAFieldPx": MIN_IN_A_FIELD_PX if narrow else 0,
        "pageScrolls": narrow,
    }
