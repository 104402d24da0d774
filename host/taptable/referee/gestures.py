"""The gestures with a meaning beside the game: consent to a take-back, a press in a pause, the start of a check, and
the reminder of a forgotten *Stop*. Stands between the filters (`taps`, `buttons`) and the referee's step: returns the
observations for the referee, and notices. Pure: takes a `PendingPrompts` and returns a new one. Must not know a rule of
a game or a device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.announcements import BuzzHeard
from taptable.core.controls import control_cards
from taptable.core.notices import (
    ButtonAdvised,
    ConsentAsked,
    ConsentGiven,
    ConsentLapsed,
    CorrectionAsked,
    NothingToPause,
    Notice,
    PadSilent,
    PairingAsked,
    PressUnheard,
    StopForgotten,
    TimeRunsOut,
)
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation, Pad, TimePassed
from taptable.core.verdicts import Verdict
from taptable.referee import checking as checks
from taptable.referee.checking import Checking
from taptable.referee.step import Table, starts_new_game
from taptable.referee.taps import ControlTapped

CONSENT_US = 10_000_000
"""How long a take-back waits for another seat's consent."""
MINUTE_US = 60_000_000
SILENT_US = 4 * MINUTE_US
"""After this long without any event where a turn is played, people are asked whether the pad reads cards. Cards that
are tapped to no effect leave no other trace of a reader whose receiver is dead."""
WARNING_MINUTES = (5, 1)
"""When the table warns that an agreed length of the game is nearly over: with this many minutes left. The game itself
sets the end (`Scoreboard.ends_at_us`)."""
PAIR = "pair"
"""The control that concerns the page and no game."""

GestureOutcome: TypeAlias = Observation | Notice


@dataclass(frozen=True, slots=True)
class Consent:
    """A take-back that waits for another seat's consent. `requester` is the seat that asked for it, or 0 if somebody
    asked in the middle of the table."""

    requester: int
    asked_at_us: int

    @property
    def until_us(self) -> int:
        """When the request lapses."""
        return self.asked_at_us + CONSENT_US


@dataclass(frozen=True, slots=True)
class PendingPrompts:
    """Questions that nobody has answered yet, and since when the table has been quiet.

    `reminder_count` counts the reminders of *Stop* to the player on turn since then; `remind_us` 0 turns them off.
    While the table is being checked, `checking` takes every tap and press. Each warning that time runs out has been
    given for moments up to `time_warned_until_us`. `is_silence_reported`: `PadSilent` was reported since the table is
    quiet. `uncertain_pad` is the pad of this game at which a card with an uncertain stamp last counted as a press, and
    `is_button_advised`: `ButtonAdvised` was reported since the game began."""

    remind_us: int
    consent: Consent | None = None
    quiet_since_us: int = 0
    reminder_count: int = 0
    checking: Checking | None = None
    time_warned_until_us: int = 0
    is_silence_reported: bool = False
    uncertain_pad: Pad | None = None
    is_button_advised: bool = False


def use_control(
    prompts: PendingPrompts, table: Table, tapped: ControlTapped
) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Handle a control card, or its control requested elsewhere; a take-back needs another seat's consent. The card
    *pause* also ends a pause, and any card but *pair* ends a check; requests from elsewhere name exactly what they
    want. Where no game runs there is nothing to pause."""
    at_us, control = tapped.at_us, tapped.control
    if control == PAIR:
        return prompts, [PairingAsked(at_us)]
    by_card = not tapped.by
    if by_card and control == "pause" and table.paused_at_us is not None and prompts.checking is None:
        control = "resume"
    used = _resolve_control(table, tapped, control)
    is_move = by_card and used.control in {own.name for own in table.game.controls}
    notices: list[GestureOutcome] = []
    if not is_move:
        notices.append(CorrectionAsked(at_us, used.control, tapped.pad if by_card else None, tapped.by))
    if prompts.checking is not None:
        prompts, broken_off = break_off(prompts, at_us)
        notices += broken_off
        if by_card or control == "check":
            return prompts, notices
    if control == "check":
        prompts, outcomes = _check(prompts, table, at_us)
    elif control == "take-back" and table.undo_entry is not None:
        consent = Consent(tapped.pad if isinstance(tapped.pad, int) else 0, at_us)
        prompts, outcomes = (
            replace(prompts, consent=consent),
            [ConsentAsked(at_us, consent.requester, consent.until_us)],
        )
    elif control == "withdraw":
        prompts, outcomes = replace(prompts, consent=None), [*_lapse_notices(prompts, at_us)]
    else:
        is_pointless = control == "pause" and not table.scoreboard.under_way and table.paused_at_us is None
        outcome = NothingToPause(at_us) if is_pointless else used
        prompts, outcomes = replace(prompts, consent=None), [*_lapse_notices(prompts, at_us), outcome]
    return prompts, [*notices, *outcomes]


def _resolve_control(table: Table, tapped: ControlTapped, control: str) -> ControlUsed:
    """Return the control as the game knows it: a card of a game's own may stand for fields too."""
    if not tapped.by and control in (cards := control_cards(table.game.controls)):
        return ControlUsed(tapped.at_us, *cards[control])
    return ControlUsed(tapped.at_us, control, tapped.fields)


