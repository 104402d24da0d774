"""Reading: from an observation and the state to the move it means, or to why it isn't one.

The order of the questions is the order of the table *How a tap is judged*."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    TableCorrected,
)
from taptable.core.verdicts import Facts, Fault, Ignored, Refused
from taptable.games.xnet import controls, moves
from taptable.games.xnet.choosing import before_actions, choice_objection, chosen_refusal, is_offered, read_action
from taptable.games.xnet.controls import ACTIONS, DEMAND_PAD, OWN_PAD, needs
from taptable.games.xnet.correcting import read_correction
from taptable.games.xnet.refusals import fault, ignored, refused
from taptable.games.xnet.state import CARDS_A_TOPIC, SERVER, Pending, State, Turn

Reading: TypeAlias = moves.Move | Refused | Ignored | Fault


def read(state: State, observation: Observation) -> Reading:
    """What this observation means now."""
    match observation:
        case CardTapped(_, card, pad):
            return _read_tap(state, card, pad)
        case CardHeld(_, card, pad):
            return _read_hold(state, card, pad)
        case ButtonPressed():
            return _read_press(state, observation.seat)
        case ControlUsed(_, "reshuffle"):
            due = state.outcome is None and state.turn is not None and state.turn.owed
            return moves.Reshuffle() if due else refused("no-reshuffle-due")
        case ControlUsed(_, "end-game"):
            return _not_running(state) or moves.EndGame()
        case ControlUsed(_, control, fields):
            return read_action(state, control, fields)
        case TableCorrected():
            return _read_correction(state, observation)
        case _:
            raise AssertionError(observation)


def _not_running(state: State) -> Refused | None:
    """Why nothing can be done to the table as a whole: there is no game yet, or none any more."""
    code = before_actions(state)
    return refused(code) if code in ("game-over", "no-starter") else None


def _read_correction(state: State, corrected: TableCorrected) -> Reading:
    early = _not_running(state)
    if early is not None or state.turn is None:
        return early or refused("no-starter")
    return read_correction(state, state.turn, corrected)


def meant_pad(state: State, card: str, pad: Pad) -> Pad:
    """The pad a tap counts on: while the pyramid waits for a card, the discard pad stands in for its pad, but for what
    lies on the discard pile (X5.4)."""
    if pad != DISCARD_PAD or card in state.discard:
        return pad
    pending = state.pending
    if pending is None:
        return DEMAND_PAD if state.turn is not None and state.opening else pad
    waits = pending.action in (controls.DEMAND_NEW, controls.DEMAND_REPLACE) or (
        pending.action == controls.SWAP and needs(pending) is not None
    )
    return DEMAND_PAD if waits else pad


def _read_tap(state: State, card: str, tapped_on: Pad) -> Reading:
    facts: Facts = {"card": card, "pad": tapped_on}
    if card not in state.options.deck.cards:
        return fault("unknown-card", facts)
    turn = state.turn
    if state.outcome is not None:
        return refused("game-over", facts)
    if turn is None:
        return refused("no-starter", facts)
    pad = meant_pad(state, card, tapped_on)
    place = state.locate(card)
    if place is not None:
        return _read_lying(state, turn, card, pad, place, facts)
    if turn.owed:
        return refused("reshuffle-due", {**facts, "owed": turn.owed})
    if isinstance(pad, int) and pad != turn.seat:
        return refused("not-on-turn", {**facts, "seat": turn.seat})
    if state.opening:
        if pad != DEMAND_PAD:
            return refused("demand-first", facts)
        if state.demanded(state.topic_of(card)) is not None:
            return refused("topic-in-demand", {**facts, "topic": state.topic_of(card)}, "X1.4")
        return moves.OpenDemand(card)
    if state.provider(turn.seat).hand == 0:
        return refused("hand-used-up", facts)
    if state.pending is not None:
        return _read_payment(state, turn, state.pending, card, pad, facts)
    if not isinstance(pad, int):
        return refused("choose-first", facts, "X5.1")
    return _read_laying(state, turn, card, facts)


def _read_lying(state: State, turn: Turn, card: str, pad: Pad, place: int | str, facts: Facts) -> Reading:
    """A card that isn't hidden: it chooses a topic, or belongs where it lies (X5.2, X5.9)."""
    pending = state.pending
    choice = None if pending is None else needs(pending)
    if pending is not None and choice is not None:
        by_own_card = ACTIONS[pending.action].choose_on == OWN_PAD
        if place == pad == (turn.seat if by_own_card else DEMAND_PAD):
            topic = state.topic_of(card)
            chosen = _with_choice(pending, choice, topic)
            provider = state.provider(turn.seat)
            code = choice_objection(state, provider, chosen)
            return moves.Choose(topic, chosen) if code is None else chosen_refusal(provider, chosen, code, facts)
    if place == "pending":
        assert pending is not None
        place = ACTIONS[pending.action].pay_on
        paid = True
    else:
        paid = False
    if place == pad:
        return ignored("already-there", facts)
    where: Facts = {"seats": (place,)} if isinstance(place, int) else {"place": "pending" if paid else place}
    return refused("lies-elsewhere", {**facts, **where})


