"""Cards of Cyber Siege that lie open, as heaps: the same for what the table believes and for what really lies there."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.player import Heap
from taptable.games.cyber_siege.state import Laying, State

SETS, LAYING, DISCARD = "sets", "laying", "discard-pile"


def heaps(
    sets: Sequence[tuple[str, ...]], laying: tuple[str, ...], on_turn: int | None, discard: tuple[str, ...]
) -> tuple[Heap, ...]:
    """Each seat's laid sets, and what it is just laying; then the discard pile."""
    laid: list[Heap] = []
    for seat, cards in enumerate(sets, 1):
        laid.append(Heap(SETS, (seat,), cards))
        laid.append(Heap(LAYING, (seat,), laying if seat == on_turn else ()))
    return (*laid, Heap(DISCARD, (), discard))


def being_laid(laying: Laying | None) -> tuple[str, ...]:
    """The cards of a set that is being laid, the set card first."""
    return () if laying is None else (laying.card, *laying.red)


def lying(state: State) -> tuple[Heap, ...]:
    """What lies open by the table's belief."""
    seat = state.turn.seat if state.turn else None
    return heaps([player.sets for player in state.players], being_laid(state.laying), seat, state.discard)
