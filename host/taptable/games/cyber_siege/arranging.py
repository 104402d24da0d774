"""Putting counts and cards of Cyber Siege right that the table has wrong: by the control ``correct``, or after a check
of the table (S8.3)."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD, ControlUsed, TableCorrected
from taptable.core.verdicts import Rejection
from taptable.games.cyber_siege.announcements import Corrected, ReshuffleDue, TablePutRight
from taptable.games.cyber_siege.rules import fault, refused
from taptable.games.cyber_siege.state import State, Turn
from taptable.games.cyber_siege.turns import Said, check_end


def correct(state: State, used: ControlUsed, said: Said) -> Rejection | None:
    """New counts for a seat, the piles changing the other way; unless something is open or a pile would have to be
    below 0 (S8.3)."""
    if state.attack is not None or state.pending is not None:
        return refused("no-correction", {"open": True})
    counts = {name: value for name, value in used.fields if isinstance(value, int)}
    seat, red_before = counts["seat"], state.red_pile
    player = state.own(seat)
    red, purple = counts.get("red", player.red), counts.get("purple", player.purple)
    state.red_pile += player.red - red
    state.purple_pile += player.purple - purple
    player.red, player.purple = red, purple
    player.one_points = counts.get("one_points", player.one_points)
    if state.red_pile < 0 or state.purple_pile < 0:
        return refused("no-correction")
    said.append(Corrected(seat, red, purple, player.one_points))
    _finish(state, red_before, said)
    return None


def put_right(state: State, turn: Turn, told: TableCorrected, said: Said) -> Rejection | None:
    """Cards and counts as a check has found them, the piles being what is left (S8.4); unless a card is unknown or
    can't lie there, something is open, or there would be more cards than the deck has."""
    deck = state.options.deck
    for card in (*told.gone, *(card for card, _ in told.laid)):
        if card not in deck.kind_of:
            return fault("unknown-card", {"card": card})
    for card, pad in told.laid:
        if deck.kind_of[card].is_red != (pad == DISCARD_PAD):
            return refused("lies-in-no-row", {"card": card, "pad": pad})
    if state.attack is not None or state.pending is not None:
        return refused("no-correction", {"open": True})
    moved = {*told.gone, *(card for card, _ in told.laid)}
    players = [state.own(seat) for seat in range(1, state.options.players + 1)]
    for player in players:
        player.sets = tuple(card for card in player.sets if card not in moved)
    state.discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(told.laid).items():  # one that was found twice was moved meanwhile
        if isinstance(pad, int):
            players[pad - 1].sets = (*players[pad - 1].sets, card)
        else:
            state.discard = (*state.discard, card)
    for seat, name, count in told.counts:
        if name == "red":
            players[seat - 1].red = count
        else:
            players[seat - 1].purple = count
    turn.used = tuple(card for card in turn.used if card in state.discard)
    red_before = state.red_pile
    state.red_pile = deck.red - len(state.discard) - sum(each.red for each in players)
    state.purple_pile = deck.purple - sum(each.purple + len(each.sets) for each in players)
    if state.red_pile < 0 or state.purple_pile < 0:
        return refused("no-correction")
    cards = tuple(card for card, _ in told.laid)
    said.append(TablePutRight(cards, told.gone, state.red_pile, state.purple_pile))
    _finish(state, red_before, said)
    return None


def _finish(state: State, red_before: int, said: Said) -> None:
    """What the new counts bring: the end, or an empty red pile (S7, S3.4)."""
    if not check_end(state, said) and red_before > 0 == state.red_pile:
        said.append(ReshuffleDue())
