"""How a tap is judged: one function for each row of the page's table, in its order.

A row answers with a verdict, with what then happens (`yes`), or with None if it doesn't fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .referee import Oracle


@dataclass
class Tap:
    oracle: Oracle
    card: str
    pad: int | str

    @property
    def game(self) -> dict:
        return self.oracle.game

    @property
    def is_set(self) -> bool:
        return self.oracle.deck[self.card]["kind"] == "set"

    @property
    def is_hidden(self) -> bool:
        return self.oracle.is_hidden(self.card)


def judge(tap: Tap) -> tuple:
    """(verdict, rule, code), or ("accepted", what to do at a time)."""
    for row in ROWS:
        answer = row(tap)
        if answer is not None:
            return answer
    if tap.is_set:
        return yes(tap.oracle.lay_set_card, tap.card)
    return yes(tap.oracle.discard if tap.pad == "discard" else tap.oracle.lay_red_card, tap.card)


def no(rule: str, code: str) -> tuple:
    return "refused", rule, code


def yes(act, card: str) -> tuple:
    return "accepted", lambda at: act(card, at)


def unknown(tap: Tap) -> tuple | None:
    return None if tap.card in tap.oracle.deck else ("fault", None, "unknown-card")


def not_playing(tap: Tap) -> tuple | None:
    return tap.oracle.not_playing()


def already_there(tap: Tap) -> tuple | None:
    game = tap.game
    there = list(game["discard"] if tap.pad == "discard" else game["teams"][tap.pad]["sets"])
    if tap.pad == game["seat"]:
        there += game["used"]
        if game["laying"] is not None:
            there += [game["laying"]["card"], *game["laying"]["red"]]
    return ("ignored", None, "already-there") if tap.card in there else None


def something_waits(tap: Tap) -> tuple | None:
    if tap.game["pending"] == "reshuffle":
        return no("S3.4", "reshuffle-due")
    if tap.game["pending"] == "launch":
        return no("S5.3", "launch-open")
    return None


def defence(tap: Tap) -> tuple | None:
    window = tap.game["window"]
    if window is None:
        return None
    if tap.pad != window["defender"] or not tap.is_hidden:
        return no("S6.1", "defence-awaited")
    if not tap.oracle.defends(tap.card, window["card"]):
        return no("S6.2", "no-defence")
    if tap.game["teams"][window["defender"]]["red"] == 0:
        return no("S8.1", "hand-used-up")
    return yes(tap.oracle.defend, tap.card)


def discard_owed(tap: Tap) -> tuple | None:
    if tap.game["pending"] != "discard":
        return None
    if tap.pad != "discard" or not tap.is_hidden or tap.is_set:
        return no("S6.6", "discard-owed")
    return yes(tap.oracle.discard_what_is_owed, tap.card)


def from_discard_pile(tap: Tap) -> tuple | None:
    if tap.card not in tap.game["discard"] or tap.pad != tap.game["seat"]:
        return None
    if tap.game["draw"] is not None:
        return no("S3.2", "already-drawn")
    if tap.card != tap.game["discard"][-1]:
        return no("S3.2", "not-on-top")
    return yes(tap.oracle.draw_from_discard_pile, tap.card)


def lies_elsewhere(tap: Tap) -> tuple | None:
    return None if tap.is_hidden else no("S8.2", "lies-elsewhere")


def not_on_turn(tap: Tap) -> tuple | None:
    return no("S3.1", "not-on-turn") if tap.pad not in ("discard", tap.game["seat"]) else None


def nothing_to_draw(tap: Tap) -> tuple | None:
    due = tap.game["draw"] is None and tap.game["red_pile"] == 0
    return no("S3.4", "reshuffle-due") if due else None


def set_open(tap: Tap) -> tuple | None:
    if tap.game["pending"] == "set" and (tap.pad == "discard" or tap.is_set):
        return no("S4.4", "set-open")
    return None


def set_card_discarded(tap: Tap) -> tuple | None:
    return no("S5.1", "not-a-red-card") if tap.pad == "discard" and tap.is_set else None


def red_card_on_own_pad(tap: Tap) -> tuple | None:
    if tap.pad == "discard" or tap.is_set:
        return None
    if tap.game["pending"] != "set":
        return no("S4.1", "set-card-first")
    return None if tap.oracle.is_missing(tap.card) else no("S4.2", "not-in-set")


def hand_used_up(tap: Tap) -> tuple | None:
    hand = tap.game["teams"][tap.game["seat"]]
    left = hand["purple"] if tap.is_set else hand["red"] + (tap.game["draw"] is None)
    return no("S8.1", "hand-used-up") if left == 0 else None


ROWS = (
    unknown,
    not_playing,
    already_there,
    something_waits,
    defence,
    discard_owed,
    from_discard_pile,
    lies_elsewhere,
    not_on_turn,
    nothing_to_draw,
    set_open,
    set_card_discarded,
    red_card_on_own_pad,
    hand_used_up,
)
