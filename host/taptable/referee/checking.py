"""*Check the table*: seat by seat the cards in the rows are tapped once, what is missing or extra is named,
then hands are counted.

One instruction at a time, and nothing changes before the end: then all corrections go to the referee as one
observation. A card that can't lie where it was found goes there at once, to be refused. Pure."""

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
"""How long after the last press a hand has been counted."""

CheckOutcome: TypeAlias = Notice | TableCorrected


@dataclass(frozen=True, slots=True)
class Checking:
    """A check under way: team after team, then seat after seat.

    `teams` are still to be checked, the first of them now; `seen` and `extra` are its cards so far, and `in_order` all
    that were tapped from the first extra one on: so they lie, since nobody knows how the table came to be wrong. Then
    `hands` are still to be counted, the first of them now, with `presses` so far: a seat, the number believed, and
    what is counted there. `laid`, `gone` and `counted` are what was found, and `lying` is `in_order` of all teams.
    What is asked now was asked at `asked_at_us`."""

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
    """Is there anything to check? Only while a game runs."""
    return table.scoreboard.under_way


def begin(table: Table, at_us: int) -> tuple[Checking, list[CheckOutcome]]:
    """The check of a table from its first team on, and the first instruction. Nobody counts the hand of a seat that was
    left."""
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
    """The check ends without putting anything right."""
    return [CheckBrokenOff(at_us)]


def seats_now(checking: Checking) -> tuple[int, ...]:
    """The seats that are asked now."""
    return checking.teams[0] if checking.teams else checking.hands[0][:1]


def tap(checking: Checking, table: Table, tapped: CardTapped) -> tuple[Checking, list[CheckOutcome]]:
    """A card was tapped during the check."""
    at_us, card, pad = tapped.at_us, tapped.card, tapped.pad
    if not checking.teams or pad not in checking.teams[0]:
        return checking, [CheckElsewhere(at_us, seats_now(checking))]
    expected = table.game.cards_of(table.state, checking.teams[0])
    if card in expected:
        if checking.extra and card not in checking.seen:
            checking = replace(checking, in_order=(*checking.in_order, card))
        checking = replace(checking, seen=checking.seen | {card})
        return checking, [CheckTicked(at_us, card, len(expected) - len(checking.seen))]
    # whatever the hands hold: they are counted later
    found = _make_correction(at_us, ((card, pad),), (), tuple((seat, 0, name) for seat, _, name in checking.hands))
    if not _is_possible(table, found):
        return checking, [found]
    if card not in checking.extra:
        checking = replace(checking, extra=(*checking.extra, card), in_order=(*checking.in_order, card))
    return checking, [CheckExtra(at_us, card, pad)]


def press(checking: Checking, table: Table, pressed: ButtonPressed) -> tuple[Checking, list[CheckOutcome]]:
    """A button: these rows are done, or another card of this hand."""
    at_us = pressed.at_us
    if checking.teams:
        return confirm_rows(checking, table, pressed.seat, at_us)
    seat = checking.hands[0][0]
    if pressed.seat != seat:
        return checking, [CheckElsewhere(at_us, (seat,))]
    return replace(checking, presses=checking.presses + 1, counted_at_us=at_us + COUNTING_US), []


def confirm_rows(checking: Checking, table: Table, seat: int, at_us: int) -> tuple[Checking, list[CheckOutcome]]:
    """A seat says that every card in its team's rows was tapped."""
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
    said: list[CheckOutcome] = [CheckMissing(at_us, missing)] if missing else []
    return checking, [*said, instruction(checking, table, at_us)]


def report_hand_count(
    checking: Checking, table: Table, seat: int, count: int, at_us: int
) -> tuple[Checking | None, list[CheckOutcome]]:
    """A seat says how many cards it holds, without presses."""
    if checking.teams or seat != checking.hands[0][0]:
        return checking, [CheckElsewhere(at_us, seats_now(checking))]
    return _count_hand(checking, table, count, at_us)


def pass_time(checking: Checking, table: Table, at_us: int) -> tuple[Checking | None, list[CheckOutcome]]:
    """A hand has been counted by presses, one of them saying that it is as believed."""
    believed = checking.hands[0][1]
    return _count_hand(checking, table, believed if checking.presses == 1 else checking.presses, at_us)


def _count_hand(checking: Checking, table: Table, count: int, at_us: int) -> tuple[Checking | None, list[CheckOutcome]]:
    """The hand that was asked for has so many cards; after the last one all corrections are made."""
    (seat, believed, name), *hands = checking.hands
    counted = checking.counted if count == believed else (*checking.counted, (seat, count, name))
    checking = replace(checking, hands=tuple(hands), asked_at_us=at_us, presses=0, counted_at_us=None, counted=counted)
    if hands:
        return checking, [instruction(checking, table, at_us)]
    # a card that turned up elsewhere is not gone
    found = {card for card, _ in checking.laid}
    gone = tuple(card for card in checking.gone if card not in found)
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
    """Can the table be as it was found?"""
    return isinstance(table.game.play(table.state, corrected), tuple)


def instruction(checking: Checking, table: Table, at_us: int) -> CheckTeam | CheckHand | CheckCount:
    """What is asked for now."""
    if checking.teams:
        seats = checking.teams[0]
        return CheckTeam(at_us, seats, table.game.cards_of(table.state, seats))
    seat, count, name = checking.hands[0]
    return CheckHand(at_us, seat, count) if name == HAND else CheckCount(at_us, seat, count, name)
