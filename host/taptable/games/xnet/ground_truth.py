"""The real places of the cards of X.net at a simulated table (in hands, in the draw pile, on servers, in the pyramid),
and their moves after accepted taps, by players who read the print of the cards themselves. Servers, streamers and
markers follow the table, which hands them out (X1.3). `plans` and `policy` decide by it. Must not affect what the
referee believes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation, TableCorrected
from taptable.core.player import Cards, GroundTruth, Zone, shuffled, without
from taptable.games.xnet import controls
from taptable.games.xnet.controls import make_pending, open_choice
from taptable.games.xnet.options import Options
from taptable.games.xnet.public import middle_zones, provider_zones
from taptable.games.xnet.state import STREAMER, Demand, Offer, Pending, State, with_demand
from taptable.games.xnet.turns import CARDS_PER_TURN, EXTRA_CARDS


@dataclass(kw_only=True)
class XnetTruth(GroundTruth):
    """The real places of all cards. `offers` are each seat's topics, `servers` and `streamers` the numbers of those it
    has, `paid` the cards tapped for an action; `turns` counts the turns."""

    options: Options
    offers: tuple[tuple[Offer, ...], ...]
    servers: tuple[int, ...]
    streamers: tuple[int, ...]
    demand: tuple[Demand, ...] = ()
    paid: Cards = ()
    turns: int = 0

    def topic_of(self, card: str) -> str:
        """Return the topic printed on a card."""
        return self.options.topic_cards.cards[card].topic

    def number_of(self, card: str) -> int:
        """Return the number printed on a card."""
        return self.options.topic_cards.cards[card].number

    def demand_for(self, topic: str | None) -> Demand:
        """Return the place of a topic in the pyramid."""
        return next(each for each in self.demand if self.topic_of(each.card) == topic)

    def other_cards(self) -> Iterator[str]:
        """Yield the cards before the players, in the pyramid, and tapped for an action."""
        for offers in self.offers:
            for offer in offers:
                yield from offer.cards
        yield from (demand.card for demand in self.demand)
        yield from self.paid

    def layout(self) -> tuple[Zone, ...]:
        """Return the open zones on the table."""
        laid = (
            zone
            for seat, offers in enumerate(self.offers, 1)
            for zone in provider_zones(seat, offers, self.servers[seat - 1], self.streamers[seat - 1])
        )
        return (*laid, *middle_zones(self.demand, self.paid, self.discard))

    def put_offers(self, seat: int, offers: tuple[Offer, ...]) -> None:
        """Replace the topics before one seat."""
        self.offers = (*self.offers[: seat - 1], offers, *self.offers[seat:])

    def give_back(self, seat: int) -> None:
        """Return the cards tapped for an action to the hand (X5.6)."""
        self.put_hand(seat, (*self.hand(seat), *self.paid))
        self.paid = ()


def deal(state: State, rng: Random) -> XnetTruth:
    """Return a truth for a state: its hidden cards shuffled and dealt by the table's counts."""
    paid = state.pending.cards if state.pending else ()
    open_cards = {*state.discard, *paid, *(demand.card for demand in state.demand)}
    open_cards.update(card for provider in state.providers for card in provider.cards)
    cards = list(shuffled([card for card in state.options.topic_cards.cards if card not in open_cards], rng))
    hands: list[Cards] = []
    for provider in state.providers:
        hands.append(tuple(cards[: provider.hand]))
        del cards[: provider.hand]
    return XnetTruth(
        options=state.options,
        hands=tuple(hands),
        pile=tuple(cards),
        offers=tuple(provider.offers for provider in state.providers),
        servers=tuple(provider.servers for provider in state.providers),
        streamers=tuple(provider.streamers for provider in state.providers),
        youngest=rng.randint(1, state.options.players),
        demand=state.demand,
        discard=state.discard,
        paid=paid,
        owed=state.turn.owed if state.turn else 0,
    )


def move(before: State, after: State, observation: Observation, truth: XnetTruth, rng: Random) -> None:
    """Move the cards of this draft as the players do after an accepted observation."""
    turn = before.turn
    match observation:
        case ButtonPressed(_, seat) if turn is None:
            # the extra cards, once the starter is known (X1.1)
            players = truth.options.players
            for place, extra in enumerate(EXTRA_CARDS[players]):
                truth.draw((seat - 1 + place) % players + 1, extra)
        case _ if turn is None:
            pass
        case ControlUsed(_, "reshuffle"):
            truth.pile, truth.discard = shuffled((*truth.pile, *truth.discard), rng), ()
            truth.draw(turn.seat, truth.owed)
            truth.owed = 0
        case TableCorrected() | ControlUsed(_, "end-game"):
            truth.give_back(turn.seat)
        case CardTapped(_, card):
            _tap(before, after, turn.seat, card, truth)
        case ButtonPressed(_, seat):
            if before.pending is not None:
                truth.give_back(turn.seat)
            else:
                _begin_turn(after, seat % before.options.players + 1, truth)
        case ControlUsed(_, control, fields):
            _do_at_once(after, turn.seat, make_pending(control, fields), truth)
        case _:
            pass
    _equip(after, truth)


