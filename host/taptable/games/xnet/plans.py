"""The plans of a virtual player of X.net, by what the player sees (`Sight`): which topic to bring into the pyramid, to
replace or to swap, and the next step of a pending action. A plan names all that its action needs, so that the action
can be completed. The same sight always leads to the same plan. `policy` decides which plan to follow."""

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
"""The levels that a new demand may go to, the better first (X3.1)."""
MANY = 2
"""With this many more cards of a topic in the hand, a specialist for it pays: the player gets ahead of the others."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The table as the player on turn sees it; `hand` has the most valuable card first."""

    state: State
    turn: Turn
    provider: Provider
    hand: tuple[str, ...]

    @property
    def seat(self) -> int:
        """The seat of this player."""
        return self.turn.seat

    def cards_of_topic(self, topic: str) -> list[str]:
        """Return the cards of a topic in the hand, the highest number first."""
        cards = (card for card in self.hand if self.state.topic_of(card) == topic)
        return sorted(cards, key=lambda card: (-self.state.number_of(card), card))

    @property
    def held_topics(self) -> list[str]:
        """The topics in the hand, those with most cards first."""
        topics = {self.state.topic_of(card) for card in self.hand}
        return sorted(topics, key=lambda topic: (-len(self.cards_of_topic(topic)), topic))

    def is_offered(self, topic: str) -> bool:
        """Return whether this topic brings users and points."""
        return is_offered(self.state, self.provider, topic)

    def would_score(self, offer: Offer) -> bool:
        """Return whether this topic would score now."""
        return len(offer.cards) in scoring_sizes(self.state, offer.topic)

    @property
    def unwanted_offers(self) -> list[Offer]:
        """The topics on the servers that are not in demand any more."""
        on_servers = (offer for offer in self.provider.offers if offer.location == SERVER)
        return [offer for offer in on_servers if self.state.demand_for(offer.topic) is None]

    def can_add_to(self, offer: Offer) -> bool:
        """Return whether cards may be added to this topic (X3.7)."""
        return self.is_offered(offer.topic) and (offer.specialist or len(offer.cards) < CARDS_PER_TOPIC)

    @property
    def unserved_demands(self) -> list[Demand]:
        """The demands that the player doesn't offer, the highest level first."""
        return [
            demand
            for demand in reversed(self.state.demand)
            if self.provider.offer(self.state.topic_of(demand.card)) is None
        ]

    def least_useful_card(self, spared_topic: str | None = None) -> str | None:
        """Return the least useful card of the hand, of the topic `spared_topic` only if there is no other."""
        candidates = [card for card in self.hand if self.state.topic_of(card) != spared_topic]
        return (candidates or list(self.hand) or [None])[-1]


def make_sight(state: State, truth: XnetTruth, turn: Turn) -> Sight:
    """Return the view of the player on turn."""
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
    """A topic to remove, and the cards that replace it."""

    demand: Demand
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """A topic to raise, the one it is swapped with, and the card that pays for it."""

    lower: Demand
    upper: Demand
    card: str


def best_new_demand(sight: Sight, level: int | None = None) -> NewDemand | None:
    """Return the best topic to bring in: one on a server that is not in demand, or one of which more cards are held, if
    there is a place for it. Once a `level` was chosen, only that counts."""
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
    """Return the best replacement: of a topic that isn't offered, the higher its level the better, by one that is
    offered then. `topic` is the one to remove, once it was chosen."""
    for demand in reversed(sight.state.demand):
        old_topic = sight.state.topic_of(demand.card)
        if demand.x_seat is not None or sight.is_offered(old_topic) or topic not in (None, old_topic):
            continue
        for new_topic in sight.held_topics:
            cards = _fewest_cards(sight, demand, new_topic)
            if cards is not None:
                return Replacement(demand, cards)
    return None


def best_swap(sight: Sight, pending: Pending | None = None) -> Swap | None:
    """Return a swap that raises an offered topic above one that isn't offered; with the topics already chosen."""
    state = sight.state
    for lower in reversed(state.demand):
        topic = state.topic_of(lower.card)
        cards = sight.cards_of_topic(topic)
        if not cards or not sight.is_offered(topic) or (pending and pending.lower not in (None, topic)):
            continue
        for upper in state.demand:
            upper_topic = state.topic_of(upper.card)
            if upper.level != lower.level + 1 or sight.is_offered(upper_topic):
                continue
            if pending is None or pending.upper in (None, upper_topic):
                return Swap(lower, upper, cards[-1])
    return None


def cards_to_replace_with(sight: Sight, topic: str) -> list[str]:
    """Return the cards of a topic that can be spent for a replacement, the highest first. A topic that isn't on a
    server yet needs a place there, and one more card to be laid (X3.2)."""
    cards = sight.cards_of_topic(topic)
    if sight.provider.server_offer(topic) is not None:
        return cards
    return cards[:-1] if sight.provider.offer(topic) is None and sight.provider.has_free_place else []


def _fewest_cards(sight: Sight, demand: Demand, topic: str) -> tuple[str, ...] | None:
    """Return the fewest cards of a topic whose sum exceeds the number lying there; None if there are not enough."""
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


# ---- a pending action


def continue_action(sight: Sight, pending: Pending) -> PlayerAction:
    """Return the next tap of the action, on a pad that every table has (X5.4); break the action off if nothing fits."""
    tap = _choice(sight, pending) if open_choice(pending) is not None else _payment(sight, pending)
    if tap is None:
        return Push(sight.seat)
    return tap if isinstance(play(sight.state, CardTapped(0, tap.card, tap.pad)), tuple) else Push(sight.seat)


def _choice(sight: Sight, pending: Pending) -> Tap | None:
    """Return the tap that chooses a topic where it lies (X5.2)."""
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
    """Return the tap that pays the next card of the price."""
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
    """Return the offered topic whose cards would buy this number of users."""
    topics = (topic for topic in sight.held_topics if sight.is_offered(topic))
    return next((topic for topic in topics if len(sight.cards_of_topic(topic)) >= users), None)


def topic_for_specialist(sight: Sight) -> str | None:
    """Return a topic that takes no more cards without a specialist: one that doesn't score as it is, or one of which
    enough cards are held to get ahead of the others."""
    for offer in sight.provider.offers:
        if not sight.is_offered(offer.topic) or sight.can_add_to(offer):
            continue
        held_count = len(sight.cards_of_topic(offer.topic))
        if held_count and len(sight.hand) > held_count and (held_count >= MANY or not sight.would_score(offer)):
            return offer.topic
    return None
