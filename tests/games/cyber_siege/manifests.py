"""Small decks of Cyber Siege, in which piles soon run out and every effect occurs."""

from __future__ import annotations

import json


def attack(copies: int, effect: str, **more: object) -> dict[str, object]:
    return {"kind": "attack", "copies": copies, "icon": {"effect": effect, **more}}


def defence(copies: int) -> dict[str, object]:
    return {"kind": "defence", "copies": copies}


TIGHT = {
    "game": "cyber-siege",
    "name": "tight",
    "admins": 1,
    "sets": {"1": {"copies": 3, "cards": ["1.1", "1.3"]}, "2": {"copies": 3, "cards": ["2.1", "2.1", "2.3"]}},
    "red": {"1.1": attack(3, "skip"), "1.3": defence(3), "2.1": attack(4, "discard", n=2), "2.3": defence(3)},
}
"""For two players, with the fewest cards possible; a set needs one name twice."""

WORDY = {
    "game": "cyber-siege",
    "name": "wordy",
    "admins": 0,
    "sets": {"7": {"copies": 9, "cards": ["7.10"]}},
    "red": {
        "7.10": {**attack(8, "text", say={"en": "Sing.", "de": "Singt."}), "title": "Noise"},
        "7.2": attack(4, "draw-fewer", n=2),
        "7.3": attack(3, "lose-points", n=3),
        "7.4": defence(5),
    },
}
"""For up to three players; sets of one card, and no admin."""

MANIFESTS = tuple(json.dumps(manifest) for manifest in (TIGHT, WORDY))