def disagreement(state: State, truth: XnetTruth) -> str | None:
    """Return the first difference between the referee's belief and the truth; None if they agree."""
    for seat, provider in enumerate(state.providers, 1):
        if provider.offers != truth.offers[seat - 1]:
            return f"topics of seat {seat}: {provider.offers} believed, {truth.offers[seat - 1]} there"
    if state.demand != truth.demand:
        return f"pyramid: {state.demand} believed, {truth.demand} there"
    paid = state.pending.cards if state.pending else ()
    if (state.discard, paid) != (truth.discard, truth.paid):
        return f"discard pile {state.discard}, paid {paid} believed, {truth.discard}, {truth.paid} there"
    hands, counts = [provider.hand for provider in state.providers], [len(hand) for hand in truth.hands]
    if (hands, state.draw_pile) != (counts, len(truth.pile)):
        return f"hands {hands} and pile {state.draw_pile} believed, {counts} and {len(truth.pile)} there"
    return truth.find_discrepancy(state.options.topic_cards.cards)


def _tap(before: State, after: State, seat: int, card: str, truth: XnetTruth) -> None:
    pending = before.pending
    if before.opening:
        truth.pile = without(truth.pile, card)
        truth.leave_hand(card)  # the table counts that as one of the pile
        truth.demand = (*truth.demand, Demand(len(truth.demand) + 1, 1, card))
        if not after.opening:
            _begin_turn(after, seat, truth)
    elif pending is None:
        truth.leave_hand(card)
        topic, offers = truth.topic_of(card), truth.offers[seat - 1]
        current = next((offer for offer in offers if offer.topic == topic), Offer(topic, ()))
        grown = replace(current, cards=(*current.cards, card))
        replaced = tuple(grown if offer is current else offer for offer in offers)
        truth.put_offers(seat, replaced if current in offers else (*offers, grown))
    elif open_choice(pending) is not None:
        _do_at_once(after, seat, replace(pending, topic=truth.topic_of(card)), truth)
    else:
        truth.leave_hand(card)
        truth.paid = (*truth.paid, card)
        if after.pending is None:
            _settle_payment(pending, truth)


def _do_at_once(after: State, seat: int, pending: Pending, truth: XnetTruth) -> None:
    """Do an action without payment as soon as it is chosen (X5.3): a topic goes to the streamer or to the hand (X3.5,
    X3.10)."""
    topic, offers = pending.topic, truth.offers[seat - 1]
    if after.pending is not None or topic is None:
        return
    if pending.action == controls.TO_STREAMER:
        on_it = (replace(offer, location=STREAMER) if offer.topic == topic else offer for offer in offers)
        truth.put_offers(seat, tuple(on_it))
    elif pending.action == controls.TO_HAND:
        cards = tuple(card for offer in offers if offer.topic == topic for card in offer.cards)
        truth.put_offers(seat, tuple(offer for offer in offers if offer.topic != topic))
        truth.put_hand(seat, (*truth.hand(seat), *cards))


def _settle_payment(pending: Pending, truth: XnetTruth) -> None:
    """Move the cards of a complete payment to their places (X3.1–X3.4, X5.5)."""
    paid, truth.paid = truth.paid, ()
    match pending.action:
        case controls.DEMAND_NEW:
            assert pending.level is not None
            occupied = {each.place for each in truth.demand if each.level == pending.level}
            place = next(number for number in range(1, 4) if number not in occupied)
            truth.demand = with_demand(truth.demand, Demand(pending.level, place, paid[0]))
            return
        case controls.DEMAND_REPLACE:
            old = truth.demand_for(pending.topic)
            best = max(paid, key=truth.number_of)
            truth.demand = with_demand(truth.demand, replace(old, card=best))
            paid = (old.card, *(card for card in paid if card != best))
        case controls.SWAP:
            lower, upper = truth.demand_for(pending.lower), truth.demand_for(pending.upper)
            truth.demand = with_demand(truth.demand, replace(lower, card=upper.card), replace(upper, card=lower.card))
        case _:
            pass
    truth.discard = (*truth.discard, *paid)


def _begin_turn(after: State, seat: int, truth: XnetTruth) -> None:
    """Draw five cards, unless the score has just ended the game (X4.1); missing cards are owed if the discard pile can
    give them (X2.4, X2.5)."""
    if after.outcome is None:
        lacking = truth.draw(seat, CARDS_PER_TURN)
        truth.owed, truth.turns = lacking if truth.discard else 0, truth.turns + 1


def _equip(state: State, truth: XnetTruth) -> None:
    """Copy servers, streamers and markers from the table, which hands them out and counts them itself (X1.3)."""
    truth.servers = tuple([provider.servers for provider in state.providers])
    truth.streamers = tuple([provider.streamers for provider in state.providers])
    markers = {(demand.level, demand.place): demand.x_seat for demand in state.demand}
    if any(each.x_seat != markers.get((each.level, each.place)) for each in truth.demand):
        truth.demand = tuple(replace(each, x_seat=markers.get((each.level, each.place))) for each in truth.demand)
    for seat, provider in enumerate(state.providers, 1):
        helped = {offer.topic for offer in provider.offers if offer.specialist}
        if helped != {offer.topic for offer in truth.offers[seat - 1] if offer.specialist}:
            offers = (replace(offer, specialist=offer.topic in helped) for offer in truth.offers[seat - 1])
            truth.put_offers(seat, tuple(offers))
