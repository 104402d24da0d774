"""The check of the table, as a value that changes from tap to tap. Team by team, players tap every card in their rows
once; the check names missing and extra cards. Then hands are counted, seat by seat. Players get one instruction at a
time. `gestures` begins the check and hands over taps and presses; `session` passes what comes out of it to the referee
and to the players. The game doesn't change during the check: at its end, all corrections go to the referee as one
observation. Only a card that can't lie where it was found goes to the referee at once, which refuses it. Pure. Must not
know a rule: it asks the game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.check_notices import (
    CheckBrokenOff,
    CheckCount,
    CheckDone,
    CheckElsewhere,
    CheckExtra,
    CheckHand,
    CheckMissing,
    CheckTeam,
    CheckTicked,
)
from taptable.core.notices import Notice
from taptable.core.observations import ButtonPressed, CardTapped, Observation, Pad, TableCorrected
from taptable.core.scoreboard import HAND
from taptable.referee.step import Table

COUNTING_US = 2_000_000
"""Time after the last press until the count of a hand is complete."""

CheckOutcome: TypeAlias = Notice | TableCorrected
"""The outcome of a step of the check: a notice for the players, or an observation for the referee."""


@dataclass(frozen=True, slots=True)
class Checking:
    """A check under way: team after team, then seat after seat.

    `teams` are still to be checked, the first of them now. Of the cards tapped for that team until now, `seen` are
    those that the game believes in its rows, and `extra` the others. `in_order` are its cards in the order of their
    taps, from the first extra card on: the order in a row may count, so they are laid again in it. `hands` are still to
    be counted, the first of them now, each as seat, number the game believes, and name of the count. `presses` counts
    the presses for it; unless another press comes before, the count is complete at `counted_at_us`. The findings of the
    teams and seats that are done: `laid` are the extra cards with their pads, `gone` the missing ones, `counted` the
    counts that differ, and `lying` the cards of `in_order` with their pads. The current instruction was given at
    `asked_at_us`."""

    teams: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, int, str], ...]
    asked_at_us: int
    seen: frozenset[str] = frozenset()
    extra: tuple[str, ...] = ()
    in_order: tuple[str, ...] = ()
    presses: int = 0
    counted_at_us: int | None = None
    laid: tuple[tuple[str, Pad], ...] = ()
    lying: tuple[tuple[str, Pad], ...] = ()
    gone: tuple[str, ...] = ()
    counted: tuple[tuple[int, int, str], ...] = ()


def may_begin(table: Table) -> bool:
    """Return whether a check may begin: only while a game runs."""
    return table.scoreboard.under_way


def begin(table: Table, at_us: int) -> tuple[Checking, list[CheckOutcome]]:
    """Start a check with the first team, and return it with its first instruction. The hand of a vacated seat isn't
    counted."""
    board = table.scoreboard
    hands = tuple(
        (seat, count.have, count.name)
        for seat, counts in enumerate(board.hands, 1)
        if seat not in board.vacated
        for count in counts
    )
    checking = Checking(table.game.teams(table.state), hands, at_us)
    return checking, [instruction(checking, table, at_us)]


def break_off(at_us: int) -> list[Observation | Notice]:
    """Return what comes out if a check ends without any correction."""
    return [CheckBrokenOff(at_us)]


def seats_now(checking: Checking) -> tuple[int, ...]:
    """Return the seats that the current instruction is for."""
    return checking.teams[0] if checking.teams else checking.hands[0][:1]


def tap(checking: Checking, table: Table, tapped: CardTapped) -> tuple[Checking, list[CheckOutcome]]:
    """Handle a card that was tapped during the check."""
    at_us, card, pad = tapped.at_us, tapped.card, tapped.pad
    if not checking.teams or pad not in checking.teams[0]:
        return checking, [CheckElsewhere(at_us, seats_now(checking))]
    expected = table.game.cards_of(table.state, checking.teams[0])
    if card in expected:
        if checking.extra and card not in checking.seen:
            checking = replace(checking, in_order=(*checking.in_order, card))
        checking = replace(checking, seen=checking.seen | {card})
        return checking, [CheckTicked(at_us, card, len(expected) - len(checking.seen))]
    # ask the game whether the card may lie there, with all hands empty: they are counted later, and a wrong number in
    # them must not be a reason to refuse the card
    correction = _make_correction(at_us, ((card, pad),), (), tuple((seat, 0, name) for seat, _, name in checking.hands))
    if not _is_possible(table, correction):
        return checking, [correction]
    if card not in checking.extra:
        checking = replace(checking, extra=(*checking.extra, card), in_order=(*checking.in_order, card))
    return checking, [CheckExtra(at_us, card, pad)]


def press(checking: Checking, table: Table, pressed: ButtonPressed) -> tuple[Checking, list[CheckOutcome]]:
    """Handle a press: it confirms a team's rows, or counts one more card of the hand."""
    at_us = pressed.at_us
    if checking.teams:
        return confirm_rows(checking, table, pressed.seat, at_us)
    seat = checking.hands[0][0]
    if pressed.seat != seat:
        return checking, [CheckElsewhere(at_us, (seat,))]
    return replace(checking, presses=checking.presses + 1, counted_at_us=at_us + COUNTING_US), []


