"""A seat that nobody plays any more (R2.5): what it held goes back into the draw pile, what waited for it doesn't wait,
and the others play on, if they are still two teams."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement, WindowClosed
from taptable.core.observations import SeatVacated
from taptable.core.verdicts import Ignored
from taptable.games.online.announcements import HackWaived, SearchWaived, SeatLeft, TurnEnded
from taptable.games.online.moves import Vacate
from taptable.games.online.patrolling import leave_window
from taptable.games.online.refusals import ignored
from taptable.games.online.score import won_as_it_stands
from taptable.games.online.state import Search, State, Turn
from taptable.games.online.turns import end_game, next_turn


def read_leaving(state: State, observation: SeatVacated) -> Vacate | Ignored:
    """The leaving of a player of a running game, unless that player has left already."""
    if observation.seat in state.vacated:
        return ignored("vacated-already", {"pad": observation.seat})
    return Vacate(observation.at_us, observation.seat)


def vacate(state: State, turn: Turn, move: Vacate) -> tuple[State, list[Announcement]]:
    """The state without this seat's player; the game is over if only one team is left (R10.5)."""
    seat, hand = move.seat, state.hands[move.seat - 1]
    state = replace(
        state,
        hands=state.with_hand(seat, -hand),
        draw_pile=state.draw_pile + hand,
        vacated=state.vacated | {seat},
        skips=state.skips - {seat},
    )
    said: list[Announcement] = [SeatLeft(seat, hand)]
    if sum(map(state.is_played, range(len(state.teams)))) < 2:
        return end_game(state, won_as_it_stands(state, "agreement"), said)
    if seat == turn.seat:
        return _leave_turn(state, turn, move.at_us, said)
    if state.window is None:
        return state, said
    after, more = leave_window(state, turn, seat, move.at_us)
    return after, [*said, *more]


def _leave_turn(state: State, turn: Turn, at_us: int, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """The turn ends, and with it its window, its hack or its search."""
    if state.window is not None:
        said.append(WindowClosed(turn.seat))
    elif state.pending is not None:
        said.append(SearchWaived(turn.seat) if isinstance(state.pending, Search) else HackWaived(turn.seat))
    left = replace(state, window=None, pending=None)
    return next_turn(left, turn, at_us, [*said, TurnEnded(turn.seat, "left", 0)])
