"""The actions of X.net that a control begins: the refusals of each in their order, and its effect once its topics are
chosen and it is paid for (X3.1–X3.5, X3.8–X3.10). A control that names its topics and a tap that chooses one pass
the same checks. `controls` has the prices and choices; `play` hands over taps and controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from taptable.core.controls import Fields
from taptable.core.verdicts import Facts, Refused
from taptable.games.xnet import controls
from taptable.games.xnet.announcements import (
    ActionBegun,
    ActionBrokenOff,
    DemandLaid,
    DemandReplaced,
    DemandSwapped,
    NetBought,
    PaymentOwed,
    ServerBought,
    SpecialistHired,
    SpecialistReturned,
    StreamerBought,
    TopicChosen,
    TopicToHand,
    TopicToStreamer,
    UsersBought,
)
from taptable.games.xnet.controls import ACTIONS, cards_owed, known_fields, least_cards, make_pending, open_choice
from taptable.games.xnet.rules import refuse
from taptable.games.xnet.state import (
    CARDS_PER_TOPIC,
    MAX_HAND_AFTER_TAKING_BACK,
    MAX_SERVERS,
    MAX_STREAMERS,
    NETS,
    STREAMER,
    Demand,
    Offer,
    Pending,
    Provider,
    State,
    Turn,
)
from taptable.games.xnet.turns import Announcements

RULES = {
    controls.DEMAND_NEW: "X3.1",
    controls.DEMAND_REPLACE: "X3.2",
    controls.SWAP: "X3.4",
    controls.TO_STREAMER: "X3.5",
    controls.BUY_USERS: "X3.8",
    controls.HIRE_SPECIALIST: "X3.9",
    controls.BUY_SERVER: "X3.9",
    controls.BUY_STREAMER: "X3.9",
    controls.BUY_NET: "X3.9",
    controls.TO_HAND: "X3.10",
}
"""The rule of each action's refusals."""


def begin(state: State, control: str, fields: Fields, announcements: Announcements) -> Refused | None:
    """Begin the action of a control: it is pending, or done at once if it needs no more (X5.1, X5.3). Otherwise return
    the refusal: because no action at all can begin now, because this one can't, or because the hand has too few cards
    (X5.8). The first of these that holds is given."""
    pending = make_pending(control, fields)
    facts: Facts = {"control": control, **dict(fields)}
    early = general_objection(state)
    if early is not None:
        return refuse(early, facts)
    turn = state.turn
    assert turn is not None
    provider = state.provider(turn.seat)
    code = _action_objection(state, turn, provider, pending) or _choice_objection(state, provider, pending)
    if code is not None:
        return refuse(code, {**facts, **_refusal_facts(provider, pending)}, RULES[control])
    needed = least_cards(control)
    if provider.hand < needed:
        return refuse("too-few-cards", {**facts, "hand": provider.hand, "needed": needed})
    _advance(state, turn, pending, announcements, ActionBegun(turn.seat, control, open_choice(pending)))
    return None


def choose(
    state: State, turn: Turn, pending: Pending, topic: str, facts: Facts, announcements: Announcements
) -> Refused | None:
    """Choose a topic for the pending action by a tap (X5.2)."""
    match open_choice(pending):
        case "lower":
            pending = replace(pending, lower=topic)
        case "upper":
            pending = replace(pending, upper=topic)
        case _:
            pending = replace(pending, topic=topic)
    provider = state.provider(turn.seat)
    code = _choice_objection(state, provider, pending)
    if code is not None:
        fields = dict(known_fields(pending))
        return refuse(code, {**fields, **facts, **_refusal_facts(provider, pending)}, RULES[pending.action])
    _advance(state, turn, pending, announcements, TopicChosen(turn.seat, topic, open_choice(pending)))
    return None


def pay(state: State, turn: Turn, pending: Pending, card: str, announcements: Announcements) -> None:
    """Move a card from the hand into the payment; with the last one the action is done (X5.5)."""
    state.draft_provider(turn.seat).hand -= 1
    _advance(state, turn, replace(pending, cards=(*pending.cards, card)), announcements)


def break_off(state: State, turn: Turn, announcements: Announcements) -> None:
    """Cancel the pending action; the cards tapped for it return to the hand (X5.6)."""
    pending = state.pending
    if pending is not None:
        state.draft_provider(turn.seat).hand += len(pending.cards)
        state.pending = None
        announcements.append(ActionBrokenOff(turn.seat, pending.action, pending.cards, len(pending.cards)))


def general_objection(state: State) -> str | None:
    """Return why no action at all can be begun now, as a code; None if one can."""
    if state.outcome is not None:
        return "game-over"
    if state.turn is None:
        return "no-starter"
    if state.opening:
        return "demand-first"
    if state.turn.owed:
        return "reshuffle-due"
    return "action-open" if state.pending is not None else None


