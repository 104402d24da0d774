"""The moves of X.net: from a state and an observation to the next state, or to a rejection. The order of the checks
decides which refusal is given if several fit: the first. Only after the last check the state is changed. `actions`
begins, chooses and pays for actions, `turns` has what happens by itself at the beginning of a turn. A docstring names
the rules by their numbers: see *rule number* in the glossary."""

from __future__ import annotations

from taptable.core.drafts import draft
from taptable.core.game import Transition
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
from taptable.core.verdicts import Facts, Rejection
from taptable.games.xnet import controls
from taptable.games.xnet.actions import begin, break_off, choose, general_objection, is_offered, pay
from taptable.games.xnet.announcements import CardAdded, DemandLaid, TablePutRight, TopicLaid
from taptable.games.xnet.controls import ACTIONS, DEMAND_PAD, OWN_PAD, open_choice
from taptable.games.xnet.rules import fault, ignore, refuse
from taptable.games.xnet.state import CARDS_PER_TOPIC, LEVELS, SERVER, Demand, Pending, State, Turn
from taptable.games.xnet.turns import (
    Announcements,
    begin_turn,
    end_game,
    next_turn,
    outcome_by_score,
    reshuffle,
    set_starter_and_deal,
)


def play(state: State, observation: Observation) -> Transition[State] | Rejection:
    """Return the state after this observation with the announcements, or a rejection."""
    state, announcements = draft(state), Announcements()
    if state.turn is not None:
        state.turn = draft(state.turn)
    rejection = _play(state, observation, announcements)
    return (state, announcements) if rejection is None else rejection


def _play(state: State, observation: Observation, announcements: Announcements) -> Rejection | None:
    match observation:
        case CardTapped():
            return _tap(state, observation, announcements)
        case CardHeld(_, card, pad):  # a hold means nothing here (X5.6)
            facts: Facts = {"card": card, "pad": pad}
            known = card in state.options.topic_cards.cards
            return ignore("hold-without-meaning", facts) if known else fault("unknown-card", facts)
        case ButtonPressed():
            return _press(state, observation.seat, announcements)
        case ControlUsed(_, "reshuffle"):
            if state.outcome is not None or state.turn is None or not state.turn.owed:
                return refuse("no-reshuffle-due")
            return reshuffle(state, state.turn, announcements)
        case ControlUsed(_, control, fields) if control != "end-game":
            return begin(state, control, fields, announcements)
        case ControlUsed() | TableCorrected():
            if state.turn is None or state.outcome is not None:
                return refuse(general_objection(state) or "no-starter")
            if isinstance(observation, TableCorrected):
                return _correct(state, state.turn, observation, announcements)
            break_off(state, state.turn, announcements)
            return end_game(state, outcome_by_score(state), announcements)
        case _:
            raise AssertionError(observation)


def _effective_pad(state: State, card: str, pad: Pad) -> Pad:
    """Return the pad that a tap counts for: while the pyramid waits for a card, the discard pad stands in for its pad,
    except for cards on the discard pile (X5.4)."""
    if pad != DISCARD_PAD or card in state.discard:
        return pad
    pending = state.pending
    if pending is None:
        return DEMAND_PAD if state.turn is not None and state.opening else pad
    waits = pending.action in (controls.DEMAND_NEW, controls.DEMAND_REPLACE) or (
        pending.action == controls.SWAP and open_choice(pending) is not None
    )
    return DEMAND_PAD if waits else pad


def _tap(state: State, tap: CardTapped, announcements: Announcements) -> Rejection | None:
    card, turn = tap.card, state.turn
    facts: Facts = {"card": card, "pad": tap.pad}
    if card not in state.options.topic_cards.cards:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refuse("game-over", facts)
    if turn is None:
        return refuse("no-starter", facts)
    pad = _effective_pad(state, card, tap.pad)
    place = state.locate(card)
    if place is not None:
        return _tap_open_card(state, turn, card, pad, place, facts, announcements)
    if turn.owed:
        return refuse("reshuffle-due", {**facts, "owed": turn.owed})
    if isinstance(pad, int) and pad != turn.seat:
        return refuse("not-on-turn", {**facts, "seat": turn.seat})
    if state.opening:
        return _tap_opening(state, turn, card, pad, facts, announcements)
    if state.provider(turn.seat).hand == 0:
        return refuse("hand-used-up", facts)
    if state.pending is not None:
        return _tap_payment(state, turn, state.pending, card, pad, facts, announcements)
    if not isinstance(pad, int):
        return refuse("choose-first", facts, "X5.1")
    return _tap_own(state, turn, card, facts, announcements)


