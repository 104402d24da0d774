"""What is legal, read off the state and not found by trying: a second formulation of the taps that are accepted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .referee import Oracle


def legal_taps(oracle: Oracle) -> list[list[str | int]]:
    """Every [card, pad] that would now be accepted, sorted as referee-jsonl.md says."""
    taps = [[card, pad] for cards, pad in _taps(oracle) for card in cards]
    return sorted(taps, key=lambda tap: (tap[0], str(tap[1])))


def legal_controls(oracle: Oracle) -> list[dict[str, str]]:
    """What the page lists under `controls`."""
    game = oracle.game
    if game["seat"] is None or game["outcome"] is not None or game["window"] is not None:
        return []
    if game["pending"] == "launch":
        return [{"control": "spare"}]
    due = game["pending"] in (None, "reshuffle") and game["red_pile"] == 0 and game["discard"]
    return [{"control": "reshuffle"}] if due else []


def _taps(oracle: Oracle) -> list[tuple[list[str], int | str]]:
    """Cards and the pad on which each of them may be tapped."""
    game, seat = oracle.game, oracle.game["seat"]
    if seat is None or game["outcome"] is not None or game["pending"] in ("reshuffle", "launch"):
        return []
    laid = [card for team in game["teams"].values() for card in team["sets"]]
    laying = game["laying"] or {"card": None, "red": []}
    seen = {*game["discard"], *laid, laying["card"], *laying["red"]}
    hidden = {
        kind: [card for card, one in oracle.deck.items() if one["kind"] == kind and card not in seen]
        for kind in ("set", "attack", "defence", "admin")
    }
    red = [*hidden["attack"], *hidden["defence"], *hidden["admin"]]
    if game["window"] is not None:
        defender, number = game["window"]["defender"], oracle.deck[game["window"]["card"]]["set"]
        fitting = [card for card in hidden["defence"] if oracle.deck[card]["set"] == number]
        return [([*fitting, *hidden["admin"]], defender)] if game["teams"][defender]["red"] else []
    if game["pending"] == "discard":
        return [(red, "discard")]
    hand = game["teams"][seat]
    if game["pending"] == "set":
        lacking = Counter(oracle.deck[laying["card"]]["cards"])
        lacking.subtract(oracle.deck[card]["name"] for card in laying["red"])
        fitting = [card for card in red if lacking[oracle.deck[card]["name"]] > 0]
        return [([*fitting, *hidden["admin"]], seat)] if hand["red"] else []
    top = [card for card in game["discard"][-1:] if game["draw"] is None and card not in game["used"]]
    if game["draw"] is None and game["red_pile"] == 0:
        return [(top, seat)]
    sets = hidden["set"] if hand["purple"] else []
    return [(top, seat), (sets, seat), (red if hand["red"] or game["draw"] is None else [], "discard")]
