"""The sample deck: the counts of the printed game with cards of its own, until somebody describes the real ones."""

from __future__ import annotations

import json
from typing import Any

SETS = ("1", "2", "3", "4")
COPIES = {"1": (5, 4, 5, 4), "2": (5, 4, 5, 4), "3": (5, 4, 5, 4), "4": (4, 4, 4, 4)}
"""How many there are of each red card of a set: two attacks, two defences."""

ICONS: dict[str, dict[str, Any]] = {
    "1.2": {"effect": "lose-points", "n": 1},
    "2.2": {"effect": "skip"},
    "3.2": {"effect": "discard", "n": 1},
    "4.2": {"effect": "draw-fewer", "n": 1},
}


def _red(name: str, index: int, copies: int) -> dict[str, Any]:
    if index > 2:
        return {"kind": "defence", "copies": copies}
    return {"kind": "attack", "copies": copies, "icon": ICONS.get(name, {"effect": "none"})}


def _manifest() -> dict[str, Any]:
    names = {number: [f"{number}.{index}" for index in range(1, 5)] for number in SETS}
    return {
        "game": "cyber-siege",
        "name": "sample",
        "admins": 4,
        "sets": {number: {"copies": 5, "cards": names[number]} for number in SETS},
        "red": {
            name: _red(name, index, COPIES[number][index - 1])
            for number in SETS
            for index, name in enumerate(names[number], 1)
        },
    }


SAMPLE = json.dumps(_manifest(), indent=1)
"""The sample manifest as JSON (S1, *The sample deck*)."""