def _tap_opening(
    state: State, turn: Turn, card: str, pad: Pad, facts: Facts, announcements: Announcements
) -> Rejection | None:
    """Lay the first card of the next level, from the draw pile; with the third the starter's turn begins (X1.4)."""
    topic = state.topic_of(card)
    if pad != DEMAND_PAD:
        return refuse("demand-first", facts)
    if state.demand_for(topic) is not None:
        return refuse("topic-in-demand", {**facts, "topic": topic}, "X1.4")
    level = len(state.demand) + 1
    state.put_demand(Demand(level, 1, card))
    state.draw_pile -= 1
    announcements.append(DemandLaid(turn.seat, card, level, 1))
    if level == len(LEVELS):
        begin_turn(state, turn.seat, announcements)
    return None


def _tap_open_card(
    state: State, turn: Turn, card: str, pad: Pad, place: int | str, facts: Facts, announcements: Announcements
) -> Rejection | None:
    """Handle a card that isn't hidden: it chooses a topic, or belongs where it lies (X5.2, X5.9)."""
    pending = state.pending
    if pending is not None and open_choice(pending) is not None:
        by_own_card = ACTIONS[pending.action].choose_on == OWN_PAD
        if place == pad == (turn.seat if by_own_card else DEMAND_PAD):
            return choose(state, turn, pending, state.topic_of(card), facts, announcements)
    lies_at = ACTIONS[pending.action].pay_on if pending is not None and place == "pending" else place
    if lies_at == pad:
        return ignore("already-there", facts)
    if isinstance(lies_at, int):
        return refuse("lies-elsewhere", {**facts, "seats": (lies_at,)})
    return refuse("lies-elsewhere", {**facts, "place": place})


def _tap_payment(
    state: State, turn: Turn, pending: Pending, card: str, pad: Pad, facts: Facts, announcements: Announcements
) -> Rejection | None:
    """Handle a card from the hand while an action is pending (X5.3, X5.5)."""
    topic = state.topic_of(card)
    facts = {**facts, "topic": topic, "control": pending.action}
    choice = open_choice(pending)
    if choice is not None:
        return refuse("choose-first", {**facts, "needs": choice})
    if pad != ACTIONS[pending.action].pay_on:
        return refuse("action-open", {**facts, "onto": ACTIONS[pending.action].pay_on})
    match pending.action:
        case controls.DEMAND_NEW | controls.DEMAND_REPLACE:
            if topic != pending.topic and state.demand_for(topic) is not None:
                return refuse("topic-in-demand", facts)
            if pending.cards and topic != state.topic_of(pending.cards[0]):
                return refuse("one-topic", {**facts, "before": state.topic_of(pending.cards[0])})
        case controls.SWAP:
            if topic != pending.lower:
                return refuse("wrong-topic", {**facts, "lower": pending.lower or ""})
        case controls.BUY_USERS:
            if not _pays_for_users(state, turn, pending, topic):
                return refuse("wrong-topic", {**facts, "users": pending.users or 0}, "X3.8")
        case _:
            pass
    return pay(state, turn, pending, card, announcements)


def _pays_for_users(state: State, turn: Turn, pending: Pending, topic: str) -> bool:
    """Return whether the price of users can still be paid with a card of this topic (X3.8)."""
    provider = state.provider(turn.seat)
    before = [state.topic_of(card) for card in pending.cards]
    if pending.users == 2:
        return is_offered(state, provider, topic) and before in ([], [topic])
    return not before or any(is_offered(state, provider, each) for each in (*before, topic))


def _tap_own(state: State, turn: Turn, card: str, facts: Facts, announcements: Announcements) -> Rejection | None:
    """Lay a card from the hand on the own pad while nothing is pending: a new topic, or one more card of one (X3.6,
    X3.7)."""
    provider = state.provider(turn.seat)
    topic = state.topic_of(card)
    facts = {**facts, "topic": topic}
    offer = provider.offer(topic)
    demanded = state.demand_for(topic) is not None
    if offer is not None and offer.location != SERVER:
        return refuse("on-streamer", facts)
    if not demanded:
        return refuse("not-in-demand", facts, None if offer is None else "X3.7")
    if offer is None and not provider.has_free_place:
        return refuse("servers-full", {**facts, "servers": provider.servers})
    if offer is not None and len(offer.cards) >= CARDS_PER_TOPIC and not offer.specialist:
        return refuse("needs-specialist", facts)
    provider = state.draft_provider(turn.seat)
    provider.hand -= 1
    grown = provider.add(topic, card)
    announcements.append(TopicLaid(turn.seat, card) if offer is None else CardAdded(turn.seat, card, len(grown.cards)))
    return None