def _with_choice(pending: Pending, choice: str, topic: str) -> Pending:
    match choice:
        case "lower":
            return replace(pending, lower=topic)
        case "upper":
            return replace(pending, upper=topic)
        case _:
            return replace(pending, topic=topic)


def _read_payment(state: State, turn: Turn, pending: Pending, card: str, pad: Pad, facts: Facts) -> Reading:
    """A card from the hand while an action is pending (X5.3, X5.5)."""
    topic = state.topic_of(card)
    facts = {**facts, "topic": topic, "control": pending.action}
    choice = needs(pending)
    if choice is not None:
        return refused("choose-first", {**facts, "needs": choice})
    if pad != ACTIONS[pending.action].pay_on:
        return refused("action-open", {**facts, "onto": ACTIONS[pending.action].pay_on})
    match pending.action:
        case controls.DEMAND_NEW | controls.DEMAND_REPLACE:
            if topic != pending.topic and state.demanded(topic) is not None:
                return refused("topic-in-demand", facts)
            if pending.cards and topic != state.topic_of(pending.cards[0]):
                return refused("one-topic", {**facts, "before": state.topic_of(pending.cards[0])})
        case controls.SWAP:
            if topic != pending.lower:
                return refused("wrong-topic", {**facts, "lower": pending.lower or ""})
        case controls.BUY_USERS:
            if not _pays_for_users(state, turn, pending, topic):
                return refused("wrong-topic", {**facts, "users": pending.users or 0}, "X3.8")
        case _:
            pass
    return moves.Pay(card)


def _pays_for_users(state: State, turn: Turn, pending: Pending, topic: str) -> bool:
    """Can the price of users still be met with a card of this topic (X3.8)?"""
    provider = state.provider(turn.seat)
    before = [state.topic_of(card) for card in pending.cards]
    if pending.users == 2:
        return is_offered(state, provider, topic) and before in ([], [topic])
    return not before or any(is_offered(state, provider, each) for each in (*before, topic))


def _read_laying(state: State, turn: Turn, card: str, facts: Facts) -> Reading:
    """A card from the hand on the own pad, with nothing begun: a new topic, or one more card of one (X3.6, X3.7)."""
    provider = state.provider(turn.seat)
    topic = state.topic_of(card)
    facts = {**facts, "topic": topic}
    offer = provider.offer(topic)
    demanded = state.demanded(topic) is not None
    if offer is not None and offer.on == SERVER:
        if not demanded:
            return refused("not-in-demand", facts, "X3.7")
        if len(offer.cards) >= CARDS_A_TOPIC and not offer.specialist:
            return refused("needs-specialist", facts)
    elif offer is not None:
        return refused("on-streamer", facts)
    elif not demanded:
        return refused("not-in-demand", facts)
    elif not provider.place_free:
        return refused("servers-full", facts)
    return moves.LayCard(card)


def _read_hold(state: State, card: str, pad: Pad) -> Reading:
    """A hold means nothing here (X5.6)."""
    facts = {"card": card, "pad": pad}
    known = card in state.options.deck.cards
    return ignored("hold-without-meaning", facts) if known else fault("unknown-card", facts)


def _read_press(state: State, seat: int) -> Reading:
    """A seat's button: who begins, an action broken off, the end of the turn, or nothing (X1.2, X5.6)."""
    facts: Facts = {"pad": seat}
    turn = state.turn
    if state.outcome is not None:
        return ignored("game-is-over", facts)
    if turn is None:
        return moves.NameStarter(seat)
    if state.opening:
        return ignored("press-before-demand", facts)
    if turn.owed:
        return ignored("press-before-reshuffle", facts)
    if seat != turn.seat:
        return ignored("press-of-another", facts)
    if state.pending is not None:
        return moves.BreakOff()
    unmet = state.unmet_offer
    return moves.EndTurn() if unmet is None else refused("must-offer", {**facts, "topic": unmet})
