"""The state of a game of X.net: what the table knows. Of hands and the draw pile it knows the counts only (X5.8).
States are immutable; `play` changes drafts. Must not know which moves are allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from taptable.core.drafts import draft
from taptable.core.scoreboard import Outcome
from taptable.games.xnet.options import Options

LEVELS = (3, 2, 1)
"""The number of places of each level of the pyramid, the lowest first (X1.4)."""
NETS = (4, 7, 9, 10)
"""The users that each net has room for, from the first net to the largest (X3.9)."""
START_HAND = 5
"""The cards of each hand at the start, without the extra cards (`turns.EXTRA_CARDS`) (X1.1)."""
TOPICS_PER_SERVER = 2
"""The places for topics on a server (X3.6)."""
CARDS_PER_TOPIC = 2
"""The most cards of a topic without a specialist (X3.7)."""
MAX_SERVERS = 3
MAX_STREAMERS = 1
"""The most servers and streamers of one player (X3.9)."""
SPECIALISTS = 16
"""The specialists in the stock at the start, for all players together (X3.9)."""
MAX_HAND_AFTER_TAKING_BACK = 10
"""The most cards that a hand may have after its player took a topic back (X3.10). Hands have no other limit."""

SERVER = "server"
STREAMER = "streamer"
"""The places where a topic may lie before a player."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One topic before a provider: its cards in the order laid, and whether it lies on a server or on the streamer."""

    topic: str
    cards: tuple[str, ...]
    location: str = SERVER
    specialist: bool = False


@dataclass
class Provider:
    """The belongings of one player; `offers` in the order laid, those on the streamer included."""

    points: int = 0
    users: int = 0
    net: int = NETS[0]
    servers: int = 1
    streamers: int = 0
    offers: tuple[Offer, ...] = ()
    hand: int = START_HAND

    def offer(self, topic: str) -> Offer | None:
        """Return this player's cards of a topic; None if none lie here."""
        return next((offer for offer in self.offers if offer.topic == topic), None)

    def server_offer(self, topic: str) -> Offer | None:
        """Return the cards of a topic on the servers, which count as offered; None if there are none."""
        return next((offer for offer in self.offers if offer.topic == topic and offer.location == SERVER), None)

    @property
    def has_empty_streamer(self) -> bool:
        """Whether a streamer is empty (X3.5)."""
        return sum(offer.location == STREAMER for offer in self.offers) < self.streamers

    @property
    def has_free_place(self) -> bool:
        """Whether a place for a new topic is free (X3.6)."""
        return sum(offer.location == SERVER for offer in self.offers) < TOPICS_PER_SERVER * self.servers

    @property
    def is_within_capacity(self) -> bool:
        """Whether the servers have places for all topics on them."""
        return sum(offer.location == SERVER for offer in self.offers) <= TOPICS_PER_SERVER * self.servers

    @property
    def cards(self) -> Iterator[str]:
        """Every card that lies here."""
        return (card for offer in self.offers for card in offer.cards)

    def put_offer(self, changed: Offer) -> None:
        """Add or replace one of the topics."""
        if self.offer(changed.topic) is None:
            self.offers = (*self.offers, changed)
        else:
            self.offers = tuple(changed if offer.topic == changed.topic else offer for offer in self.offers)

    def drop_offer(self, topic: str) -> None:
        """Remove one of the topics."""
        self.offers = tuple(offer for offer in self.offers if offer.topic != topic)

    def take(self, topic: str, cards: set[str]) -> None:
        """Remove these cards from a topic."""
        offer = self.offer(topic)
        assert offer is not None
        self.put_offer(replace(offer, cards=tuple(card for card in offer.cards if card not in cards)))

    def add(self, topic: str, card: str) -> Offer:
        """Add a card to its topic, and return the topic, which may be new."""
        offer = self.offer(topic) or Offer(topic, ())
        grown = replace(offer, cards=(*offer.cards, card))
        self.put_offer(grown)
        return grown


