"""Turns of X.net: the starter, the steps at the beginning of each turn, points, and the end (X1, X2, X4). `play` calls
it once a move is accepted. Functions that return nothing change a draft and append to `announcements`. Must not refuse
anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core.announcements import Announcement
from taptable.core.scoreboard import Outcome, rank_scores
from taptable.games.xnet.announcements import (
    CardsDrawn,
    GameOver,
    Reshuffled,
    ReshuffleDue,
    Scored,
    StarterNamed,
    TopicScored,
    TurnStarted,
    XReturned,
)
from taptable.games.xnet.state import State, Turn

Announcements: TypeAlias = list[Announcement]

CARDS_PER_TURN = 5
"""The cards that a player draws at the beginning of a turn (X2.4)."""
EXTRA_CARDS = {3: (0, 0, 1), 4: (0, 0, 1, 2), 5: (0, 0, 1, 1, 2), 6: (0, 0, 1, 1, 2, 2)}
"""The extra cards of each player at the start, in the order of turns, by the number of players (X1.1)."""
SCORING_RANKS = 2
"""How many different numbers of cards of a topic score: the largest and the next smaller (X2.3)."""


def set_starter_and_deal(state: State, seat: int, announcements: Announcements) -> None:
    """Set the starter and deal the extra cards (X1.1, X1.2)."""
    state.turn = Turn(seat)
    announcements.append(StarterNamed(seat))
    players = state.options.players
    for place, extra in enumerate(EXTRA_CARDS[players]):
        if extra:
            other = (seat - 1 + place) % players + 1
            state.draw(other, extra)
            announcements.append(CardsDrawn(other, extra))


def begin_turn(state: State, seat: int, announcements: Announcements) -> None:
    """Begin a seat's turn: X marker, score, perhaps the end, five cards (X2.2–X2.5)."""
    state.turn = turn = Turn(seat)
    state.opening = False
    announcements.append(TurnStarted(seat))
    for demand in state.demand:
        if demand.x_seat == seat:
            state.put_demand(replace(demand, x_seat=None))
            announcements.append(XReturned(seat, state.topic_of(demand.card)))
    topics = _scoring_topics(state, seat)
    points = sum(topic.points for topic in topics)
    provider = state.draft_provider(seat)
    provider.points += points
    announcements.append(Scored(seat, points, topics))
    if provider.points >= state.options.target_points:
        end_game(state, outcome_by_points(state, seat), announcements)
        return
    # cards that the draw pile lacks are owed if there is a discard pile to shuffle (X2.5)
    drawn = min(CARDS_PER_TURN, state.draw_pile)
    state.draw(seat, drawn)
    announcements.append(CardsDrawn(seat, drawn))
    turn.owed = CARDS_PER_TURN - drawn if state.discard else 0
    if turn.owed:
        announcements.append(ReshuffleDue(seat, turn.owed))


def next_turn(state: State, turn: Turn, announcements: Announcements) -> None:
    """Begin the turn of the next seat clockwise (X1.2)."""
    begin_turn(state, turn.seat % state.options.players + 1, announcements)


def reshuffle(state: State, turn: Turn, announcements: Announcements) -> None:
    """Make the discard pile the draw pile and draw the cards owed; those it lacks too are no longer owed (X2.5)."""
    drawn = min(turn.owed, len(state.discard))
    state.draw_pile, state.discard, turn.owed = len(state.discard), (), 0
    state.draw(turn.seat, drawn)
    announcements.append(Reshuffled(turn.seat, state.draw_pile, drawn))


def end_game(state: State, outcome: Outcome, announcements: Announcements) -> None:
    """End the game: nothing is pending any more (X4.2)."""
    state.outcome = outcome
    announcements.append(GameOver(outcome.winners, outcome.by))


def _scoring_topics(state: State, seat: int) -> tuple[TopicScored, ...]:
    """Return the topics that score for a seat now, in the order of the pyramid, also with 0 users (X2.3)."""
    provider = state.provider(seat)
    topics: list[TopicScored] = []
    for demand in state.demand:
        topic = state.topic_of(demand.card)
        holding = provider.server_offer(topic)
        if holding is not None and len(holding.cards) in scoring_sizes(state, topic):
            topics.append(TopicScored(topic, demand.level, provider.users, demand.level * provider.users))
    return tuple(topics)


def scoring_sizes(state: State, topic: str) -> tuple[int, ...]:
    """Return the numbers of cards that score in a topic: the largest on anybody's servers and the next smaller
    (X2.3)."""
    holdings = (provider.server_offer(topic) for provider in state.providers)
    sizes = {len(holding.cards) for holding in holdings if holding is not None}
    return tuple(sorted(sizes, reverse=True)[:SCORING_RANKS])


def outcome_by_points(state: State, winner: int) -> Outcome:
    """Return the outcome when a score reached the target: this seat is first, the others are placed by points
    (X4.1)."""
    return rank_scores(_points(state), "points", winner)


def outcome_by_score(state: State) -> Outcome:
    """Return the outcome when the players end the game: by points, equal ones share a place."""
    return rank_scores(_points(state), "agreement")


def _points(state: State) -> dict[int, int]:
    return {seat: provider.points for seat, provider in enumerate(state.providers, 1)}
