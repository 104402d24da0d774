"""How a virtual player of X.net goes on with an action that was begun: what it chooses, and which cards it pays
with."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD, CardTapped
from taptable.core.player import Deed, Push, Tap
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.xnet import controls, plans
from taptable.games.xnet.controls import needs
from taptable.games.xnet.eyes import Sight
from taptable.games.xnet.reading import read
from taptable.games.xnet.state import Pending

MANY = 2
"""So many cards of one topic leave others behind."""


def go_on(sight: Sight, pending: Pending) -> Deed:
    """The next tap of the action, on a pad that every table has (X5.4); where nothing fits it is broken off."""
    tap = _choice(sight, pending) if needs(pending) is not None else _payment(sight, pending)
    if tap is None:
        return Push(sight.seat)
    reading = read(sight.state, CardTapped(0, tap.card, tap.pad))
    return Push(sight.seat) if isinstance(reading, Refused | Ignored | Fault) else tap


def _choice(sight: Sight, pending: Pending) -> Tap | None:
    """The card that chooses a topic where it lies (X5.2)."""
    match pending.action:
        case controls.DEMAND_REPLACE:
            plan = plans.replacement(sight)
            return plan and Tap(sight.seat, plan.demand.card, DISCARD_PAD)
        case controls.SWAP:
            swap = plans.swap(sight, pending)
            if swap is None:
                return None
            return Tap(sight.seat, (swap.lower if pending.lower is None else swap.upper).card, DISCARD_PAD)
        case controls.HIRE_SPECIALIST:
            topic = worth_a_specialist(sight)
        case _:
            topic = next((offer.topic for offer in sight.dead), None)
    offer = None if topic is None else sight.provider.offer(topic)
    return offer and Tap(sight.seat, offer.cards[0], sight.seat)


def _payment(sight: Sight, pending: Pending) -> Tap | None:
    """The next card of the price."""
    card = _next_card(sight, pending)
    return None if card is None else Tap(sight.seat, card, DISCARD_PAD)


def _next_card(sight: Sight, pending: Pending) -> str | None:
    match pending.action:
        case controls.DEMAND_NEW:
            new = plans.new_demand(sight, pending.level)
            return new and new.card
        case controls.DEMAND_REPLACE if not pending.cards:
            plan = plans.replacement(sight, pending.topic)
            return plan and plan.cards[0]
        case controls.DEMAND_REPLACE:
            return next(iter(plans.to_replace_with(sight, sight.state.topic_of(pending.cards[0]))), None)
        case controls.SWAP:
            swap = plans.swap(sight, pending)
            return swap and swap.card
        case controls.BUY_USERS if not pending.cards:
            topic = users_topic(sight, pending.users or 1)
            return None if topic is None else sight.of_topic(topic)[-1]
        case controls.BUY_USERS if pending.users == 2:
            return next(iter(reversed(sight.of_topic(sight.state.topic_of(pending.cards[0])))), None)
        case controls.HIRE_SPECIALIST:
            return sight.cheapest(but=pending.topic)
        case _:
            return sight.cheapest()


def users_topic(sight: Sight, users: int) -> str | None:
    """The offered topic whose cards would buy so many users."""
    topics = (topic for topic in sight.held_topics if sight.is_offered(topic))
    return next((topic for topic in topics if len(sight.of_topic(topic)) >= users), None)


def worth_a_specialist(sight: Sight) -> str | None:
    """A topic that takes no more cards without one, if it doesn't score as it is, or if so many cards of it are held
    that others would be left behind."""
    for offer in sight.provider.offers:
        if not sight.is_offered(offer.topic) or sight.takes_more(offer):
            continue
        held = len(sight.of_topic(offer.topic))
        if held and len(sight.hand) > held and (held >= MANY or not sight.scores(offer)):
            return offer.topic
    return None
