"""Turns: the naming of the starter, what happens at once when a turn begins, and the end (X1, X2, X4)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement
from taptable.games.xnet.announcements import (
    CardsDrawn,
    GameOver,
    Reshuffled,
    ReshuffleDue,
    Scored,
    StarterNamed,
    TurnStarted,
    XReturned,
)
from taptable.games.xnet.score import scored_by, won_by_points
from taptable.games.xnet.state import Outcome, State, Turn

DRAWN_A_TURN = 5
EXTRA_CARDS = {3: (0, 0, 1), 4: (0, 0, 1, 2), 5: (0, 0, 1, 1, 2), 6: (0, 0, 1, 1, 2, 2)}
"""What each player gets more at the start, in the order of turns, by the number of players (X1.1)."""


def name_starter(state: State, seat: int) -> tuple[State, list[Announcement]]:
    """The state in which the starter is known and the extra cards are dealt (X1.1, X1.2)."""
    said: list[Announcement] = [StarterNamed(seat)]
    players = state.options.players
    state = replace(state, turn=Turn(seat))
    for place, extra in enumerate(EXTRA_CARDS[players]):
        if extra:
            other = (seat - 1 + place) % players + 1
            state = _draw(state, other, extra)
            said.append(CardsDrawn(other, extra))
    return state, said


def begin_turn(state: State, seat: int) -> tuple[State, list[Announcement]]:
    """The state in which a seat's turn has begun: X marker, score, perhaps the end, five cards (X2.2–X2.5)."""
    said: list[Announcement] = [TurnStarted(seat)]
    state = replace(state, turn=Turn(seat), opening=False)
    for demand in state.demand:
        if demand.x == seat:
            state = state.with_demand(replace(demand, x=None))
            said.append(XReturned(seat, state.topic_of(demand.card)))
    topics = scored_by(state, seat)
    points = sum(topic.points for topic in topics)
    provider = state.provider(seat)
    provider = replace(provider, points=provider.points + points)
    state = state.with_provider(seat, provider)
    said.append(Scored(seat, points, topics))
    if provider.points >= state.options.target_points:
        return end_game(state, won_by_points(state, seat), said)
    return _draw_five(state, seat, said)


def next_turn(state: State, turn: Turn) -> tuple[State, list[Announcement]]:
    """The state in which the next seat clockwise is on turn (X1.2)."""
    return begin_turn(state, turn.seat % state.options.players + 1)


def reshuffle(state: State, turn: Turn) -> tuple[State, list[Announcement]]:
    """The discard pile is the draw pile, and what is owed is drawn; what even that can't give lapses (X2.5)."""
    drawn = min(turn.owed, len(state.discard))
    shuffled = replace(state, draw_pile=len(state.discard), discard=(), turn=replace(turn, owed=0))
    after = _draw(shuffled, turn.seat, drawn)
    return after, [Reshuffled(turn.seat, after.draw_pile, drawn)]


def end_game(state: State, outcome: Outcome, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """The state after the end; nothing runs any more (X4.2)."""
    return replace(state, outcome=outcome), [*said, GameOver(outcome.winners, outcome.by)]


def _draw_five(state: State, seat: int, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """Five cards, or what the draw pile has; the rest is owed as long as there is a discard pile to shuffle (X2.5)."""
    drawn = min(DRAWN_A_TURN, state.draw_pile)
    state = _draw(state, seat, drawn)
    said = [*said, CardsDrawn(seat, drawn)]
    owed = DRAWN_A_TURN - drawn if state.discard else 0
    if not owed:
        return state, said
    return replace(state, turn=Turn(seat, owed=owed)), [*said, ReshuffleDue(seat, owed)]


def _draw(state: State, seat: int, count: int) -> State:
    provider = state.provider(seat)
    drawn = state.with_provider(seat, replace(provider, hand=provider.hand + count))
    return replace(drawn, draw_pile=drawn.draw_pile - count)