def is_offered(state: State, provider: Provider, topic: str) -> bool:
    """Return whether a topic is in demand and on an own server, so that it brings users (X3.8)."""
    return state.demand_for(topic) is not None and provider.server_offer(topic) is not None


def missing_sum(state: State, pending: Pending) -> int | None:
    """Return how much the sum of the cards lacks to exceed the number lying there; None for other actions, and until
    the topic is chosen (X3.2)."""
    if pending.action != controls.DEMAND_REPLACE or pending.topic is None:
        return None
    demand = state.demand_for(pending.topic)
    if demand is None:
        return None
    return state.number_of(demand.card) + 1 - sum(state.number_of(card) for card in pending.cards)


def _advance(
    state: State,
    turn: Turn,
    pending: Pending,
    announcements: Announcements,
    announcement: ActionBegun | TopicChosen | None = None,
) -> None:
    """Do the action if it is complete; otherwise make the announcement, and announce what is owed (X5.3, X5.5)."""
    state.pending = pending
    short = missing_sum(state, pending)
    if open_choice(pending) is None:
        left = cards_owed(pending)
        if left == 0 if left is not None else short is not None and short <= 0:
            state.pending = None
            _EFFECTS[pending.action](state, turn, pending, announcements)
            return
    if announcement is not None:
        announcements.append(announcement)
    if open_choice(pending) is None:
        onto = str(ACTIONS[pending.action].pay_on)
        announcements.append(PaymentOwed(turn.seat, pending.action, cards_owed(pending), short, onto))


# ---- what may be begun and chosen


def _action_objection(state: State, turn: Turn, provider: Provider, pending: Pending) -> str | None:
    """Return why the action can't be begun with any topic, as a code; None if it can."""
    match pending.action:
        case controls.DEMAND_NEW:
            assert pending.level is not None
            if turn.has_laid_demand:
                return "one-a-turn"
            return "level-full" if state.free_place(pending.level) is None else None
        case controls.DEMAND_REPLACE:
            return "one-a-turn" if turn.has_replaced_demand else None
        case controls.TO_STREAMER:
            return None if provider.has_empty_streamer else "no-empty-streamer"
        case controls.BUY_USERS:
            assert pending.users is not None
            if provider.users + pending.users > provider.net:
                return "net-full"
            offered = any(is_offered(state, provider, offer.topic) for offer in provider.offers)
            return None if offered else "no-such-topic"
        case controls.HIRE_SPECIALIST:
            return None if state.specialists else "no-specialist-left"
        case controls.BUY_SERVER:
            return "enough-servers" if provider.servers == MAX_SERVERS else None
        case controls.BUY_STREAMER:
            return "has-streamer" if provider.streamers == MAX_STREAMERS else None
        case controls.BUY_NET:
            return "largest-net" if provider.net == NETS[-1] else None
        case _:
            return None


def _choice_objection(state: State, provider: Provider, pending: Pending) -> str | None:
    """Return why the topics already chosen don't fit the action, as a code; None if they do, or if none is chosen."""
    if pending.action == controls.SWAP:
        return _swap_objection(state, pending)
    topic = pending.topic
    if topic is None:
        return None
    match pending.action:
        case controls.DEMAND_REPLACE:
            demand = state.demand_for(topic)
            if demand is None:
                return "not-in-demand"
            return "x-marked" if demand.x_seat is not None else None
        case controls.TO_STREAMER:
            return "not-on-server" if provider.server_offer(topic) is None else None
        case controls.HIRE_SPECIALIST:
            offer = provider.server_offer(topic)
            if offer is None:
                return "not-on-server"
            return "has-specialist" if offer.specialist else None
        case _:
            assert pending.action == controls.TO_HAND
            offer = provider.offer(topic)
            if offer is None:
                return "not-yours"
            return "over-ten" if provider.hand + len(offer.cards) > MAX_HAND_AFTER_TAKING_BACK else None


def _swap_objection(state: State, pending: Pending) -> str | None:
    """Require that the lower topic lies on level 1 or 2, and the upper one level higher (X3.4)."""
    topics = pending.lower, pending.upper
    lower, upper = (None if topic is None else state.demand_for(topic) for topic in topics)
    if any(topic is not None and place is None for topic, place in zip(topics, (lower, upper), strict=True)):
        return "not-in-demand"
    if lower is not None and (lower.level == 3 or (upper is not None and upper.level != lower.level + 1)):
        return "not-neighbours"
    return None


def _refusal_facts(provider: Provider, pending: Pending) -> Facts:
    """Return the numbers for the sentences of these refusals."""
    offer = None if pending.topic is None else provider.offer(pending.topic)
    return {
        "have": provider.users,
        "net": provider.net,
        "streamers": provider.streamers,
        "hand": provider.hand,
        "lying": 0 if offer is None else len(offer.cards),
        "most": CARDS_PER_TOPIC,
    }


