"""What a virtual player of X.net sees at a glance, and its plans: which topic to bring into the pyramid, to replace or
to swap, and how an action that was begun is gone on with. A plan names all that its action needs, so that what was
begun can be carried through; the same sight always leads to the same plan."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.observations import DISCARD_PAD, CardTapped
from taptable.core.player import PlayerAction, Push, Tap
from taptable.games.xnet import controls
from taptable.games.xnet.actions import is_offered
from taptable.games.xnet.controls import open_choice
from taptable.games.xnet.ground_truth import XnetTruth
from taptable.games.xnet.play import play
from taptable.games.xnet.state import CARDS_PER_TOPIC, SERVER, Demand, Offer, Pending, Provider, State, Turn
from taptable.games.xnet.turns import scoring_sizes

HIGHEST_NEW = (2, 1)
"""The levels a new demand may go to, the better first (X3.1)."""
MANY = 2
"""So many cards of one topic leave others behind."""


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

    def cards_of_topic(self, topic: str) -> list[str]:
        """The cards of a topic in the hand, the highest number first."""
        held = (card for card in self.hand if self.state.topic_of(card) == topic)
        return sorted(held, key=lambda card: (-self.state.number_of(card), card))

    @property
    def held_topics(self) -> list[str]:
        """The topics in the hand, those with most cards first."""
        topics = {self.state.topic_of(card) for card in self.hand}
        return sorted(topics, key=lambda topic: (-len(self.cards_of_topic(topic)), topic))

    def is_offered(self, topic: str) -> bool:
        """Does this topic bring users and points?"""
        return is_offered(self.state, self.provider, topic)

    def would_score(self, offer: Offer) -> bool:
        """Would this topic score now?"""
        return len(offer.cards) in scoring_sizes(self.state, offer.topic)

    @property
    def unwanted_offers(self) -> list[Offer]:
        """Topics on the servers that nobody wants any more."""
        on_servers = (offer for offer in self.provider.offers if offer.location == SERVER)
        return [offer for offer in on_servers if self.state.demand_for(offer.topic) is None]

    def can_add_to(self, offer: Offer) -> bool:
        """May cards be added to this topic (X3.7)?"""
        return self.is_offered(offer.topic) and (offer.specialist or len(offer.cards) < CARDS_PER_TOPIC)

    @property
    def unserved_demands(self) -> list[Demand]:
        """What is in demand and not on an own server, the highest level first."""
        return [
            demand
            for demand in reversed(self.state.demand)
            if self.provider.offer(self.state.topic_of(demand.card)) is None
        ]

    def least_useful_card(self, spared_topic: str | None = None) -> str | None:
        """The card of the hand that is missed least; `spared_topic` names a topic to be spared as long as there is
        another."""
        spared = [card for card in self.hand if self.state.topic_of(card) != spared_topic]
        return (spared or list(self.hand) or [None])[-1]


def make_sight(state: State, truth: XnetTruth, turn: Turn) -> Sight:
    """The sight of the player on turn."""
    provider = state.provider(turn.seat)
    hand = truth.hand(turn.seat)
    count: dict[str, int] = {}
    for card in hand:
        count[state.topic_of(card)] = count.get(state.topic_of(card), 0) + 1

    def worth(card: str) -> tuple[int, int, int, str]:
        topic = state.topic_of(card)
        use = 2 if is_offered(state, provider, topic) else 1 if state.demand_for(topic) is not None else 0
        return use, count[topic], state.number_of(card), card

    return Sight(state, turn, provider, tuple(sorted(hand, key=worth, reverse=True)))


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


def best_new_demand(sight: Sight, level: int | None = None) -> NewDemand | None:
    """The topic most worth bringing in: one that lies dead on a server, or of which more cards are held, if there is a
    place for it. Another than `level` is out of the question once that was chosen."""
    state = sight.state
    levels = [each for each in HIGHEST_NEW if level in (None, each) and state.free_place(each) is not None]
    if not levels:
        return None
    dead = {offer.topic for offer in sight.unwanted_offers}
    for topic in sight.held_topics:
        cards = sight.cards_of_topic(topic)
        if state.demand_for(topic) is not None:
            continue
        if topic in dead or (sight.provider.offer(topic) is None and sight.provider.has_free_place and len(cards) > 1):
            return NewDemand(levels[0], cards[-1])
    return None


def best_replacement(sight: Sight, topic: str | None = None) -> Replacement | None:
    """The replacement that gains most: of a topic that isn't offered, the higher its level the better, by one that is
    offered then. `topic` is the one to go, once it was chosen."""
    for demand in reversed(sight.state.demand):
        going = sight.state.topic_of(demand.card)
        if demand.x_seat is not None or sight.is_offered(going) or topic not in (None, going):
            continue
        for coming in sight.held_topics:
            cards = _fewest_cards(sight, demand, coming)
            if cards is not None:
                return Replacement(demand, cards)
    return None


def best_swap(sight: Sight, pending: Pending | None = None) -> Swap | None:
    """A swap by which an offered topic rises above one that isn't offered; with the topics that were chosen so far."""
    state = sight.state
    for lower in reversed(state.demand):
        topic = state.topic_of(lower.card)
        cards = sight.cards_of_topic(topic)
        if not cards or not sight.is_offered(topic) or (pending and pending.lower not in (None, topic)):
            continue
        for upper in state.demand:
            above = state.topic_of(upper.card)
            if upper.level != lower.level + 1 or sight.is_offered(above):
                continue
            if pending is None or pending.upper in (None, above):
                return Swap(lower, upper, cards[-1])
    return None


