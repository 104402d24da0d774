"""Cards that are in no deck, and lines that aren't valid."""

from __future__ import annotations

import json

STRANGERS = ["visa", "1.1", "1.1#0", "1.1#01", "set-1#9", "admin", "Admin#1", "online#1", "", "set-1"]
BROKEN = [
    "",
    "   ",
    "nonsense",
    "[]",
    "null",
    "{",
    "{}",
    '{"show": "hands"}',
    '{"show": "state", "at": 1}',
    '{"at": NaN}',
]


def lines(now: int, at: int, players: int) -> list[str]:
    """Lines of which none is valid at a time, in µs; one comes from the past."""
    when = {"at": at / 1_000_000}
    correct = {**when, "control": "correct"}
    some: list[dict] = [
        {**when, "tap": "1.1#1"},
        {**when, "tap": "1.1#1", "pad": players + 1},
        {**when, "tap": "1.1#1", "pad": "demand"},
        {**when, "press": 0},
        {**when, "press": 1, "pressed_at": (at + 1) / 1_000_000},
        {**when, "control": "deal"},
        {**when, "control": "spare", "seat": 1},
        {**when, "control": "reshuffle", "red": 1},
        {**when, "control": "pause", "seat": 1, "red": 1},
        {**correct},
        {**correct, "seat": 1},
        {**correct, "red": 3},
        {**correct, "seat": players + 1, "red": 3},
        {**correct, "seat": 0, "red": 3},
        {**correct, "seat": "1", "red": 3},
        {**correct, "seat": True, "red": 3},
        {**correct, "seat": 1, "red": -1},
        {**correct, "seat": 1, "purple": 1.5},
        {**correct, "seat": 1, "one_points": None},
        {**correct, "seat": 1, "one_points": False},
        {**correct, "seat": 1, "red": "4"},
        {**correct, "seat": 1, "red": 4, "points": 4},
        {**correct, "seat": 1, "red": 4, "pad": 1},
        {"control": "correct", "seat": 1, "red": 4},
        {**correct, "at": (now - 1) / 1_000_000, "seat": 1, "red": 4},
        {"at": (now - 1) / 1_000_000, "control": "spare"},
        {"at": (now - 1) / 1_000_000, "press": 1},
    ]
    return [*BROKEN, *(json.dumps(one) for one in some)]
