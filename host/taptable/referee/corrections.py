"""Finds out which corrections are possible at a table now, and why others aren't, for the page. It tries a correction
on a copy of the table and drops the copy. Pure. Must not change the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taptable.core.observations import Arrangement, CardLost, CardRecovered, ControlUsed, SeatVacated, TableCorrected
from taptable.core.scoreboard import Scoreboard
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.referee.checking import may_begin, seats_now
from taptable.referee.session import Session
from taptable.referee.step import step

CONTEXT = "correcting"
"""The context of the catalogues for this module's own objections."""
CORRECTION_CONTROLS = ("take-back", "reshuffle", "pause", "resume", "end-game")
"""Verbs that are a control of every game, or may be one of a game's own."""

ARRANGEMENT_TYPES: Mapping[str, type[Arrangement]] = {
    "check": TableCorrected,
    "lost": CardLost,
    "recovered": CardRecovered,
    "vacate": SeatVacated,
}
"""Arrangements by their verb; not every game supports each."""


@dataclass(frozen=True, slots=True)
class Objection:
    """The reason why something can't be done: a sentence by its context, key and facts."""

    context: str
    key: str
    facts: Mapping[str, Any]


def find_objection(session: Session, verb: str, about: int | str | None = None) -> Objection | None:
    """Return why `verb` can't be done now, None if it can; `about` is the seat to be vacated, or the card."""
    prompts, table = session.prompts, session.table
    if verb in ARRANGEMENT_TYPES and ARRANGEMENT_TYPES[verb] not in table.game.arrangements:
        return Objection("verdict", "not-in-this-game", {})
    if session.enrolment is not None:
        return Objection("notice", "discard-pad-taken", {})
    if verb == "break-off":
        return None if prompts.checking is not None else make_objection("not-checking")
    if prompts.checking is not None:
        return make_objection("checking")
    if verb == "withdraw":
        return None if prompts.consent is not None else make_objection("nothing-asked")
    if verb == "take-back" and prompts.consent is not None:
        return make_objection("asked-already")
    needs_game = verb == "check" or (verb in ("pause", "resume") and table.paused_at_us is None)
    if needs_game and not may_begin(table):
        return _try_step(session, "end-game", None) or make_objection(
            "no-game-runs"
        )  # the game's own reason why no game runs
    return None if verb == "check" else _try_step(session, verb, about)


def find_rows_objection(session: Session, seat: int) -> Objection | None:
    """Return why the rows of a seat's team can't be confirmed now, None if they can."""
    checking = session.prompts.checking
    if checking is None:
        return make_objection("not-checking")
    if not checking.teams:
        return make_objection("hands-now", seats=seats_now(checking))
    return None if seat in checking.teams[0] else make_objection("others-now", seats=checking.teams[0])


def find_hand_objection(session: Session, seat: int) -> Objection | None:
    """Return why a seat's hand can't be counted now, None if it can."""
    checking = session.prompts.checking
    if checking is None:
        return make_objection("not-checking")
    if checking.teams:
        return make_objection("rows-now", seats=checking.teams[0])
    return None if (seat,) == seats_now(checking) else make_objection("others-now", seats=seats_now(checking))


def scoreboard_if_ended(session: Session) -> Scoreboard:
    """Return the scoreboard as it would be if the game ended now."""
    table, _ = step(session.table, ControlUsed(_now_us(session), "end-game"))
    return table.scoreboard


def _now_us(session: Session) -> int:
    return max(session.at_us, session.table.at_us)


def _try_step(session: Session, verb: str, about: int | str | None) -> Objection | None:
    """Return the referee's objection; arrangements are tried on the game alone."""
    at_us, table = _now_us(session), session.table
    match verb, about:
        case "vacate", int():
            result = table.game.play(table.state, SeatVacated(at_us, about))
        case "lost", str():
            result = table.game.play(table.state, CardLost(at_us, about))
        case "recovered", str():
            result = table.game.play(table.state, CardRecovered(at_us, about))
        case _:
            _, result = step(table, ControlUsed(at_us, verb))
    return Objection("verdict", result.code, result.facts) if isinstance(result, Refused | Ignored | Fault) else None


def make_objection(key: str, **facts: Any) -> Objection:
    """Build an objection of this module's context."""
    return Objection(CONTEXT, key, facts)