def cards_to_replace_with(sight: Sight, topic: str) -> list[str]:
    """The cards of a topic that can be spent for a replacement, the highest first: a topic that isn't on a server yet
    needs a place there, and a card more to be brought in with (X3.2)."""
    cards = sight.cards_of_topic(topic)
    if sight.provider.server_offer(topic) is not None:
        return cards
    return cards[:-1] if sight.provider.offer(topic) is None and sight.provider.has_free_place else []


def _fewest_cards(sight: Sight, demand: Demand, topic: str) -> tuple[str, ...] | None:
    """The fewest cards of a topic that exceed what lies there."""
    state = sight.state
    if state.demand_for(topic) is not None:
        return None
    cards = cards_to_replace_with(sight, topic)
    total = 0
    for count, card in enumerate(cards, 1):
        total += state.number_of(card)
        if total > state.number_of(demand.card):
            return tuple(cards[:count])
    return None


# ---- an action that was begun


def continue_action(sight: Sight, pending: Pending) -> PlayerAction:
    """The next tap of the action, on a pad that every table has (X5.4); where nothing fits it is broken off."""
    tap = _choice(sight, pending) if open_choice(pending) is not None else _payment(sight, pending)
    if tap is None:
        return Push(sight.seat)
    return tap if isinstance(play(sight.state, CardTapped(0, tap.card, tap.pad)), tuple) else Push(sight.seat)


def _choice(sight: Sight, pending: Pending) -> Tap | None:
    """The card that chooses a topic where it lies (X5.2)."""
    match pending.action:
        case controls.DEMAND_REPLACE:
            plan = best_replacement(sight)
            return plan and Tap(sight.seat, plan.demand.card, DISCARD_PAD)
        case controls.SWAP:
            swap = best_swap(sight, pending)
            if swap is None:
                return None
            return Tap(sight.seat, (swap.lower if pending.lower is None else swap.upper).card, DISCARD_PAD)
        case controls.HIRE_SPECIALIST:
            topic = topic_for_specialist(sight)
        case _:
            topic = next((offer.topic for offer in sight.unwanted_offers), None)
    offer = None if topic is None else sight.provider.offer(topic)
    return offer and Tap(sight.seat, offer.cards[0], sight.seat)


def _payment(sight: Sight, pending: Pending) -> Tap | None:
    """The next card of the price."""
    card = _next_card(sight, pending)
    return None if card is None else Tap(sight.seat, card, DISCARD_PAD)


def _next_card(sight: Sight, pending: Pending) -> str | None:
    match pending.action:
        case controls.DEMAND_NEW:
            new = best_new_demand(sight, pending.level)
            return new and new.card
        case controls.DEMAND_REPLACE if not pending.cards:
            plan = best_replacement(sight, pending.topic)
            return plan and plan.cards[0]
        case controls.DEMAND_REPLACE:
            return next(iter(cards_to_replace_with(sight, sight.state.topic_of(pending.cards[0]))), None)
        case controls.SWAP:
            swap = best_swap(sight, pending)
            return swap and swap.card
        case controls.BUY_USERS if not pending.cards:
            topic = users_topic(sight, pending.users or 1)
            return None if topic is None else sight.cards_of_topic(topic)[-1]
        case controls.BUY_USERS if pending.users == 2:
            return next(iter(reversed(sight.cards_of_topic(sight.state.topic_of(pending.cards[0])))), None)
        case controls.HIRE_SPECIALIST:
            return sight.least_useful_card(spared_topic=pending.topic)
        case _:
            return sight.least_useful_card()


def users_topic(sight: Sight, users: int) -> str | None:
    """The offered topic whose cards would buy so many users."""
    topics = (topic for topic in sight.held_topics if sight.is_offered(topic))
    return next((topic for topic in topics if len(sight.cards_of_topic(topic)) >= users), None)


def topic_for_specialist(sight: Sight) -> str | None:
    """A topic that takes no more cards without one, if it doesn't score as it is, or if so many cards of it are held
    that others would be left behind."""
    for offer in sight.provider.offers:
        if not sight.is_offered(offer.topic) or sight.can_add_to(offer):
            continue
        held = len(sight.cards_of_topic(offer.topic))
        if held and len(sight.hand) > held and (held >= MANY or not sight.would_score(offer)):
            return offer.topic
    return None