def break_off(prompts: PendingPrompts, at_us: int) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Return the pending prompts without a check that was under way."""
    if prompts.checking is None:
        return prompts, []
    return replace(prompts, checking=None), checks.break_off(at_us)


def confirm_rows(
    prompts: PendingPrompts, table: Table, seat: int, at_us: int
) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Handle a seat's statement, made without a press, that its team's rows are checked; does nothing without a
    check."""
    if prompts.checking is None:
        return prompts, []
    checking, outcomes = checks.confirm_rows(prompts.checking, table, seat, at_us)
    return replace(prompts, checking=checking), [*outcomes]


def report_hand_count(
    prompts: PendingPrompts, table: Table, seat: int, count: int, at_us: int
) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Handle a seat's count of its hand, made without presses; does nothing without a check."""
    if prompts.checking is None:
        return prompts, []
    checking, outcomes = checks.report_hand_count(prompts.checking, table, seat, count, at_us)
    return replace(prompts, checking=checking), [*outcomes]


def press(prompts: PendingPrompts, table: Table, pressed: ButtonPressed) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Handle a press that counts: it grants consent, ends a pause, or goes to the game. A press made before the
    question, before the check's current instruction, or before the pause, was meant for something else and doesn't
    count."""
    ignored: list[GestureOutcome] = [PressUnheard(pressed.at_us, pressed.seat)]
    if prompts.checking is not None:
        if pressed.pressed_at_us < prompts.checking.asked_at_us:
            return prompts, ignored
        checking, outcomes = checks.press(prompts.checking, table, pressed)
        return replace(prompts, checking=checking), [*outcomes]
    consent = prompts.consent
    if (consent is not None or table.paused_at_us is not None) and _is_vacated(table, pressed.seat):
        return prompts, ignored
    if consent is not None:
        if pressed.seat == consent.requester or pressed.pressed_at_us < consent.asked_at_us:
            return prompts, ignored
        granted = ConsentGiven(pressed.at_us, pressed.seat)
        return replace(prompts, consent=None), [granted, ControlUsed(pressed.at_us, "take-back")]
    if table.paused_at_us is not None:
        is_meant = pressed.pressed_at_us >= table.paused_at_us
        return prompts, [ControlUsed(pressed.at_us, "resume")] if is_meant else ignored
    return prompts, [pressed]


def tap(prompts: PendingPrompts, table: Table, tapped: CardTapped) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Handle a tap in the check that is under way."""
    assert prompts.checking is not None
    checking, outcomes = checks.tap(prompts.checking, table, tapped)
    return replace(prompts, checking=checking), [*outcomes]


def apply_verdict(
    prompts: PendingPrompts, before: Table, after: Table, observation: Observation, verdict: Verdict
) -> tuple[PendingPrompts, list[Notice]]:
    """Return the pending prompts after a verdict. Any observation ends the quiet, but the passing of time only if it
    brought announcements; a requested take-back lapses with the move that it was about."""
    if not isinstance(observation, TimePassed) or verdict.announcements:
        prompts = replace(prompts, quiet_since_us=observation.at_us, reminder_count=0, is_silence_reported=False)
    if after.scoreboard.ends_at_us != before.scoreboard.ends_at_us:
        # the time was agreed only now, or moved by a pause: earlier warnings aren't repeated
        prompts = replace(prompts, time_warned_until_us=observation.at_us)
    prompts, notices = _advise_button(prompts, after, observation, verdict)
    if after.undo_entry is before.undo_entry:
        return prompts, notices
    return replace(prompts, consent=None), [*notices, *_lapse_notices(prompts, observation.at_us)]


def _advise_button(
    prompts: PendingPrompts, after: Table, observation: Observation, verdict: Verdict
) -> tuple[PendingPrompts, list[Notice]]:
    """Report once a game that a card was shown instead of a press and is less certain than one: after the window, since
    people must act in it."""
    if starts_new_game(observation, verdict):
        return replace(prompts, uncertain_pad=None, is_button_advised=False), []
    has_pressed = any(isinstance(announcement, BuzzHeard) for announcement in verdict.announcements)
    if has_pressed and isinstance(observation, CardTapped) and observation.uncertainty_us:
        prompts = replace(prompts, uncertain_pad=observation.pad)
    pad = prompts.uncertain_pad
    if pad is None or prompts.is_button_advised or after.scoreboard.window is not None:
        return prompts, []
    return replace(prompts, is_button_advised=True), [ButtonAdvised(observation.at_us, pad)]


