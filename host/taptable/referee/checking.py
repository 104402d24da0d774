"""The check of the table: team by team the cards in the rows are tapped once, and missing and extra cards are named;
then hands are counted. There is one instruction at a time, and nothing changes before the end: then all corrections go
to the referee as one observation. A card that can't lie where it was found goes to the referee at once, to be refused.
`gestures` begins the check and hands over taps and presses. Pure. Must not know a rule: it asks the game."""

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


@dataclass(frozen=True, slots=True)
class Checking:
    """A check under way: team after team, then seat after seat.

    `teams` are still to be checked, the first of them now. `seen` and `extra` are the cards tapped for that team until
    now; `in_order` holds all cards tapped from the first extra one on, because they lie in that order and nobody knows
    how the table came to be wrong. `hands` are still to be counted, the first of them now, each as seat, number the
    game believes, and name of the count; `presses` counts the presses for it. `laid`, `gone` and `counted` are the
    findings, and `lying` is `in_order` of all teams. The current question was asked at `asked_at_us`."""

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
    """Return whether there is anything to check, which needs a game that runs."""
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
    """End the check without any correction."""
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
    # any number of cards in the hands is possible here: they are counted later
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
    """Complete the count of a hand by presses. A single press means that the number the game believes is right."""
    believed = checking.hands[0][1]
    return _count_hand(checking, table, believed if checking.presses == 1 else checking.presses, at_us)


def _count_hand(checking: Checking, table: Table, count: int, at_us: int) -> tuple[Checking | None, list[CheckOutcome]]:
    """Record the count of the current hand; after the last hand, return all corrections."""
    (seat, believed, name), *hands = checking.hands
    counted = checking.counted if count == believed else (*checking.counted, (seat, count, name))
    checking = replace(checking, hands=tuple(hands), asked_at_us=at_us, presses=0, counted_at_us=None, counted=counted)
    if hands:
        return checking, [instruction(checking, table, at_us)]
    # a card that turned up elsewhere isn't gone
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
    """Return whether the game accepts the table as it was found."""
    return isinstance(table.game.play(table.state, corrected), tuple)


def instruction(checking: Checking, table: Table, at_us: int) -> CheckTeam | CheckHand | CheckCount:
    """Return the current instruction."""
    if checking.teams:
        seats = checking.teams[0]
        return CheckTeam(at_us, seats, table.game.cards_of(table.state, seats))
    seat, count, name = checking.hands[0]
    return CheckHand(at_us, seat, count) if name == HAND else CheckCount(at_us, seat, count, name)
