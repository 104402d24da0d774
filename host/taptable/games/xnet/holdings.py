"""Where the cards of X.net really are at a simulated table: in hands, in the draw pile, on servers, in the pyramid.

Kept by what the players do, never by what the referee believes; `disagreement` compares the two. Servers, streamers
and markers are what the table hands out (X1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from taptable.core.observations import Observation
from taptable.core.player import Heap
from taptable.games.xnet.heaps import middle_heaps, provider_heaps
from taptable.games.xnet.options import Options
from taptable.games.xnet.state import SERVER, STREAMER, Demand, Offer, State
from taptable.games.xnet.turns import DRAWN_A_TURN, EXTRA_CARDS


@dataclass(frozen=True, slots=True)
class Past:
    """What was observed, and the holdings before it, to which a take-back returns."""

    observation: Observation
    holdings: Holdings


@dataclass(frozen=True, slots=True)
class Holdings:
    """All cards; the last of the draw pile is its top.

    `offers` are each seat's topics, `servers` and `streamers` what it has to lay them on, `paid` the cards tapped for
    an action, `owed` what an empty pile still owes. `turns` counts the turns so far. `past` leads back to the holdings
    before each move that may still be taken back."""

    options: Options
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    offers: tuple[tuple[Offer, ...], ...]
    servers: tuple[int, ...]
    streamers: tuple[int, ...]
    youngest: int
    demand: tuple[Demand, ...] = ()
    discard: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    owed: int = 0
    turns: int = 0
    past: Past | None = None

    def hand(self, seat: int) -> tuple[str, ...]:
        """A seat's hand."""
        return self.hands[seat - 1]

    def with_hand(self, seat: int, hand: tuple[str, ...]) -> Holdings:
        """The same with another hand for one seat."""
        return replace(self, hands=(*self.hands[: seat - 1], hand, *self.hands[seat:]))

    def with_offers(self, seat: int, offers: tuple[Offer, ...]) -> Holdings:
        """The same with other topics before one seat."""
        return replace(self, offers=(*self.offers[: seat - 1], offers, *self.offers[seat:]))

    def topic_of(self, card: str) -> str:
        """What is printed on a card."""
        return self.options.deck.cards[card].topic

    def number_of(self, card: str) -> int:
        """What is printed on a card."""
        return self.options.deck.cards[card].number


def deal(state: State, rng: Random) -> Holdings:
    """What is hidden in a state, shuffled and dealt as the table counts it."""
    paid = state.pending.cards if state.pending else ()
    lying = {*state.discard, *paid, *(demand.card for demand in state.demand)}
    lying.update(card for provider in state.providers for card in provider.cards)
    cards = [card for card in state.options.deck.cards if card not in lying]
    rng.shuffle(cards)
    hands: list[tuple[str, ...]] = []
    for provider in state.providers:
        hands.append(tuple(cards[: provider.hand]))
        del cards[: provider.hand]
    return Holdings(
        state.options,
        tuple(hands),
        tuple(cards),
        tuple(provider.offers for provider in state.providers),
        tuple(provider.servers for provider in state.providers),
        tuple(provider.streamers for provider in state.providers),
        youngest=rng.randint(1, state.options.players),
        demand=state.demand,
        discard=state.discard,
        paid=paid,
        owed=state.turn.owed if state.turn else 0,
    )


def deal_extra(holdings: Holdings, starter: int) -> Holdings:
    """The extra cards, once it is known who begins (X1.1)."""
    players = holdings.options.players
    for place, extra in enumerate(EXTRA_CARDS[players]):
        holdings = draw(holdings, (starter - 1 + place) % players + 1, extra)
    return holdings


def draw(holdings: Holdings, seat: int, count: int) -> Holdings:
    """A player draws as many cards as the pile has of these."""
    left = max(0, len(holdings.pile) - count)
    drawn = holdings.with_hand(seat, (*holdings.hand(seat), *holdings.pile[left:]))
    return replace(drawn, pile=holdings.pile[:left])


def draw_five(holdings: Holdings, seat: int) -> Holdings:
    """The cards of a new turn; what is lacking is owed where the discard pile can give it (X2.4, X2.5)."""
    missing = max(0, DRAWN_A_TURN - len(holdings.pile))
    drawn = draw(holdings, seat, DRAWN_A_TURN)
    return replace(drawn, owed=missing if holdings.discard else 0, turns=holdings.turns + 1)


def reshuffle(holdings: Holdings, seat: int, rng: Random) -> Holdings:
    """The discard pile is shuffled into the draw pile, and what is owed is drawn (X2.5)."""
    pile = [*holdings.pile, *holdings.discard]
    rng.shuffle(pile)
    shuffled = replace(holdings, pile=tuple(pile), discard=(), owed=0, past=None)
    return draw(shuffled, seat, holdings.owed)


