"""Turns: how one begins, what is drawn in it, and how the game ends (S3, S7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core.announcements import Announcement
from taptable.games.cyber_siege.announcements import CardDrawn, GameOver, ReshuffleDue, TurnStarted
from taptable.games.cyber_siege.state import Draw, Outcome, Place, State, Turn

Result: TypeAlias = tuple[State, list[Announcement]]


def begin_turn(
    state: State, seat: int, at_us: int, *, draw: Draw | None = None, used: tuple[str, ...] = (), owed_discards: int = 0
) -> Result:
    """The state in which this seat is on turn, with what an attack or a defence has left for it (S3.1, S6.3, S6.6)."""
    return replace(state, turn=Turn(seat, at_us, draw, used), owed_discards=owed_discards), [TurnStarted(seat)]


def end_turn(state: State, turn: Turn, at_us: int) -> Result:
    """The next seat clockwise is on turn."""
    return begin_turn(state, state.options.next_seat(turn.seat), at_us)


def infer_draw(state: State, turn: Turn) -> tuple[State, Turn, list[Announcement]]:
    """The state after the draw that was due, which nobody has shown: it was from the red pile (S3.3)."""
    if turn.draw is not None:
        return state, turn, []
    turn = replace(turn, draw="red")
    state, said = draw_red(replace(state, turn=turn), turn.seat, 1)
    return state, turn, said


def draw_red(state: State, seat: int, count: int) -> Result:
    """A seat draws red cards; what the pile hasn't got is owed until it is reshuffled (S3.4)."""
    drawn = min(count, state.red_pile)
    owed = count - drawn
    after = replace(state.gain(seat, red=drawn), red_pile=state.red_pile - drawn, owed_draws=owed)
    said: list[Announcement] = [CardDrawn(seat, "red", drawn)] if drawn else []
    if count and after.red_pile == 0:
        said.append(ReshuffleDue())
    return after, said


def settle_draw(state: State) -> State:
    """With both piles empty there is nothing to be drawn in this turn (S3.3)."""
    turn = state.turn
    if turn is None or turn.draw is not None or state.outcome is not None or state.red_pile or state.discard:
        return state
    return replace(state, turn=replace(turn, draw="none"))


def won_by_points(state: State) -> bool:
    """Has somebody the points that end the game (S7.1)?"""
    return any(state.points(seat) >= state.options.target_points for seat in range(1, state.options.players + 1))


def end_game(state: State, by: str, said: list[Announcement]) -> Result:
    """The state after the end, by points whatever ended it; nothing is open any more (S7.1, S7.3)."""
    scores = {seat: state.points(seat) for seat in range(1, state.options.players + 1)}
    places = {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}
    ranking = tuple(Place(seat, places[seat]) for seat in sorted(places, key=lambda seat: (places[seat], seat)))
    winners = tuple(place.seat for place in ranking if place.place == 1)
    ended = replace(
        state,
        laying=None,
        launch=None,
        attack=None,
        owed_draws=0,
        owed_discards=0,
        outcome=Outcome(winners, by, ranking),
    )
    return ended, [*said, GameOver(winners, by)]


def check_end(state: State, said: list[Announcement]) -> Result:
    """The state after counts have changed: somebody may have the points, or the purple pile may be empty (S7.1, S7.2,
    S8.3)."""
    if won_by_points(state):
        return end_game(state, "points", said)
    return (state, said) if state.purple_pile else end_game(state, "purple", said)