def button_actions(prompts: PendingPrompts, table: Table) -> tuple[str | None, ...]:
    """Return each seat's button action, seat 1 first: ``grant``, ``resume``, ``check``, the game's, or None."""
    game = table.game.button_actions(table.state)
    if prompts.checking is not None:
        checked_seats = checks.seats_now(prompts.checking)
        return tuple("check" if seat in checked_seats else None for seat in range(1, len(game) + 1))
    if prompts.consent is None and table.paused_at_us is None:
        return game
    action, requester = ("resume", 0) if prompts.consent is None else ("grant", prompts.consent.requester)
    silent = {requester, *table.scoreboard.vacated}
    return tuple(None if seat in silent else action for seat in range(1, len(game) + 1))


def deadline(prompts: PendingPrompts, table: Table) -> int | None:
    """Return when the next question lapses or the next reminder is due."""
    due: list[int] = []
    if prompts.checking is not None and prompts.checking.counted_at_us is not None:
        due.append(prompts.checking.counted_at_us)
    if prompts.consent is not None:
        due.append(prompts.consent.until_us)
    if prompts.remind_us and prompts.reminder_count < 2 and _seat_to_remind(prompts, table) is not None:
        due.append(prompts.quiet_since_us + prompts.remind_us * (prompts.reminder_count + 1))
    if (silent_at_us := _silent_at_us(prompts, table)) is not None:
        due.append(silent_at_us)
    due += [at_us for at_us, _ in _time_warnings(prompts, table)]
    return min(due, default=None)


def pass_time(prompts: PendingPrompts, table: Table, now_us: int) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Return what lapses or is due by `now_us`, one of them at a time."""
    due_us = deadline(prompts, table)
    if due_us is None or due_us > now_us:
        return prompts, []
    checking = prompts.checking
    if checking is not None and checking.counted_at_us is not None and checking.counted_at_us <= now_us:
        checking, outcomes = checks.pass_time(checking, table, now_us)
        return replace(prompts, checking=checking), [*outcomes]
    if prompts.consent is not None and prompts.consent.until_us <= now_us:
        return replace(prompts, consent=None), [*_lapse_notices(prompts, now_us)]
    for at_us, minutes in _time_warnings(prompts, table):
        if at_us == due_us:
            return replace(prompts, time_warned_until_us=at_us), [TimeRunsOut(now_us, minutes)]
    if due_us == _silent_at_us(prompts, table):
        assert table.scoreboard.seat is not None
        return replace(prompts, is_silence_reported=True), [PadSilent(now_us, table.scoreboard.seat)]
    seat = _seat_to_remind(prompts, table)
    assert seat is not None
    return replace(prompts, reminder_count=prompts.reminder_count + 1), [
        StopForgotten(now_us, seat, prompts.reminder_count > 0)
    ]


def _check(prompts: PendingPrompts, table: Table, at_us: int) -> tuple[PendingPrompts, list[GestureOutcome]]:
    """Begin a check of the table and pause the table for it; only a game that runs can be checked."""
    if not checks.may_begin(table):
        return prompts, checks.break_off(at_us)
    pause: list[GestureOutcome] = [] if table.paused_at_us is not None else [ControlUsed(at_us, "pause")]
    checking, outcomes = checks.begin(table, at_us)
    return replace(prompts, checking=checking, consent=None), [*_lapse_notices(prompts, at_us), *pause, *outcomes]


def _is_vacated(table: Table, seat: int) -> bool:
    """Return whether the player has left this seat."""
    return seat in table.scoreboard.vacated


def _lapse_notices(prompts: PendingPrompts, at_us: int) -> list[Notice]:
    """Return the notice that a requested take-back has lapsed, if one was requested."""
    return [] if prompts.consent is None else [ConsentLapsed(at_us)]


def _time_warnings(prompts: PendingPrompts, table: Table) -> list[tuple[int, int]]:
    """Return the warnings of the time limit that are still to come, each as the table time at which it is due and the
    minutes that are left then. There are none in a pause, or without a time limit."""
    board = table.scoreboard
    ends_at_us = board.ends_at_us
    if ends_at_us is None or not board.under_way or table.paused_at_us is not None:
        return []
    moments = [(ends_at_us - minutes * MINUTE_US, minutes) for minutes in WARNING_MINUTES]
    return [moment for moment in moments if moment[0] > prompts.time_warned_until_us]


def _silent_at_us(prompts: PendingPrompts, table: Table) -> int | None:
    """Return when `PadSilent` is due at the pad at which the turn is played; None if no turn is played."""
    board = table.scoreboard
    is_idle = not board.under_way or board.window is not None or table.paused_at_us is not None
    if is_idle or prompts.is_silence_reported or prompts.consent is not None or prompts.checking is not None:
        return None
    return prompts.quiet_since_us + SILENT_US


def _seat_to_remind(prompts: PendingPrompts, table: Table) -> int | None:
    """Return the seat whose button means *Stop* now."""
    seats = button_actions(prompts, table)
    return seats.index("stop") + 1 if "stop" in seats else None