# ---- effects


def _demand_new(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Lay the card on the lowest free place of the level (X3.1)."""
    assert pending.level is not None
    place = state.free_place(pending.level)
    assert place is not None
    (card,) = pending.cards
    state.put_demand(Demand(pending.level, place, card))
    turn.has_laid_demand = True
    announcements.append(DemandLaid(turn.seat, card, pending.level, place))


def _demand_replace(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Put the highest card on the place, with an X; the old card and the others go to the discard pile (X3.2)."""
    old = _require_demand(state, pending.topic)
    highest = max(pending.cards, key=state.number_of)  # of equals the first
    topic = state.topic_of(highest)
    state.put_demand(replace(old, card=highest, x_seat=turn.seat))
    state.discard = (*state.discard, old.card, *(card for card in pending.cards if card != highest))
    turn.has_replaced_demand = True
    turn.topic_to_offer = topic if state.provider(turn.seat).server_offer(topic) is None else None
    announcements.append(DemandReplaced(turn.seat, highest, old.card, old.level, old.place))


def _swap(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Swap the two cards, each with its X (X3.4)."""
    lower, upper = _require_demand(state, pending.lower), _require_demand(state, pending.upper)
    _spend(state, pending)
    state.put_demand(
        replace(lower, card=upper.card, x_seat=upper.x_seat), replace(upper, card=lower.card, x_seat=lower.x_seat)
    )
    announcements.append(DemandSwapped(turn.seat, pending.lower or "", pending.upper or ""))


def _to_streamer(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Move the topic to the streamer; it keeps its position and loses its specialist (X3.5)."""
    provider, offer = _own_offer(state, turn, pending)
    provider.put_offer(replace(offer, location=STREAMER, specialist=False))
    announcements.append(TopicToStreamer(turn.seat, offer.topic))
    _return_specialist(state, turn, offer, announcements)


def _to_hand(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Return all cards of the topic to the hand (X3.10)."""
    provider, offer = _own_offer(state, turn, pending)
    provider.drop_offer(offer.topic)
    provider.hand += len(offer.cards)
    announcements.append(TopicToHand(turn.seat, offer.topic, len(offer.cards)))
    _return_specialist(state, turn, offer, announcements)


def _hire_specialist(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    provider, offer = _own_offer(state, turn, pending)
    provider.put_offer(replace(offer, specialist=True))
    _spend(state, pending)
    state.specialists -= 1
    announcements.append(SpecialistHired(turn.seat, offer.topic))


def _buy(state: State, turn: Turn, pending: Pending, announcements: Announcements) -> None:
    """Buy users, a server, a streamer, or a larger net."""
    _spend(state, pending)
    seat, provider = turn.seat, state.draft_provider(turn.seat)
    match pending.action:
        case controls.BUY_USERS:
            assert pending.users is not None
            provider.users += pending.users
            announcements.append(UsersBought(seat, pending.users, provider.users, provider.net))
        case controls.BUY_SERVER:
            provider.servers += 1
            announcements.append(ServerBought(seat, provider.servers))
        case controls.BUY_STREAMER:
            provider.streamers += 1
            announcements.append(StreamerBought(seat))
        case _:
            provider.net = NETS[NETS.index(provider.net) + 1]
            announcements.append(NetBought(seat, provider.net))


def _spend(state: State, pending: Pending) -> None:
    """Move the cards to the discard pile in the order tapped (X5.5)."""
    state.discard = (*state.discard, *pending.cards)


def _require_demand(state: State, topic: str | None) -> Demand:
    demand = None if topic is None else state.demand_for(topic)
    assert demand is not None
    return demand


def _own_offer(state: State, turn: Turn, pending: Pending) -> tuple[Provider, Offer]:
    assert pending.topic is not None
    provider = state.draft_provider(turn.seat)
    offer = provider.offer(pending.topic)
    assert offer is not None
    return provider, offer


def _return_specialist(state: State, turn: Turn, offer: Offer, announcements: Announcements) -> None:
    """Return a topic's specialist, if it had one, to the stock."""
    if offer.specialist:
        state.specialists += 1
        announcements.append(SpecialistReturned(turn.seat, offer.topic))


_EFFECTS: Mapping[str, Callable[[State, Turn, Pending, Announcements], None]] = {
    controls.DEMAND_NEW: _demand_new,
    controls.DEMAND_REPLACE: _demand_replace,
    controls.SWAP: _swap,
    controls.TO_STREAMER: _to_streamer,
    controls.TO_HAND: _to_hand,
    controls.HIRE_SPECIALIST: _hire_specialist,
    controls.BUY_USERS: _buy,
    controls.BUY_SERVER: _buy,
    controls.BUY_STREAMER: _buy,
    controls.BUY_NET: _buy,
}
