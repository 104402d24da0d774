"""The rings on the page play what is drawn for the seat boards: there is no other table of colours and movements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tapshared.lights import ONCE, RING_PATTERNS, STILL
from tapshared.ring_frames import RingFrames
from taptable.sim.page import hardware as drawn

from page.module_server import serving

STATIC = Path(drawn.__file__).with_name("static")
MAX_OFF = 0.03
"""The page moves evenly from one of its frames to the next, in hundredths."""

SHOW = """async ([rings, shown, now_us]) => {
  const { makeRing } = await import("/demo/rings.js");
  const ring = makeRing(rings, () => now_us);
  document.body.replaceChildren(ring.element);
  ring.show(shown);
  await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll(".pixel")].map((pixel) => ({
    still: Number(pixel.style.opacity),
    lit: pixel.style.getPropertyValue("--lit"),
    colour: getComputedStyle(pixel).color,
    played: pixel.getAnimations().map((each) => ({
      steps: each.effect.getKeyframes().map((step) => Number(step.opacity)),
      period_ms: each.effect.getTiming().duration,
      again: each.effect.getTiming().iterations > 1,
    })),
  }));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    empty = {"body": "<!doctype html><title>ring</title>"}
    with serving(browser, {"/": empty}) as page:
        yield page


def shown(page: Page, name: str, left_us: int = 0, *, motion: str = "no-preference") -> list[dict[str, Any]]:
    page.emulate_media(reduced_motion=motion)
    run = {"ends_us": 1_000_000 + left_us, "whole_us": 4_000_000} if RING_PATTERNS[name].is_timed else {}
    return page.evaluate(SHOW, [drawn.ring_patterns(), {"pattern": name, **run}, 1_000_000])


def on_a_board(name: str, now_us: int) -> list[float]:
    """The pixels of a board's ring at that time, as the page would have them, with all lit that it may light."""
    frames = RingFrames(12)
    whole_ms = 1 << 29
    frames.show(name, 0 if name == "holding" else whole_ms, whole_ms, 0)
    frames.advance(now_us)
    return [max(0.08, frames.level(pixel) / 255) for pixel in range(12)]


@pytest.mark.parametrize("name", RING_PATTERNS)
def test_a_ring_plays_what_a_seat_board_shows(page: Page, name: str) -> None:
    pattern = RING_PATTERNS[name]
    pixels = shown(page, name, 4_000_000)
    assert len({pixel["colour"] for pixel in pixels}) == 1
    if name != "off":
        assert re.findall(r"\d+", pixels[0]["colour"]) == [str(part) for part in pattern.colour]
    if pattern.movement == STILL:
        assert [pixel["played"] for pixel in pixels] == [[]] * 12
        assert [pixel["still"] for pixel in pixels] == pytest.approx(on_a_board(name, 0), abs=MAX_OFF)
        return
    plays = [played for pixel in pixels for played in pixel["played"]]
    assert len(plays) == 12
    assert {(play["period_ms"], play["again"]) for play in plays} == {(pattern.period_ms, pattern.movement not in ONCE)}
    count = len(plays[0]["steps"]) - 1
    for step in range(count):
        at_us = pattern.period_ms * 1000 * step // count
        assert [play["steps"][step] for play in plays] == pytest.approx(on_a_board(name, at_us), abs=MAX_OFF), step


def test_what_runs_is_lit_by_what_is_left(page: Page) -> None:
    for name in ("window", "claim"):
        assert [float(pixel["lit"]) for pixel in shown(page, name, 2_000_000)] == [1] * 6 + [0.08] * 6
    assert [float(pixel["lit"]) for pixel in shown(page, "holding", 1_000_000)] == [1] * 9 + [0.08] * 3
    assert {pixel["lit"] for pixel in shown(page, "your-turn")} == {""}


def test_without_movement_any_two_patterns_still_differ(page: Page) -> None:
    still = {}
    for name in RING_PATTERNS:
        pixels = shown(page, name, 3_000_000, motion="reduce")
        assert [pixel["played"] for pixel in pixels] == [[]] * 12
        still[name] = str(pixels)
    assert len(set(still.values())) == len(RING_PATTERNS)
    signs = page.evaluate("async () => (await import('/demo/rings.js')).SYMBOLS")
    assert set(signs) == set(RING_PATTERNS)
    assert len(set(signs.values())) == len(RING_PATTERNS)


def test_no_style_sheet_has_a_pattern_of_its_own() -> None:
    for sheet in STATIC.glob("*.css"):
        assert not re.findall(r"data-ring=", sheet.read_text(encoding="utf-8")), sheet.name
