"""The patterns of a ring, drawn by what draws them on the seat boards, for the page to play: of each its colour and one
round of its frames, and where it runs over a time, how many pixels are lit by what is left. Knows no seat and no
browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapshared.lights import FILLING, ONCE, PATTERNS, STILL, Pattern
from tapshared.ring_frames import RingFrames
from tapshared.ticks import PERIOD

PIXELS = 12
FRAME_MS = 40
"""From one frame to the next; the page moves evenly in between."""
PARTS = 96
"""Into so many parts the time of a pattern that runs is divided."""


def rings() -> Mapping[str, Any]:
    """All patterns, ready for JSON. A frame is two hex digits a pixel, brightness to the eye from 00 to ff; those of
    `frames` are one round of `period_ms`, which comes `once` or again and again, those of `left` go from no time left
    to the whole.
    """
    return {"pixels": PIXELS, "patterns": {name: _shown(name, pattern) for name, pattern in PATTERNS.items()}}


def _shown(name: str, pattern: Pattern) -> Mapping[str, Any]:
    red, green, blue = pattern.colour
    return {
        "colour": f"#{red:02x}{green:02x}{blue:02x}" if pattern.level else None,
        "period_ms": pattern.period_ms,
        "once": pattern.movement in ONCE,
        "frames": _round(name, pattern),
        "left": [_frame(name, left, PARTS) for left in range(PARTS + 1)] if pattern.runs else None,
    }


def _round(name: str, pattern: Pattern) -> list[str]:
    """One round of the movement, from its first frame to the first again, or to the last where it comes once."""
    if pattern.movement == STILL:
        return [_frame(name, *_all_lit(pattern))]
    count = max(2, pattern.period_ms // FRAME_MS)
    return [
        _frame(name, *_all_lit(pattern), now_us=pattern.period_ms * 1000 * number // count)
        for number in range(count + 1)
    ]


def _all_lit(pattern: Pattern) -> tuple[int, int]:
    """What is left of which whole while all pixels of the pattern are lit, for as long as a round takes."""
    return (0, 1) if pattern.pixels == FILLING else (PERIOD - 1, PERIOD - 1)


def _frame(name: str, left_ms: int, whole_ms: int, now_us: int = 0) -> str:
    ring = RingFrames(PIXELS)
    ring.show(name, left_ms, whole_ms, 0)
    ring.advance(now_us)
    return bytes(ring.level(pixel) for pixel in range(PIXELS)).hex()
