"""Gestures that are not cards of the game: who must agree to a take-back, what a press means in a pause, the
forgotten *Stop*.

Stands between the filters and the referee's step. Pure: a `Manners` goes in and comes out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.controls import cards_of
from taptable.core.notices import (
    ConsentAsked,
    ConsentGiven,
    ConsentLapsed,
    CorrectionAsked,
    Notice,
    PairingAsked,
    PressUnheard,
    StopForgotten,
)
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation, TimePassed
from taptable.core.verdicts import Verdict
from taptable.referee import checking as checks
from taptable.referee.checking import Checking
from taptable.referee.step import Table
from taptable.referee.taps import ControlTapped

CONSENT_US = 10_000_000
PAIR = "pair"
"""The control that is about the page and no game."""

Outcome: TypeAlias = Observation | Notice


@dataclass(frozen=True, slots=True)
class Consent:
    """A take-back somebody asked for; `asker` is a seat, or 0 where it was asked in the middle of the table."""

    asker: int
    asked_at_us: int

    @property
    def until_us(self) -> int:
        """When it lapses."""
        return self.asked_at_us + CONSENT_US


@dataclass(frozen=True, slots=True)
class Manners:
    """What was asked and is not answered yet, and since when the table has been quiet.

    `reminded` counts how often the player on turn was reminded of *Stop* since then; `remind_us` 0 turns that off.
    While the table is being checked, `checking` takes every tap and press.
    """

    remind_us: int
    consent: Consent | None = None
    quiet_since_us: int = 0
    reminded: int = 0
    checking: Checking | None = None


def use_control(manners: Manners, table: Table, tapped: ControlTapped) -> tuple[Manners, list[Outcome]]:
    """A control card was tapped, or its control asked for elsewhere: a take-back needs another seat's consent. The card
    *pause* also ends a pause, and any card but *pair* ends a check; who asks elsewhere says what is wanted."""
    at_us, control = tapped.at_us, tapped.control
    if control == PAIR:
        return manners, [PairingAsked(at_us)]
    by_card = not tapped.by
    if by_card and control == "pause" and table.paused_at_us is not None and manners.checking is None:
        control = "resume"
    used = _used(table, tapped, control)
    is_move = by_card and used.control in {own.name for own in table.game.controls}
    said: list[Outcome] = []
    if not is_move:
        said.append(CorrectionAsked(at_us, used.control, tapped.pad if by_card else None, tapped.by))
    if manners.checking is not None:
        manners, broken_off = break_off(manners, at_us)
        said += broken_off
        if by_card or control == "check":
            return manners, said
    if control == "check":
        manners, outcomes = _check(manners, table, at_us)
    elif control == "take-back" and table.past is not None:
        consent = Consent(tapped.pad if isinstance(tapped.pad, int) else 0, at_us)
        manners, outcomes = replace(manners, consent=consent), [ConsentAsked(at_us, consent.asker, consent.until_us)]
    elif control == "withdraw":
        manners, outcomes = replace(manners, consent=None), [*_lapse(manners, at_us)]
    else:
        manners, outcomes = replace(manners, consent=None), [*_lapse(manners, at_us), used]
    return manners, [*said, *outcomes]


def _used(table: Table, tapped: ControlTapped, control: str) -> ControlUsed:
    """The control as the game knows it: a card of a game's own may stand for fields too."""
    if not tapped.by and control in (cards := cards_of(table.game.controls)):
        return ControlUsed(tapped.at_us, *cards[control])
    return ControlUsed(tapped.at_us, control, tapped.fields)


def break_off(manners: Manners, at_us: int) -> tuple[Manners, list[Outcome]]:
    """The manners without a check that was under way."""
    if manners.checking is None:
        return manners, []
    return replace(manners, checking=None), checks.break_off(at_us)


def rows_checked(manners: Manners, table: Table, seat: int, at_us: int) -> tuple[Manners, list[Outcome]]:
    """A seat says, without a press, that its team's rows are checked; nothing comes of it without a check."""
    if manners.checking is None:
        return manners, []
    checking, said = checks.rows_done(manners.checking, table, seat, at_us)
    return replace(manners, checking=checking), [*said]


def hand_counted(manners: Manners, table: Table, seat: int, count: int, at_us: int) -> tuple[Manners, list[Outcome]]:
    """A seat says, without presses, how many cards it holds; nothing comes of it without a check."""
    if manners.checking is None:
        return manners, []
    checking, said = checks.hand_told(manners.checking, table, seat, count, at_us)
    return replace(manners, checking=checking), [*said]


