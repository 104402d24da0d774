"""What a virtual player of X.net sees at a glance: the own hand and servers, and the pyramid. Sorted so that the same
sight always leads to the same wish."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.games.xnet.choosing import is_offered
from taptable.games.xnet.holdings import Holdings
from taptable.games.xnet.score import scoring_sizes
from taptable.games.xnet.state import CARDS_A_TOPIC, SERVER, Demand, Offer, Provider, State, Turn


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as the player on turn sees it; `hand` has the dearest card first."""

    state: State
    turn: Turn
    provider: Provider
    hand: tuple[str, ...]

    @property
    def seat(self) -> int:
        """Whose sight it is."""
        return self.turn.seat

    def of_topic(self, topic: str) -> list[str]:
        """The cards of a topic in the hand, the highest number first."""
        held = (card for card in self.hand if self.state.topic_of(card) == topic)
        return sorted(held, key=lambda card: (-self.state.number_of(card), card))

    @property
    def held_topics(self) -> list[str]:
        """The topics in the hand, those with most cards first."""
        topics = {self.state.topic_of(card) for card in self.hand}
        return sorted(topics, key=lambda topic: (-len(self.of_topic(topic)), topic))

    def is_offered(self, topic: str) -> bool:
        """Does this topic bring users and points?"""
        return is_offered(self.state, self.provider, topic)

    def scores(self, offer: Offer) -> bool:
        """Would this topic score now?"""
        return len(offer.cards) in scoring_sizes(self.state, offer.topic)

    @property
    def dead(self) -> list[Offer]:
        """Topics on the servers that nobody wants any more."""
        on_servers = (offer for offer in self.provider.offers if offer.on == SERVER)
        return [offer for offer in on_servers if self.state.demanded(offer.topic) is None]

    def takes_more(self, offer: Offer) -> bool:
        """May cards be added to this topic (X3.7)?"""
        return self.is_offered(offer.topic) and (offer.specialist or len(offer.cards) < CARDS_A_TOPIC)

    @property
    def unserved(self) -> list[Demand]:
        """What is in demand and not on an own server, the highest level first."""
        return [
            demand
            for demand in reversed(self.state.demand)
            if self.provider.offer(self.state.topic_of(demand.card)) is None
        ]

    def cheapest(self, but: str | None = None) -> str | None:
        """The card of the hand that is missed least; `but` names a topic to be spared as long as there is another."""
        spared = [card for card in self.hand if self.state.topic_of(card) != but]
        return (spared or list(self.hand) or [None])[-1]


def look(state: State, holdings: Holdings, turn: Turn) -> Sight:
    """The sight of the player on turn."""
    provider = state.provider(turn.seat)
    hand = holdings.hand(turn.seat)
    count: dict[str, int] = {}
    for card in hand:
        count[state.topic_of(card)] = count.get(state.topic_of(card), 0) + 1

    def worth(card: str) -> tuple[int, int, int, str]:
        topic = state.topic_of(card)
        use = 2 if is_offered(state, provider, topic) else 1 if state.demanded(topic) is not None else 0
        return use, count[topic], state.number_of(card), card

    return Sight(state, turn, provider, tuple(sorted(hand, key=worth, reverse=True)))
