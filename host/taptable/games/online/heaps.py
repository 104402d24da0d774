"""Cards of ONLINE that lie open, as heaps: the same for what the table believes and for what really lies there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from taptable.core.player import Heap
from taptable.games.online.cards import ROWS
from taptable.games.online.state import State

DISCARD_PILE = "discard-pile"


def heaps(
    teams: Iterable[tuple[int, ...]], rows: Iterable[Sequence[tuple[str, ...]]], discard: tuple[str, ...]
) -> tuple[Heap, ...]:
    """The six rows of each team, in the order of `ROWS`, then the discard pile."""
    laid = [
        Heap(place, seats, cards)
        for seats, team in zip(teams, rows, strict=True)
        for place, cards in zip(ROWS, team, strict=True)
    ]
    return (*laid, Heap(DISCARD_PILE, (), discard))


def lying(state: State) -> tuple[Heap, ...]:
    """What lies open by the table's belief."""
    return heaps(state.options.teams, (team.rows for team in state.teams), state.discard)