def press(manners: Manners, table: Table, pressed: ButtonPressed) -> tuple[Manners, list[Outcome]]:
    """A press that was heard: it grants what was asked, or ends a pause, or is the game's. One that was made before
    the question, or before the pause, was meant for something else."""
    unheard: list[Outcome] = [PressUnheard(pressed.at_us, pressed.seat)]
    if manners.checking is not None:
        checking, said = checks.press(manners.checking, table, pressed)
        return replace(manners, checking=checking), [*said]
    consent = manners.consent
    if (consent is not None or table.paused_at_us is not None) and _is_vacated(table, pressed.seat):
        return manners, unheard
    if consent is not None:
        if pressed.seat == consent.asker or pressed.pressed_at_us < consent.asked_at_us:
            return manners, unheard
        granted = ConsentGiven(pressed.at_us, pressed.seat)
        return replace(manners, consent=None), [granted, ControlUsed(pressed.at_us, "take-back")]
    if table.paused_at_us is not None:
        heard = pressed.pressed_at_us >= table.paused_at_us
        return manners, [ControlUsed(pressed.at_us, "resume")] if heard else unheard
    return manners, [pressed]


def tap(manners: Manners, table: Table, tapped: CardTapped) -> tuple[Manners, list[Outcome]]:
    """A tap: one of the check that is under way, or the game's."""
    if manners.checking is None:
        return manners, [tapped]
    checking, said = checks.tap(manners.checking, table, tapped)
    return replace(manners, checking=checking), [*said]


def settle(
    manners: Manners, before: Table, after: Table, observation: Observation, verdict: Verdict
) -> tuple[Manners, list[Notice]]:
    """The manners after a verdict. Whatever was noticed ends the quiet, and so does what time alone has brought; a
    take-back that was asked for lapses with the move that it was about."""
    if not isinstance(observation, TimePassed) or verdict.announcements:
        manners = replace(manners, quiet_since_us=observation.at_us, reminded=0)
    if after.past is before.past:
        return manners, []
    return replace(manners, consent=None), _lapse(manners, observation.at_us)


def meanings(manners: Manners, table: Table) -> tuple[str | None, ...]:
    """What each seat's button means, seat 1 first: ``grant``, ``resume``, or what the game says."""
    game = table.game.meanings(table.state)
    if manners.checking is not None:
        checked = checks.seats_now(manners.checking)
        return tuple("check" if seat in checked else None for seat in range(1, len(game) + 1))
    if manners.consent is None and table.paused_at_us is None:
        return game
    asked, asker = ("resume", 0) if manners.consent is None else ("grant", manners.consent.asker)
    silent = {asker, *table.scoreboard.vacated}
    return tuple(None if seat in silent else asked for seat in range(1, len(game) + 1))


def deadline(manners: Manners, table: Table) -> int | None:
    """When a question lapses or a reminder is due."""
    due: list[int] = []
    if manners.checking is not None and manners.checking.counted_at_us is not None:
        due.append(manners.checking.counted_at_us)
    if manners.consent is not None:
        due.append(manners.consent.until_us)
    if manners.remind_us and manners.reminded < 2 and _waits_for_stop(manners, table) is not None:
        due.append(manners.quiet_since_us + manners.remind_us * (manners.reminded + 1))
    return min(due, default=None)


def pass_time(manners: Manners, table: Table, now_us: int) -> tuple[Manners, list[Outcome]]:
    """What lapses or is due by now."""
    due_us = deadline(manners, table)
    if due_us is None or due_us > now_us:
        return manners, []
    checking = manners.checking
    if checking is not None and checking.counted_at_us is not None and checking.counted_at_us <= now_us:
        checking, said = checks.pass_time(checking, table, now_us)
        return replace(manners, checking=checking), [*said]
    if manners.consent is not None and manners.consent.until_us <= now_us:
        return replace(manners, consent=None), [*_lapse(manners, now_us)]
    seat = _waits_for_stop(manners, table)
    assert seat is not None
    return replace(manners, reminded=manners.reminded + 1), [StopForgotten(now_us, seat, manners.reminded > 0)]


def _check(manners: Manners, table: Table, at_us: int) -> tuple[Manners, list[Outcome]]:
    """Begin to check the table, which is paused for it; there is nothing to check unless a game runs."""
    if not checks.may_begin(table):
        return manners, checks.break_off(at_us)
    pause: list[Outcome] = [] if table.paused_at_us is not None else [ControlUsed(at_us, "pause")]
    checking, said = checks.begin(table, at_us)
    return replace(manners, checking=checking, consent=None), [*_lapse(manners, at_us), *pause, *said]


def _is_vacated(table: Table, seat: int) -> bool:
    """Does nobody play at this seat any more?"""
    return seat in table.scoreboard.vacated


def _lapse(manners: Manners, at_us: int) -> list[Notice]:
    """What is said where nothing comes of a take-back that was asked for."""
    return [] if manners.consent is None else [ConsentLapsed(at_us)]


def _waits_for_stop(manners: Manners, table: Table) -> int | None:
    """The seat that could press *Stop* now."""
    seats = meanings(manners, table)
    return seats.index("stop") + 1 if "stop" in seats else None
