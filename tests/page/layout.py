"""Whether the page that a browser shows overflows its window or its boxes, cuts off words, or lets things lie over one
another."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

LOOKS = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
SIZES = (DESK, PHONE)

HOOKS = "[data-seat], [data-team], [data-pile], [data-pad], button[data-card], [data-score], [data-tab], button, select"
"""What has a place of its own: none of these lies over another that isn't in it."""
BOXES = "button:not([data-card]), [data-seat], [data-team], [data-pile], [data-panel], [data-hand], dialog, header, li"
"""What keeps its words within its borders."""
SIDEWAYS = "[data-hand], [data-hand] *, [data-figures], [data-figures] *, [data-wire], [data-nav]"
"""What may be scrolled sideways."""
LEAST_IN_A_FIELD_PX = 16
"""Letters below which a phone's browser zooms into a field."""
LAYERS = ".menu-list, #settings"
"""What opens over the rest and closes again."""


def layout_faults(page: Page, least_px: int = 24) -> list[str]:
    """What is wrong with how the page is laid out in its window, as sentences; controls smaller than `least_px` are,
    and on a narrow window fields with small letters.
    Only on a narrow window the page itself may be scrolled, up and down."""
    assert page.viewport_size is not None
    return page.evaluate(LOOKS, rules_for(page.viewport_size, least_px))


def rules_for(size: ViewportSize, least_px: int = 24) -> dict[str, object]:
    """What `LOOKS` is given in a window of this size."""
    narrow = size["width"] < DESK["width"]
    return {
        "hooks": HOOKS,
        "boxes": BOXES,
        "sideways": SIDEWAYS,
        "layers": LAYERS,
        "leastPx": least_px,
        "leastInAFieldPx": LEAST_IN_A_FIELD_PX if narrow else 0,
        "pageScrolls": narrow,
    }
