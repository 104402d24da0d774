"""A visitor of the scoreboard for another screen, the sizes at which it is looked at, and how large its figures are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ViewportSize
from taptable.core.notices import PlayersNamed

from page.layout import layout_faults
from page.threaded_table import ThreadedTable
from page.visitor import Visitor, visiting

SMALL_TABLET: ViewportSize = {"width": 1024, "height": 600}
SIZES: tuple[ViewportSize, ...] = (
    {"width": 740, "height": 360},
    {"width": 768, "height": 1024},
    SMALL_TABLET,
    {"width": 1366, "height": 625},
    {"width": 1920, "height": 969},
)
LONG_NAMES = (
    "Wolfeschlegelsteinhausen",
    "Maximiliane-Christophine",
    "Bo",
    "Jean-Christophe-Baptiste",
    "Ada",
    "Anne-Sophie Müller-Lüden",
)
"""Names as long as they can be, and short ones."""

MM_PER_PX = 154.0 / 1024
"""The pixels of a screen of 7 inches with 1024 × 600 of them."""
INK = """(hook) => [...document.querySelectorAll(hook)].map((element) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return pen.measureText("0").actualBoundingBoxAscent;
})"""


AT_REST = """
  const setTimeoutNow = window.setTimeout;
  window.setTimeout = (task, ms, ...given) => setTimeoutNow(task, ms >= 45_000 ? 0 : ms, ...given);
"""
"""Lets the switch for the sound and the hint about the device's settings disappear at once."""


@contextmanager
def looking_at_the_scoreboard(
    browser: Browser, table: ThreadedTable, asked: str = "", size: ViewportSize = SMALL_TABLET, **more: Any
) -> Iterator[Visitor]:
    """A visitor of the scoreboard of a table, with these options in the address, who sees the result of everything that
    happens there."""
    address = f"{table.address}scoreboard{asked and '?' + asked}"
    with visiting(browser, address, size, welcomed=False, **more) as visitor, table.seen_by(visitor):
        yield visitor


def names_everybody_at_length(table: ThreadedTable, players: int) -> None:
    """Give every player a name."""
    daemon = table.harness.daemon
    table.ask(lambda: daemon.controller.note(PlayersNamed(daemon.clock.now_us(), LONG_NAMES[:players])))
    table.is_seen()


def faults_at_every_size(visitor: Visitor) -> list[str]:
    """The faults of the layout, each with the size of the window; there the page itself never scrolls."""
    found: list[str] = []
    for size in SIZES:
        resizes(visitor, size)
        sticking_out = visitor.page.evaluate(
            "() => ['Width', 'Height'].map(each => document.documentElement[`scroll${each}`] - window[`inner${each}`])"
        )
        if max(sticking_out) > 0:
            found.append(f"{size}: it scrolls")
        found += [f"{size['width']} × {size['height']}: {fault}" for fault in layout_faults(visitor.page)]
    resizes(visitor, SMALL_TABLET)
    return found


def resizes(visitor: Visitor, size: ViewportSize) -> None:
    """Change the window's size, and wait until the scoreboard is drawn for it."""
    visitor.page.set_viewport_size(size)
    visitor.next_frame()
    visitor.next_frame()


def heights_mm(visitor: Visitor, hook: str) -> list[float]:
    """The heights of figures on a screen of 7 inches, in millimetres."""
    return [px * MM_PER_PX for px in visitor.page.evaluate(INK, hook)]
