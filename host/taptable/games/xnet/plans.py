"""Plans of a virtual player of X.net for the pyramid: which topic to bring in, to replace or to swap. A plan names all
that its action needs, so that what was begun can be carried through."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.games.xnet.eyes import Sight
from taptable.games.xnet.state import Demand, Pending

HIGHEST_NEW = (2, 1)
"""The levels a new demand may go to, the better first (X3.1)."""


@dataclass(frozen=True, slots=True)
class NewDemand:
    """A card for an empty place of a level."""

    level: int
    card: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """A topic to go, and the cards that take its place."""

    demand: Demand
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """A topic that shall rise, the one it changes places with, and the card for it."""

    lower: Demand
    upper: Demand
    card: str


def new_demand(sight: Sight, level: int | None = None) -> NewDemand | None:
    """The topic most worth bringing in: one that lies dead on a server, or of which more cards are held, if there is a
    place for it. Another than `level` is out of the question once that was chosen."""
    state = sight.state
    levels = [each for each in HIGHEST_NEW if level in (None, each) and state.free_place(each) is not None]
    if not levels:
        return None
    dead = {offer.topic for offer in sight.dead}
    for topic in sight.held_topics:
        cards = sight.of_topic(topic)
        if state.demanded(topic) is not None:
            continue
        if topic in dead or (sight.provider.offer(topic) is None and sight.provider.place_free and len(cards) > 1):
            return NewDemand(levels[0], cards[-1])
    return None


def replacement(sight: Sight, topic: str | None = None) -> Replacement | None:
    """The replacement that gains most: of a topic that isn't offered, the higher its level the better, by one that is
    offered then. `topic` is the one to go, once it was chosen."""
    for demand in reversed(sight.state.demand):
        going = sight.state.topic_of(demand.card)
        if demand.x is not None or sight.is_offered(going) or topic not in (None, going):
            continue
        for coming in sight.held_topics:
            cards = _enough(sight, demand, coming)
            if cards is not None:
                return Replacement(demand, cards)
    return None


def swap(sight: Sight, pending: Pending | None = None) -> Swap | None:
    """A swap by which an offered topic rises above one that isn't offered; with the topics that were chosen so far."""
    state = sight.state
    for lower in reversed(state.demand):
        topic = state.topic_of(lower.card)
        cards = sight.of_topic(topic)
        if not cards or not sight.is_offered(topic) or (pending and pending.lower not in (None, topic)):
            continue
        for upper in state.demand:
            above = state.topic_of(upper.card)
            if upper.level != lower.level + 1 or sight.is_offered(above):
                continue
            if pending is None or pending.upper in (None, above):
                return Swap(lower, upper, cards[-1])
    return None


def to_replace_with(sight: Sight, topic: str) -> list[str]:
    """The cards of a topic that can be spent for a replacement, the highest first: a topic that isn't on a server yet
    needs a place there, and a card more to be brought in with (X3.2)."""
    cards = sight.of_topic(topic)
    if sight.provider.on_server(topic) is not None:
        return cards
    return cards[:-1] if sight.provider.offer(topic) is None and sight.provider.place_free else []


def _enough(sight: Sight, demand: Demand, topic: str) -> tuple[str, ...] | None:
    """The fewest cards of a topic that exceed what lies there."""
    state = sight.state
    if state.demanded(topic) is not None:
        return None
    cards = to_replace_with(sight, topic)
    total = 0
    for count, card in enumerate(cards, 1):
        total += state.number_of(card)
        if total > state.number_of(demand.card):
            return tuple(cards[:count])
    return None
