"""The table's present status for spectators: a title, and a sentence on what can be done. This module chooses the key
of both; the catalogues have the texts, the game's own those about a turn. Pure. Must not know who shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from taptable.core.scoreboard import HAND, Scoreboard
from taptable.narration.updates import Alerts
from taptable.referee.checking import seats_now
from taptable.referee.session import Session
from taptable.words import Words


def _no_facts() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Now:
    """The key of the status in the catalogues, and the facts of its sentences."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=_no_facts)

    def title(self, words: Words) -> str:
        """Return a few words."""
        return _capitalize(words.text("now", self.key, self.facts))

    def detail(self, words: Words) -> str:
        """Return a sentence or two; "" if there is nothing more to say."""
        if words.message("can", self.key) is None:
            return ""
        return _capitalize(words.text("can", self.key, self.facts))


def now_of(session: Session, board: Scoreboard, alerts: Alerts = MappingProxyType({})) -> Now:
    """Return the present status of the table."""
    prompts = session.prompts
    if session.enrolment is not None:
        return Now("desk", {"deck": session.enrolment.deck, "how": session.enrolment.how})
    if "deck" in alerts:
        return Now("deckless")
    if prompts.checking is not None:
        seats = seats_now(prompts.checking)
        if prompts.checking.teams:
            return Now("check", {"seats": seats})
        _, count, name = prompts.checking.hands[0]
        if name != HAND:
            return Now("check-count", {"seat": seats[0], "count": count, "counted": name})
        return Now("check-hand", {"seat": seats[0], "count": count})
    if prompts.consent is not None:
        return Now("consent", {"pad": prompts.consent.requester or "none"})
    return now_of_board(board, paused=session.table.paused_at_us is not None)


def now_of_board(board: Scoreboard, *, paused: bool) -> Now:
    """Return the status of a game by its scoreboard alone."""
    if paused:
        return Now("paused")
    if board.over:
        seats = tuple(seat for team in board.teams if team.place == 1 for seat in team.seats)
        return Now("over", {"winner": seats})
    if board.seat is None:
        return Now("youngest")
    if (window := board.window) is not None:
        if window.claim_seat is not None:
            return Now("claim", {"seat": window.claim_seat, "tied": window.tied})
        if window.pressed_seats:
            return Now("pressed", {"seat": window.pressed_seats[0]})
        return Now("window", {"seat": window.seat, "kind": window.kind, "answerer": window.answerer})
    # the first of these that has words decides
    stock = {count.name.replace("-", "_"): count.have for count in board.stock}
    facts = {"seat": board.seat, **dict(board.pending_facts), **stock, "allowance_left": board.allowance_left}
    return Now(board.pending or "turn", facts)


def _capitalize(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
