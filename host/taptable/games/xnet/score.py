"""Points, and the places at the end (X2.3, X4.1)."""

from __future__ import annotations

from taptable.games.xnet.announcements import TopicScored
from taptable.games.xnet.state import Outcome, State

SCORING_RANKS = 2
"""The largest number of cards of a topic scores, and the next smaller different one."""


def scored_by(state: State, seat: int) -> tuple[TopicScored, ...]:
    """The topics that score for a seat now, in the order of the pyramid, also with 0 users (X2.3)."""
    provider = state.provider(seat)
    found: list[TopicScored] = []
    for demand in state.demand:
        topic = state.topic_of(demand.card)
        holding = provider.on_server(topic)
        if holding is not None and len(holding.cards) in scoring_sizes(state, topic):
            found.append(TopicScored(topic, demand.level, provider.users, demand.level * provider.users))
    return tuple(found)


def scoring_sizes(state: State, topic: str) -> tuple[int, ...]:
    """The numbers of cards that score in a topic: the largest on anybody's servers and the next smaller (X2.3)."""
    holdings = (provider.on_server(topic) for provider in state.providers)
    sizes = {len(holding.cards) for holding in holdings if holding is not None}
    return tuple(sorted(sizes, reverse=True)[:SCORING_RANKS])


def won_by_points(state: State, winner: int) -> Outcome:
    """The outcome when a score reached the target: this seat is first, the others take their places by points
    (X4.1)."""
    others = {seat: points for seat, points in _points(state).items() if seat != winner}
    return Outcome((winner,), "points", ((winner, 1), *_places(others, 2)))


def won_as_it_stands(state: State) -> Outcome:
    """The outcome when the players end the game: by points, equal ones share the place."""
    ranking = _places(_points(state), 1)
    return Outcome(tuple(seat for seat, place in ranking if place == 1), "agreement", ranking)


def _points(state: State) -> dict[int, int]:
    return {seat: provider.points for seat, provider in enumerate(state.providers, 1)}


def _places(points: dict[int, int], first: int) -> tuple[tuple[int, int], ...]:
    """Seats and standard competition places, best first, equal ones by seat."""
    places = {seat: first + sum(other > own for other in points.values()) for seat, own in points.items()}
    return tuple(sorted(places.items(), key=lambda item: (item[1], item[0])))
