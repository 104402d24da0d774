"""What may be begun and chosen: the table *Controls* of the rules, its refusals in their order. The same questions
answer a control with its topics given and a tap that chooses one."""

from __future__ import annotations

from taptable.core.controls import Fields
from taptable.core.verdicts import Facts, Refused
from taptable.games.xnet import controls
from taptable.games.xnet.controls import begun_by, known_fields, least_cards
from taptable.games.xnet.moves import BeginAction
from taptable.games.xnet.refusals import refused
from taptable.games.xnet.state import (
    CARDS_A_TOPIC,
    FULL_HAND,
    MOST_SERVERS,
    MOST_STREAMERS,
    NETS,
    Pending,
    Provider,
    State,
    Turn,
)

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
"""The rule that each action's refusals stand on."""


def read_action(state: State, control: str, fields: Fields) -> BeginAction | Refused:
    """The action that a control begins, or why it can't: *before all these*, the action's own refusals, X5.8."""
    pending = begun_by(control, fields)
    facts: Facts = {"control": control, **dict(fields)}
    early = before_actions(state)
    if early is not None:
        return refused(early, facts)
    assert state.turn is not None
    provider = state.provider(state.turn.seat)
    code = _action_objection(state, state.turn, provider, pending) or choice_objection(state, provider, pending)
    if code is not None:
        return refused(code, {**facts, **_numbers(provider, pending)}, RULES[control])
    needed = least_cards(control)
    if provider.hand < needed:
        return refused("too-few-cards", {**facts, "hand": provider.hand, "needed": needed})
    return BeginAction(pending)


def before_actions(state: State) -> str | None:
    """Why no action at all can be begun now, as a code."""
    if state.outcome is not None:
        return "game-over"
    if state.turn is None:
        return "no-starter"
    if state.opening:
        return "demand-first"
    if state.turn.owed:
        return "reshuffle-due"
    return "action-open" if state.pending is not None else None


def choice_objection(state: State, provider: Provider, pending: Pending) -> str | None:
    """Why the topics chosen so far don't fit the action, as a code; None if they do, or none is chosen."""
    if pending.action == controls.SWAP:
        return _swap_objection(state, pending)
    topic = pending.topic
    if topic is None:
        return None
    match pending.action:
        case controls.DEMAND_REPLACE:
            demand = state.demanded(topic)
            if demand is None:
                return "not-in-demand"
            return "x-marked" if demand.x is not None else None
        case controls.TO_STREAMER:
            return "not-on-server" if provider.on_server(topic) is None else None
        case controls.HIRE_SPECIALIST:
            offer = provider.on_server(topic)
            if offer is None:
                return "not-on-server"
            return "has-specialist" if offer.specialist else None
        case _:
            assert pending.action == controls.TO_HAND
            offer = provider.offer(topic)
            if offer is None:
                return "not-yours"
            return "over-ten" if provider.hand + len(offer.cards) > FULL_HAND else None


def chosen_refusal(provider: Provider, pending: Pending, code: str, facts: Facts) -> Refused:
    """The refusal of a tap that chose a topic which doesn't fit."""
    fields = dict(known_fields(pending))
    return refused(code, {**fields, **facts, **_numbers(provider, pending)}, RULES[pending.action])


def is_offered(state: State, provider: Provider, topic: str) -> bool:
    """Is a topic in demand and on an own server, so that it brings users (X3.8)?"""
    return state.demanded(topic) is not None and provider.on_server(topic) is not None


def _action_objection(state: State, turn: Turn, provider: Provider, pending: Pending) -> str | None:
    """Why the action can't be begun, whatever its topics, as a code."""
    match pending.action:
        case controls.DEMAND_NEW:
            assert pending.level is not None
            if turn.new:
                return "one-a-turn"
            return "level-full" if state.free_place(pending.level) is None else None
        case controls.DEMAND_REPLACE:
            return "one-a-turn" if turn.replaced else None
        case controls.TO_STREAMER:
            return None if provider.streamer_empty else "no-empty-streamer"
        case controls.BUY_USERS:
            assert pending.users is not None
            if provider.users + pending.users > provider.net:
                return "net-full"
            offered = any(is_offered(state, provider, offer.topic) for offer in provider.offers)
            return None if offered else "no-such-topic"
        case controls.HIRE_SPECIALIST:
            return None if state.specialists else "no-specialist-left"
        case controls.BUY_SERVER:
            return "enough-servers" if provider.servers == MOST_SERVERS else None
        case controls.BUY_STREAMER:
            return "has-streamer" if provider.streamers == MOST_STREAMERS else None
        case controls.BUY_NET:
            return "largest-net" if provider.net == NETS[-1] else None
        case _:
            return None


def _swap_objection(state: State, pending: Pending) -> str | None:
    """The lower topic lies on level 1 or 2, the upper one level higher (X3.4)."""
    places = [None if topic is None else state.demanded(topic) for topic in (pending.lower, pending.upper)]
    given = [topic is not None for topic in (pending.lower, pending.upper)]
    if any(told and place is None for told, place in zip(given, places, strict=True)):
        return "not-in-demand"
    lower, upper = places
    if lower is not None and lower.level == 3:
        return "not-neighbours"
    if lower is not None and upper is not None and upper.level != lower.level + 1:
        return "not-neighbours"
    return None


def _numbers(provider: Provider, pending: Pending) -> Facts:
    """The numbers that the sentences of these refusals may tell."""
    offer = None if pending.topic is None else provider.offer(pending.topic)
    return {
        "have": provider.users,
        "net": provider.net,
        "hand": provider.hand,
        "lying": 0 if offer is None else len(offer.cards),
        "most": CARDS_A_TOPIC,
    }