@dataclass(frozen=True, slots=True)
class Demand:
    """An occupied place of the pyramid; `x_seat` is the seat whose X marker lies there."""

    level: int
    place: int
    card: str
    x_seat: int | None = None


def with_demand(demand: tuple[Demand, ...], *changed: Demand) -> tuple[Demand, ...]:
    """Return the pyramid with these places added or replaced, sorted by level and place."""
    by_place = {(each.level, each.place): each for each in (*demand, *changed)}
    return tuple(by_place[place] for place in sorted(by_place))


@dataclass
class Turn:
    """The running turn: whether its single actions were done, a topic that must be brought in before it ends (X3.2),
    and the number of cards that an empty draw pile still owes (X2.5)."""

    seat: int
    has_laid_demand: bool = False
    has_replaced_demand: bool = False
    topic_to_offer: str | None = None
    owed: int = 0


@dataclass(frozen=True, slots=True)
class Pending:
    """A pending action: its control, the known fields of that, and the cards already tapped (X5.2, X5.5)."""

    action: str
    level: int | None = None
    users: int | None = None
    topic: str | None = None
    lower: str | None = None
    upper: str | None = None
    cards: tuple[str, ...] = ()


@dataclass
class State:
    """A whole game. It is `opening` until the first three demands lie (X1.4); `turn` is None until the starter is known
    (X1.2). `demand` is sorted by level and place, `discard` has its oldest card first."""

    options: Options
    providers: tuple[Provider, ...]
    draw_pile: int
    discard: tuple[str, ...] = ()
    specialists: int = SPECIALISTS
    demand: tuple[Demand, ...] = ()
    turn: Turn | None = None
    opening: bool = True
    pending: Pending | None = None
    outcome: Outcome | None = None

    def provider(self, seat: int) -> Provider:
        """Return the provider at this seat."""
        return self.providers[seat - 1]

    def draft_provider(self, seat: int) -> Provider:
        """Replace the provider at this seat by a draft of it, and return the draft."""
        provider = draft(self.providers[seat - 1])
        self.providers = (*self.providers[: seat - 1], provider, *self.providers[seat:])
        return provider

    def put_demand(self, *changed: Demand) -> None:
        """Add or replace these places of the pyramid."""
        self.demand = with_demand(self.demand, *changed)

    def draw(self, seat: int, count: int) -> None:
        """Draw this number of cards for a seat."""
        self.draft_provider(seat).hand += count
        self.draw_pile -= count

    @property
    def unmet_offer(self) -> str | None:
        """The topic that must still be brought in before the turn can end (X3.2)."""
        turn = self.turn
        if turn is None or turn.topic_to_offer is None:
            return None
        return turn.topic_to_offer if self.provider(turn.seat).server_offer(turn.topic_to_offer) is None else None

    def topic_of(self, card: str) -> str:
        """Return the topic of a card of the manifest."""
        return self.options.topic_cards.cards[card].topic

    def number_of(self, card: str) -> int:
        """Return the number of a card of the manifest."""
        return self.options.topic_cards.cards[card].number

    def demand_for(self, topic: str) -> Demand | None:
        """Return the place of a topic in the pyramid; None if it isn't there."""
        return next((demand for demand in self.demand if self.topic_of(demand.card) == topic), None)

    def free_place(self, level: int) -> int | None:
        """Return the lowest free place of a level; None if it is full."""
        occupied = {demand.place for demand in self.demand if demand.level == level}
        return next((place for place in range(1, LEVELS[level - 1] + 1) if place not in occupied), None)

    def locate(self, card: str) -> int | str | None:
        """Return where a card lies: the seat of its provider, ``demand`` for the pyramid, ``discard``, ``pending`` if
        it was tapped for a payment, or None while it is hidden (X5.9)."""
        if card in self.discard:
            return "discard"
        if self.pending is not None and card in self.pending.cards:
            return "pending"
        for demand in self.demand:
            if demand.card == card:
                return "demand"
        for seat, provider in enumerate(self.providers, 1):
            for offer in provider.offers:
                if card in offer.cards:
                    return seat
        return None
