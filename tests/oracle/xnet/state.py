"""What the oracle remembers of a game: the very object that `{"show": "state"}` answers with, but for the pause."""

from __future__ import annotations

from typing import Any


class No(Exception):
    """A refusal, by rule and code."""

    def __init__(self, rule: str, code: str) -> None:
        super().__init__(f"{rule} {code}")
        self.rule = rule
        self.code = code


class Nothing(Exception):
    """Ignored: it has no meaning now. A code only where the page, or the format, gives one."""

    def __init__(self, code: str | None = None) -> None:
        super().__init__(code)
        self.code = code


class Unknown(Exception):
    """A card that isn't in the deck."""


def fresh(players: int, number_of_cards: int) -> dict:
    """X1.1, before the starter is known."""
    return {
        "turn": fresh_turn(None, "setup"),
        "discard": [],
        "draw_pile": number_of_cards - 5 * players,
        "specialists": 16,
        "demand": [],
        "pending": None,
        "outcome": None,
        "teams": [
            {
                "seats": [seat],
                "points": 0,
                "users": 0,
                "net": 4,
                "servers": 1,
                "streamers": 0,
                "topics": [],
                "hand": 5,
            }
            for seat in range(1, players + 1)
        ],
    }


def fresh_turn(seat: int | None, phase: str) -> dict:
    return {"seat": seat, "phase": phase, "new": False, "replaced": False, "must_offer": None, "owed": 0}


def copied(part: Any) -> Any:
    """A copy with nothing shared, of what JSON can say."""
    if isinstance(part, dict):
        return {key: copied(value) for key, value in part.items()}
    return [copied(one) for one in part] if isinstance(part, list) else part