def _press(state: State, seat: int, announcements: Announcements) -> Rejection | None:
    """Handle a seat's button: the starter, an action broken off, the end of the turn, or nothing (X1.2, X5.6)."""
    facts: Facts = {"pad": seat}
    turn = state.turn
    if state.outcome is not None:
        return ignore("game-is-over", facts)
    if turn is None:
        return set_starter_and_deal(state, seat, announcements)
    if state.opening:
        return ignore("press-before-demand", facts)
    if turn.owed:
        return ignore("press-before-reshuffle", facts)
    if seat != turn.seat:
        return ignore("press-of-another", facts)
    if state.pending is not None:
        return break_off(state, turn, announcements)
    unmet = state.unmet_offer
    if unmet is not None:
        return refuse("must-offer", {**facts, "topic": unmet})
    return next_turn(state, turn, announcements)


def _correct(state: State, turn: Turn, correction: TableCorrected, announcements: Announcements) -> Rejection | None:
    """Break off the pending action, and set topics and hands as a check has found them, and the draw pile to the rest.
    Return a rejection if a card is unknown or can't lie there, or if the hands would have more cards than there are
    (X5.10). The pyramid lies open before everybody and isn't checked."""
    topic_cards = state.options.topic_cards
    pads = {**dict.fromkeys(correction.gone), **dict(correction.laid)}
    for card, pad in pads.items():
        facts: Facts = {"card": card} if pad is None else {"card": card, "pad": pad}
        if card not in topic_cards.cards:
            return fault("unknown-card", facts)
        if pad == "demand" or state.locate(card) == "demand":
            return refuse("demand-stays", facts)
    break_off(state, turn, announcements)
    _move(state, correction)
    for card, pad in correction.laid:
        code = _placement_objection(state, card, pad) if isinstance(pad, int) else None
        if code is not None:
            servers = state.provider(pad).servers if isinstance(pad, int) else 0
            return refuse(code, {"card": card, "pad": pad, "topic": state.topic_of(card), "servers": servers})
    if state.draw_pile < 0:
        return refuse("counts-too-high")
    announcements.append(TablePutRight(tuple(card for card, _ in correction.laid), correction.gone, state.draw_pile))
    return None


def _move(state: State, correction: TableCorrected) -> None:
    """Move the cards that were found elsewhere or are missing. A topic with no card left keeps its place until all are
    laid."""
    moved = {*correction.gone, *(card for card, _ in correction.laid)}
    helped = _specialists(state)
    providers = [state.draft_provider(seat) for seat in range(1, state.options.players + 1)]
    for provider in providers:
        for offer in provider.offers:
            provider.take(offer.topic, moved)
    state.discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(correction.laid).items():  # a card found twice was moved meanwhile: its last place counts
        if isinstance(pad, int):
            providers[pad - 1].add(state.topic_of(card), card)
        else:
            state.discard = (*state.discard, card)
    for seat, hand in correction.hands:
        providers[seat - 1].hand = hand
    for provider in providers:
        provider.offers = tuple(offer for offer in provider.offers if offer.cards)
    state.specialists += helped - _specialists(state)
    count_on_table = sum(len(offer.cards) for provider in providers for offer in provider.offers)
    count_in_hands = sum(provider.hand for provider in providers)
    state.draw_pile = (
        len(state.options.topic_cards.cards) - count_on_table - len(state.discard) - len(state.demand) - count_in_hands
    )


def _specialists(state: State) -> int:
    return sum(offer.specialist for provider in state.providers for offer in provider.offers)


def _placement_objection(state: State, card: str, seat: int) -> str | None:
    """Return why a card that was found before a provider can't lie there, as a code (X3.6, X3.7); None if it can."""
    provider = state.provider(seat)
    offer = provider.offer(state.topic_of(card))
    assert offer is not None
    if offer.location == SERVER and len(offer.cards) > CARDS_PER_TOPIC and not offer.specialist:
        return "needs-specialist"
    return None if provider.is_within_capacity else "servers-full"
