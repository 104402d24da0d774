"""What would be accepted now: asked of the reading itself, so that the two can't differ. Cards alike are asked of
once."""

from __future__ import annotations

from collections.abc import Iterator

from taptable.core.controls import Fields
from taptable.core.observations import CardTapped, Pad
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.xnet import controls
from taptable.games.xnet.choosing import before_actions, read_action
from taptable.games.xnet.controls import as_text, needs
from taptable.games.xnet.reading import read
from taptable.games.xnet.state import State


def legal_taps(state: State, pads: tuple[Pad, ...]) -> list[tuple[str, Pad]]:
    """Every tap on these pads that would be accepted. What lies counts only as a choice (X5.2), and hidden cards of one
    topic are alike: no number decides whether a card is accepted."""
    if state.outcome is not None or state.turn is None:
        return []
    lying = frozenset(_lying(state))
    legal: list[tuple[str, Pad]] = []
    if state.pending is not None and needs(state.pending) is not None:
        return [(card, pad) for card in lying for pad in _accepted_on(state, card, pads)]
    for cards in state.options.deck.by_topic.values():
        hidden = [card for card in cards if card not in lying]
        if hidden:
            accepted = _accepted_on(state, hidden[0], pads)
            legal.extend((card, pad) for card in hidden for pad in accepted)
    return legal


def legal_controls(state: State) -> list[tuple[str, Fields]]:
    """Every control that would be accepted, all its fields given, in the order of their texts."""
    if before_actions(state) is not None:
        return []
    legal = [each for each in _thinkable(state) if not isinstance(read_action(state, *each), Refused)]
    return sorted(legal, key=lambda each: as_text(*each))


def _thinkable(state: State) -> Iterator[tuple[str, Fields]]:
    """All controls with fields that may make sense."""
    assert state.turn is not None
    demanded = [state.topic_of(demand.card) for demand in state.demand]
    own = [offer.topic for offer in state.provider(state.turn.seat).offers]
    yield from ((controls.DEMAND_NEW, (("level", level),)) for level in (1, 2, 3))
    yield from ((controls.DEMAND_REPLACE, (("topic", topic),)) for topic in demanded)
    yield from ((controls.SWAP, (("lower", lower), ("upper", upper))) for lower in demanded for upper in demanded)
    for control in (controls.TO_STREAMER, controls.HIRE_SPECIALIST, controls.TO_HAND):
        yield from ((control, (("topic", topic),)) for topic in own)
    yield from ((controls.BUY_USERS, (("users", users),)) for users in (1, 2))
    yield from ((control, ()) for control in (controls.BUY_SERVER, controls.BUY_STREAMER, controls.BUY_NET))


def _lying(state: State) -> Iterator[str]:
    """Every card that isn't hidden."""
    yield from state.discard
    yield from (demand.card for demand in state.demand)
    for provider in state.providers:
        yield from provider.cards
    if state.pending is not None:
        yield from state.pending.cards


def _accepted_on(state: State, card: str, pads: tuple[Pad, ...]) -> list[Pad]:
    readings = ((pad, read(state, CardTapped(0, card, pad))) for pad in pads)
    return [pad for pad, reading in readings if not isinstance(reading, Refused | Ignored | Fault)]
