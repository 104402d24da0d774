"""Doing: what an action brings once it is chosen and paid for (X3.1–X3.5, X3.8–X3.10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from taptable.core.announcements import Announcement
from taptable.games.xnet import controls
from taptable.games.xnet.announcements import (
    ActionBrokenOff,
    DemandLaid,
    DemandReplaced,
    DemandSwapped,
    NetBought,
    ServerBought,
    SpecialistHired,
    SpecialistReturned,
    StreamerBought,
    TopicToHand,
    TopicToStreamer,
    UsersBought,
)
from taptable.games.xnet.state import NETS, STREAMER, Demand, Offer, Pending, Provider, State, Turn

Result: TypeAlias = tuple[State, list[Announcement]]


def do(state: State, turn: Turn, pending: Pending) -> Result:
    """The state after a pending action that nothing is lacking for; nothing is pending any more."""
    return _DOINGS[pending.action](replace(state, pending=None), turn, pending)


def break_off(state: State, turn: Turn) -> Result:
    """The state with nothing pending: what was tapped is in the hand again (X5.6)."""
    pending = state.pending
    if pending is None:
        return state, []
    provider = state.provider(turn.seat)
    returned = state.with_provider(turn.seat, replace(provider, hand=provider.hand + len(pending.cards)))
    said = ActionBrokenOff(turn.seat, pending.action, pending.cards, len(pending.cards))
    return replace(returned, pending=None), [said]


def short_of(state: State, pending: Pending) -> int | None:
    """What the sum of the cards lacks to exceed the number lying there; None for other actions, and until the topic is
    chosen (X3.2)."""
    demand = _to_be_replaced(state, pending)
    if demand is None:
        return None
    return state.number_of(demand.card) + 1 - sum(state.number_of(card) for card in pending.cards)


def _to_be_replaced(state: State, pending: Pending) -> Demand | None:
    if pending.action != controls.DEMAND_REPLACE or pending.topic is None:
        return None
    return state.demanded(pending.topic)


def _demand_new(state: State, turn: Turn, pending: Pending) -> Result:
    """The card lies on the lowest free place of the level (X3.1)."""
    assert pending.level is not None
    place = state.free_place(pending.level)
    assert place is not None
    (card,) = pending.cards
    laid = state.with_demand(Demand(pending.level, place, card))
    return replace(laid, turn=replace(turn, new=True)), [DemandLaid(turn.seat, card, pending.level, place)]


def _demand_replace(state: State, turn: Turn, pending: Pending) -> Result:
    """The highest card takes the place, with an X; the old one and the others go to the discard pile (X3.2)."""
    old = _to_be_replaced(state, pending)
    assert old is not None
    highest = max(pending.cards, key=state.number_of)  # of equals the first
    others = tuple(card for card in pending.cards if card != highest)
    topic = state.topic_of(highest)
    brought_in = None if state.provider(turn.seat).on_server(topic) is not None else topic
    replaced = replace(
        state.with_demand(replace(old, card=highest, x=turn.seat)),
        discard=(*state.discard, old.card, *others),
        turn=replace(turn, replaced=True, must_offer=brought_in),
    )
    return replaced, [DemandReplaced(turn.seat, highest, old.card, old.level, old.place)]


def _swap(state: State, turn: Turn, pending: Pending) -> Result:
    """The two cards change places, each with its X (X3.4)."""
    assert pending.lower is not None
    assert pending.upper is not None
    lower, upper = state.demanded(pending.lower), state.demanded(pending.upper)
    assert lower is not None
    assert upper is not None
    swapped = _spend(state, pending).with_demand(
        replace(lower, card=upper.card, x=upper.x), replace(upper, card=lower.card, x=lower.x)
    )
    return swapped, [DemandSwapped(turn.seat, pending.lower, pending.upper)]


def _to_streamer(state: State, turn: Turn, pending: Pending) -> Result:
    """The topic keeps its position, and loses its specialist (X3.5)."""
    provider, offer = _own_offer(state, turn, pending)
    moved = provider.with_offer(replace(offer, on=STREAMER, specialist=False))
    after, said = _without_specialist(state.with_provider(turn.seat, moved), turn, offer)
    return after, [TopicToStreamer(turn.seat, offer.topic), *said]


def _to_hand(state: State, turn: Turn, pending: Pending) -> Result:
    """All cards of the topic are in the hand again (X3.10)."""
    provider, offer = _own_offer(state, turn, pending)
    count = len(offer.cards)
    taken = replace(provider.without_offer(offer.topic), hand=provider.hand + count)
    after, said = _without_specialist(state.with_provider(turn.seat, taken), turn, offer)
    return after, [TopicToHand(turn.seat, offer.topic, count), *said]


def _buy_users(state: State, turn: Turn, pending: Pending) -> Result:
    assert pending.users is not None
    provider = state.provider(turn.seat)
    served = replace(provider, users=provider.users + pending.users)
    bought = _spend(state, pending).with_provider(turn.seat, served)
    return bought, [UsersBought(turn.seat, pending.users, served.users, served.net)]


def _hire_specialist(state: State, turn: Turn, pending: Pending) -> Result:
    provider, offer = _own_offer(state, turn, pending)
    helped = provider.with_offer(replace(offer, specialist=True))
    hired = replace(_spend(state, pending).with_provider(turn.seat, helped), specialists=state.specialists - 1)
    return hired, [SpecialistHired(turn.seat, offer.topic)]


def _buy_server(state: State, turn: Turn, pending: Pending) -> Result:
    provider = state.provider(turn.seat)
    larger = replace(provider, servers=provider.servers + 1)
    return _spend(state, pending).with_provider(turn.seat, larger), [ServerBought(turn.seat, larger.servers)]


def _buy_streamer(state: State, turn: Turn, pending: Pending) -> Result:
    provider = state.provider(turn.seat)
    larger = replace(provider, streamers=provider.streamers + 1)
    return _spend(state, pending).with_provider(turn.seat, larger), [StreamerBought(turn.seat)]


def _buy_net(state: State, turn: Turn, pending: Pending) -> Result:
    provider = state.provider(turn.seat)
    larger = replace(provider, net=NETS[NETS.index(provider.net) + 1])
    return _spend(state, pending).with_provider(turn.seat, larger), [NetBought(turn.seat, larger.net)]


def _spend(state: State, pending: Pending) -> State:
    """The cards go to the discard pile in the order tapped (X5.5)."""
    return replace(state, discard=(*state.discard, *pending.cards))


def _own_offer(state: State, turn: Turn, pending: Pending) -> tuple[Provider, Offer]:
    assert pending.topic is not None
    provider = state.provider(turn.seat)
    offer = provider.offer(pending.topic)
    assert offer is not None
    return provider, offer


def _without_specialist(state: State, turn: Turn, offer: Offer) -> Result:
    """A topic's specialist, if it had one, is in the stock again."""
    if not offer.specialist:
        return state, []
    return replace(state, specialists=state.specialists + 1), [SpecialistReturned(turn.seat, offer.topic)]


_DOINGS: Mapping[str, Callable[[State, Turn, Pending], Result]] = {
    controls.DEMAND_NEW: _demand_new,
    controls.DEMAND_REPLACE: _demand_replace,
    controls.SWAP: _swap,
    controls.TO_STREAMER: _to_streamer,
    controls.TO_HAND: _to_hand,
    controls.BUY_USERS: _buy_users,
    controls.HIRE_SPECIALIST: _hire_specialist,
    controls.BUY_SERVER: _buy_server,
    controls.BUY_STREAMER: _buy_streamer,
    controls.BUY_NET: _buy_net,
}
