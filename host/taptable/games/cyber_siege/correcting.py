"""Putting counts and cards right that the table has wrong: by the control ``correct``, or after a check of the table
(S8.3)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement
from taptable.core.observations import DISCARD_PAD, ControlUsed, TableCorrected
from taptable.core.verdicts import Fault, Refused
from taptable.games.cyber_siege.announcements import Corrected, ReshuffleDue, TablePutRight
from taptable.games.cyber_siege.moves import Correct, PutRight
from taptable.games.cyber_siege.refusals import fault, refused
from taptable.games.cyber_siege.state import State
from taptable.games.cyber_siege.turns import Result, check_end


def read_correction(state: State, used: ControlUsed) -> Correct | Refused:
    """New counts for a seat, unless something is open or a pile would have to be below 0 (S8.3)."""
    counts = {name: value for name, value in used.fields if isinstance(value, int)}
    move = Correct(used.at_us, **counts)
    return refused("no-correction") if _is_busy(state) or _below_0(_corrected(state, move)) else move


def correct(state: State, move: Correct) -> Result:
    """The state with the counts put right; the piles have changed the other way (S8.3)."""
    after = _corrected(state, move)
    player = after.player(move.seat)
    said: list[Announcement] = [Corrected(move.seat, player.red, player.purple, player.one_points)]
    return _checked(state, after, said)


def read_putting_right(state: State, told: TableCorrected) -> PutRight | Refused | Fault:
    """What a check has found, unless a card of it is unknown or can't lie there, something is open, or there would be
    more cards than the deck has."""
    deck = state.options.deck
    for card in (*told.gone, *(card for card, _ in told.laid)):
        if card not in deck.kind_of:
            return fault("unknown-card", {"card": card})
    for card, pad in told.laid:
        if deck.kind_of[card].is_red != (pad == DISCARD_PAD):
            return refused("lies-in-no-row", {"card": card, "pad": pad})
    move = PutRight(told.at_us, told.laid, told.gone, told.counts)
    return refused("no-correction") if _is_busy(state) or _below_0(_put_right(state, move)) else move


def put_right(state: State, move: PutRight) -> Result:
    """The state as the table really is."""
    after = _put_right(state, move)
    cards = tuple(card for card, _ in move.laid)
    said: list[Announcement] = [TablePutRight(cards, move.gone, after.red_pile, after.purple_pile)]
    return _checked(state, after, said)


def _is_busy(state: State) -> bool:
    return state.attack is not None or state.pending is not None


def _below_0(state: State) -> bool:
    return state.red_pile < 0 or state.purple_pile < 0


def _checked(before: State, after: State, said: list[Announcement]) -> Result:
    """What the new counts bring: the end, or an empty red pile (S7, S3.4)."""
    after, said = check_end(after, said)
    used_up = before.red_pile > 0 == after.red_pile and after.outcome is None
    return after, [*said, ReshuffleDue()] if used_up else said


def _corrected(state: State, move: Correct) -> State:
    player = state.player(move.seat)
    red = player.red if move.red is None else move.red
    purple = player.purple if move.purple is None else move.purple
    one_points = player.one_points if move.one_points is None else move.one_points
    after = state.with_player(move.seat, replace(player, red=red, purple=purple, one_points=one_points))
    return replace(
        after,
        red_pile=state.red_pile + player.red - red,
        purple_pile=state.purple_pile + player.purple - purple,
    )


def _put_right(state: State, move: PutRight) -> State:
    """Cards and counts as they were found; the piles are what is left (S8.4)."""
    moved = {*move.gone, *(card for card, _ in move.laid)}
    players = [replace(each, sets=tuple(card for card in each.sets if card not in moved)) for each in state.players]
    discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(move.laid).items():  # one that was found twice was moved meanwhile
        if isinstance(pad, int):
            players[pad - 1] = replace(players[pad - 1], sets=(*players[pad - 1].sets, card))
        else:
            discard = (*discard, card)
    for seat, name, count in move.counts:
        player = players[seat - 1]
        players[seat - 1] = replace(player, red=count) if name == "red" else replace(player, purple=count)
    turn = state.turn
    assert turn is not None
    deck = state.options.deck
    return replace(
        state,
        players=tuple(players),
        discard=discard,
        turn=replace(turn, used=tuple(card for card in turn.used if card in discard)),
        red_pile=deck.red - len(discard) - sum(each.red for each in players),
        purple_pile=deck.purple - sum(each.purple + len(each.sets) for each in players),
    )