def confirm_rows(checking: Checking, table: Table, seat: int, at_us: int) -> tuple[Checking, list[CheckOutcome]]:
    """Handle a seat's statement that every card in its team's rows was tapped."""
    seats = seats_now(checking)
    if not checking.teams or seat not in seats:
        return checking, [CheckElsewhere(at_us, seats)]
    missing = tuple(card for card in table.game.cards_of(table.state, seats) if card not in checking.seen)
    checking = replace(
        checking,
        teams=checking.teams[1:],
        asked_at_us=at_us,
        seen=frozenset(),
        extra=(),
        in_order=(),
        laid=(*checking.laid, *((card, seats[0]) for card in checking.extra)),
        lying=(*checking.lying, *((card, seats[0]) for card in checking.in_order)),
        gone=(*checking.gone, *missing),
    )
    outcomes: list[CheckOutcome] = [CheckMissing(at_us, missing)] if missing else []
    return checking, [*outcomes, instruction(checking, table, at_us)]


def report_hand_count(
    checking: Checking, table: Table, seat: int, count: int, at_us: int
) -> tuple[Checking | None, list[CheckOutcome]]:
    """Handle a seat's statement of how many cards it holds, made without presses."""
    if checking.teams or seat != checking.hands[0][0]:
        return checking, [CheckElsewhere(at_us, seats_now(checking))]
    return _count_hand(checking, table, count, at_us)


def pass_time(checking: Checking, table: Table, at_us: int) -> tuple[Checking | None, list[CheckOutcome]]:
    """Complete the count of a hand by presses, because `COUNTING_US` have passed since the last one. A single press
    means that the number the game believes is right."""
    believed = checking.hands[0][1]
    return _count_hand(checking, table, believed if checking.presses == 1 else checking.presses, at_us)


def _count_hand(checking: Checking, table: Table, count: int, at_us: int) -> tuple[Checking | None, list[CheckOutcome]]:
    """Record the count of the current hand, and return the check with its next instruction. After the last hand, return
    None, and all corrections in one observation."""
    (seat, believed, name), *hands = checking.hands
    counted = checking.counted if count == believed else (*checking.counted, (seat, count, name))
    checking = replace(checking, hands=tuple(hands), asked_at_us=at_us, presses=0, counted_at_us=None, counted=counted)
    if hands:
        return checking, [instruction(checking, table, at_us)]
    # a card that is missing in one team's rows and lies in another's isn't gone
    found_cards = {card for card, _ in checking.laid}
    gone = tuple(card for card in checking.gone if card not in found_cards)
    corrections = len(checking.laid) + len(gone) + len(checking.counted)
    if corrections == 0:
        return None, [CheckDone(at_us, 0)]
    correction = _make_correction(at_us, checking.lying, gone, checking.counted)
    if not _is_possible(table, correction):
        return None, [CheckBrokenOff(at_us), correction]
    return None, [correction, CheckDone(at_us, corrections)]


def _make_correction(
    at_us: int, laid: tuple[tuple[str, Pad], ...], gone: tuple[str, ...], counted: tuple[tuple[int, int, str], ...]
) -> TableCorrected:
    return TableCorrected(
        at_us,
        laid,
        gone,
        tuple((seat, count) for seat, count, name in counted if name == HAND),
        tuple((seat, name, count) for seat, count, name in counted if name != HAND),
    )


def _is_possible(table: Table, corrected: TableCorrected) -> bool:
    """Return whether the game accepts this correction; nothing changes by the question."""
    return isinstance(table.game.play(table.state, corrected), tuple)


def instruction(checking: Checking, table: Table, at_us: int) -> CheckTeam | CheckHand | CheckCount:
    """Return the current instruction."""
    if checking.teams:
        seats = checking.teams[0]
        return CheckTeam(at_us, seats, table.game.cards_of(table.state, seats))
    seat, count, name = checking.hands[0]
    return CheckHand(at_us, seat, count) if name == HAND else CheckCount(at_us, seat, count, name)
