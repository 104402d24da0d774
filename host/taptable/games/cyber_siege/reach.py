"""What a player of Cyber Siege who sits at the table can lay hands on, and what is fair to do with it: things that hold
among people, whatever the table sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taptable.core.observations import Pad
from taptable.core.player import Heap
from taptable.games.cyber_siege import holdings as truth
from taptable.games.cyber_siege.heaps import DISCARD, heaps
from taptable.games.cyber_siege.holdings import Holdings
from taptable.games.cyber_siege.state import State


def lying(holdings: Holdings) -> tuple[Heap, ...]:
    """Each seat's sets and what it is laying, then the discard pile."""
    return heaps(holdings.sets, holdings.laying, holdings.layer, holdings.discard)


def reachable(state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
    """The hand, and the top of the discard pile as long as it may be drawn (S3.2)."""
    hand = Heap("hand", (seat,), holdings.hand(seat))
    if not may_draw(state, holdings, seat) or not holdings.discard:
        return (hand,)
    return (hand, Heap(DISCARD, (), holdings.discard[-1:]))


def fair(state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]) -> tuple[tuple[str, Pad], ...]:
    """Legal taps of this seat's own: those of its turn, or of its defence."""
    acting = None if state.turn is None else state.turn.seat
    if state.attack is not None:
        acting = state.attack.defender
    if seat != acting:
        return ()
    cards = {card for heap in reachable(state, holdings, seat) for card in heap.cards}
    return tuple((card, pad) for card, pad in legal if card in cards)


def draw(state: State, holdings: Holdings, seat: int) -> Holdings | None:
    """The turn's card from the red pile, as long as it may be drawn."""
    if not may_draw(state, holdings, seat) or not holdings.red_pile:
        return None
    return replace(truth.draw_red(holdings, seat, 1), drew=True)


def may_draw(state: State, holdings: Holdings, seat: int) -> bool:
    """Is the draw of this seat's turn still to be made, and nothing else before it?"""
    turn = state.turn
    if turn is None or turn.seat != seat or state.outcome is not None or holdings.drew:
        return False
    return turn.draw is None and state.pending is None and state.attack is None
