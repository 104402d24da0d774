"""What the oracle remembers of a game, a dictionary that is changed in place, and how the page shows it."""

from __future__ import annotations

from typing import Any


def copied(value: Any) -> Any:
    """A copy that shares nothing with what it is copied from."""
    if isinstance(value, dict):
        return {key: copied(one) for key, one in value.items()}
    return [copied(one) for one in value] if isinstance(value, list) else value


def new_game(players: int, deck: dict[str, dict]) -> dict:
    """S2.3; `at` and `began` are microseconds, `launch` what S5.2 opens."""
    sets = sum(card["kind"] == "set" for card in deck.values())
    return {
        "seat": None,
        "draw": None,
        "used": [],
        "began": 0,
        "teams": {
            seat: {"one_points": 0, "sets": [], "red": 5, "purple": 2, "points": 0} for seat in range(1, players + 1)
        },
        "discard": [],
        "window": None,  # attacker, defender, card, opened, closes
        "pending": None,
        "laying": None,  # card, red, began
        "launch": None,  # card, began, until
        "owed": 0,
        "red_pile": len(deck) - sets - 5 * players,
        "purple_pile": sets - 2 * players,
        "outcome": None,
    }


def public_state(game: dict, *, paused: bool) -> dict:
    """The object that `{"show": "state"}` answers with; nothing in it is shared with the game."""
    window = game["window"]
    if window is not None:
        window = {
            "attacker": window["attacker"],
            "defender": window["defender"],
            "card": window["card"],
            "opened_at": window["opened"] / 1_000_000,
            "closes_at": window["closes"] / 1_000_000,
        }
    laying = game["laying"]
    return copied(
        {
            "turn": {"seat": game["seat"], "draw": game["draw"], "used": game["used"]},
            "teams": [{"seats": [seat], **team} for seat, team in game["teams"].items()],
            "discard": game["discard"],
            "window": window,
            "pending": game["pending"],
            "laying": None if laying is None else {"card": laying["card"], "red": laying["red"]},
            "launch_until": None if game["launch"] is None else game["launch"]["until"] / 1_000_000,
            "owed": game["owed"],
            "red_pile": game["red_pile"],
            "purple_pile": game["purple_pile"],
            "paused": paused,
            "outcome": game["outcome"],
        }
    )
