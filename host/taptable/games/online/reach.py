"""What a player of ONLINE who sits at the table can lay hands on, and what is fair to do with it: things that hold
among people, whatever the table sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import Heap
from taptable.games.online import holdings as truth
from taptable.games.online.cards import CATEGORY_ROWS, CYBER_PATROL, KIND_OF, KINDS, ROWS, Group
from taptable.games.online.heaps import heaps
from taptable.games.online.holdings import Holdings
from taptable.games.online.rules import may_react
from taptable.games.online.state import Hack, Search, State

DRAW_PILE = "draw-pile"


def lying(holdings: Holdings) -> tuple[Heap, ...]:
    """The six rows of each team, then the discard pile."""
    return heaps(holdings.options.teams, holdings.rows, holdings.discard)


def reachable(state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
    """The hand; what a search or a hack lets its player take; else the own category rows, to back them up (R5.5)."""
    hand = Heap("hand", (seat,), holdings.hand(seat))
    open_heaps = [heap for heap in lying(holdings) if heap.cards]
    if state.turn is None or state.turn.seat != seat or state.window is not None:
        return (hand, *_own_rows(open_heaps, seat))
    if isinstance(state.pending, Search):
        found = {KIND_OF[card]: card for card in holdings.pile}
        cards = tuple(found[kind] for kind in KINDS if kind in found)
        return (hand, *([Heap(DRAW_PILE, (), cards)] if cards else []), *_own_rows(open_heaps, seat))
    if isinstance(state.pending, Hack):
        return (hand, *open_heaps)
    return (hand, *_own_rows(open_heaps, seat))


def fair(state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]) -> tuple[tuple[str, Pad], ...]:
    """Legal taps of this seat's own: all sorts on turn, else only a Cyber Patrol and what repairs its rows. In a search
    a card of the hand would be taken for the one from the draw pile."""
    on_turn = state.turn is not None and state.turn.seat == seat
    hand, *others = reachable(state, holdings, seat)
    searching = on_turn and isinstance(state.pending, Search)
    cards = {card for heap in ([] if searching else [hand]) + others for card in heap.cards}
    return tuple(
        (card, pad)
        for card, pad in legal
        if card in cards and (_own_reaction(state, seat, card, pad) or (on_turn and not _for_others(state, card, pad)))
    )


def draw(state: State, holdings: Holdings, seat: int) -> Holdings | None:
    """The 8th card, for a player on turn who means to play (R3.1) and hasn't drawn it yet."""
    turn = state.turn
    if turn is None or turn.seat != seat or turn.mode is not None or state.outcome is not None:
        return None
    if holdings.drew_eighth or not holdings.pile:
        return None
    return replace(truth.draw(holdings, seat, 1), drew_eighth=True)


def must_first(state: State, holdings: Holdings, seat: int) -> str | None:
    """Nobody ends a turn with more than 7 cards (R3.5)."""
    turn = state.turn
    if turn is None or turn.seat != seat or state.window is not None or state.pending is not None:
        return None
    return "play-or-discard" if len(holdings.hand(seat)) > truth.HAND else None


def _own_rows(heaps: Sequence[Heap], seat: int) -> list[Heap]:
    categories = {ROWS[row] for row in CATEGORY_ROWS}
    return [heap for heap in heaps if seat in heap.seats and heap.place in categories]


def _own_reaction(state: State, seat: int, card: str, pad: Pad) -> bool:
    """A tap that is this seat's to do out of turn too (R6.2, R7.3)."""
    kind = KIND_OF[card]
    if pad != seat:
        return False
    if kind is CYBER_PATROL:
        return state.window is not None
    return kind.group is Group.ACCESS and may_react(state, state.options.team_of(seat), kind.row)


def _for_others(state: State, card: str, pad: Pad) -> bool:
    """A tap that would count as another team's reaction, or in another player's window."""
    assert state.turn is not None
    if state.window is not None:
        return True
    own = pad == DISCARD_PAD or (
        isinstance(pad, int) and state.options.team_of(pad) == state.options.team_of(state.turn.seat)
    )
    return not own and KIND_OF[card].group is Group.ACCESS and state.pending is None