def from_hand(holdings: Holdings, seat: int, card: str) -> Holdings:
    """The card leaves the hand."""
    return holdings.with_hand(seat, _less(holdings.hand(seat), card))


def serve(holdings: Holdings, seat: int, card: str) -> Holdings:
    """A card of the hand lies on a server, beside those of its topic (X3.6, X3.7)."""
    holdings = from_hand(holdings, seat, card)
    topic = holdings.topic_of(card)
    offers = holdings.offers[seat - 1]
    if all(offer.topic != topic for offer in offers):
        return holdings.with_offers(seat, (*offers, Offer(topic, (card,))))
    added = (
        replace(offer, cards=(*offer.cards, card)) if offer.topic == topic and offer.on == SERVER else offer
        for offer in offers
    )
    return holdings.with_offers(seat, tuple(added))


def to_streamer(holdings: Holdings, seat: int, topic: str) -> Holdings:
    """A topic moves onto the streamer (X3.5)."""
    moved = (replace(offer, on=STREAMER) if offer.topic == topic else offer for offer in holdings.offers[seat - 1])
    return holdings.with_offers(seat, tuple(moved))


def to_hand(holdings: Holdings, seat: int, topic: str) -> Holdings:
    """A topic goes back to the hand (X3.10)."""
    offers = holdings.offers[seat - 1]
    cards = tuple(card for offer in offers if offer.topic == topic for card in offer.cards)
    left = tuple(offer for offer in offers if offer.topic != topic)
    return holdings.with_offers(seat, left).with_hand(seat, (*holdings.hand(seat), *cards))


def equip(holdings: Holdings, state: State) -> Holdings:
    """Servers, streamers and markers as the table has handed them out; it counts them itself (X1.3)."""
    markers = {(demand.level, demand.place): demand.x for demand in state.demand}
    helped = [
        {offer.topic for offer in provider.offers if offer.on == SERVER and offer.specialist}
        for provider in state.providers
    ]
    return replace(
        holdings,
        servers=tuple(provider.servers for provider in state.providers),
        streamers=tuple(provider.streamers for provider in state.providers),
        demand=tuple(replace(each, x=markers.get((each.level, each.place))) for each in holdings.demand),
        offers=tuple(
            tuple(replace(offer, specialist=offer.topic in topics) for offer in offers)
            for offers, topics in zip(holdings.offers, helped, strict=True)
        ),
    )


def lying(holdings: Holdings) -> tuple[Heap, ...]:
    """What lies open on the table."""
    laid = (
        heap
        for seat, offers in enumerate(holdings.offers, 1)
        for heap in provider_heaps(seat, offers, holdings.servers[seat - 1], holdings.streamers[seat - 1])
    )
    return (*laid, *middle_heaps(holdings.demand, holdings.paid, holdings.discard))


def disagreement(holdings: Holdings, state: State) -> str | None:
    """The first thing that lies otherwise than the referee believes; None if all agrees."""
    for seat, provider in enumerate(state.providers, 1):
        believed = tuple((offer.topic, offer.cards, offer.on) for offer in provider.offers)
        there = tuple((offer.topic, offer.cards, offer.on) for offer in holdings.offers[seat - 1])
        if believed != there:
            return f"topics of seat {seat}: {believed} believed, {there} there"
    places = tuple((demand.level, demand.place, demand.card) for demand in state.demand)
    lie = tuple((demand.level, demand.place, demand.card) for demand in holdings.demand)
    if places != lie:
        return f"pyramid: {places} believed, {lie} there"
    paid = state.pending.cards if state.pending else ()
    if (state.discard, paid) != (holdings.discard, holdings.paid):
        return f"discard pile {state.discard}, paid {paid} believed, {holdings.discard}, {holdings.paid} there"
    hands, counts = tuple(provider.hand for provider in state.providers), tuple(map(len, holdings.hands))
    if (hands, state.draw_pile) != (counts, len(holdings.pile)):
        return f"hands {hands} and pile {state.draw_pile} believed, {counts} and {len(holdings.pile)} there"
    cards = sorted(_all(holdings))
    return None if cards == sorted(state.options.deck.cards) else f"{len(cards)} cards at the table"


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(other for other in cards if other != card) if card in cards else cards


def _all(holdings: Holdings) -> Iterator[str]:
    for hand in holdings.hands:
        yield from hand
    for offers in holdings.offers:
        for offer in offers:
            yield from offer.cards
    yield from (demand.card for demand in holdings.demand)
    yield from holdings.paid
    yield from holdings.pile
    yield from holdings.discard
