"""Applying: carries out a move that `read` found legal, and says what came of it. Decides nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core.announcements import Announcement
from taptable.games.xnet import moves
from taptable.games.xnet.announcements import (
    ActionBegun,
    CardAdded,
    DemandLaid,
    PaymentOwed,
    TopicChosen,
    TopicLaid,
)
from taptable.games.xnet.controls import ACTIONS, needs, owed
from taptable.games.xnet.correcting import correct
from taptable.games.xnet.doing import break_off, do, short_of
from taptable.games.xnet.score import won_as_it_stands
from taptable.games.xnet.state import LEVELS, Demand, Offer, Pending, State, Turn
from taptable.games.xnet.turns import begin_turn, end_game, name_starter, next_turn, reshuffle

Result: TypeAlias = tuple[State, list[Announcement]]


def apply(state: State, move: moves.Move) -> Result:
    """The state after a legal move, and the announcements it brings."""
    if isinstance(move, moves.NameStarter):
        return name_starter(state, move.seat)
    assert state.turn is not None
    return _apply_in_turn(state, state.turn, move)


def _apply_in_turn(state: State, turn: Turn, move: moves.MoveInTurn) -> Result:
    match move:
        case moves.OpenDemand(card):
            return _open_demand(state, turn, card)
        case moves.LayCard(card):
            return _lay(state, turn, card)
        case moves.BeginAction(pending):
            return _begin(state, turn, pending)
        case moves.Choose(topic, pending):
            return _choose(state, turn, topic, pending)
        case moves.Pay(card):
            return _pay(state, turn, card)
        case moves.BreakOff():
            return break_off(state, turn)
        case moves.EndTurn():
            return next_turn(state, turn)
        case moves.Reshuffle():
            return reshuffle(state, turn)
        case moves.EndGame():
            stopped, said = break_off(state, turn)
            return end_game(stopped, won_as_it_stands(stopped), said)
        case moves.Correct():
            return correct(state, turn, move)


def _open_demand(state: State, turn: Turn, card: str) -> Result:
    """The next level gets its first card, from the draw pile; with the third the starter's turn begins (X1.4)."""
    level = len(state.demand) + 1
    laid = replace(state.with_demand(Demand(level, 1, card)), draw_pile=state.draw_pile - 1)
    said: list[Announcement] = [DemandLaid(turn.seat, card, level, 1)]
    if level < len(LEVELS):
        return laid, said
    began, more = begin_turn(laid, turn.seat)
    return began, [*said, *more]


def _lay(state: State, turn: Turn, card: str) -> Result:
    """A card from the hand lies on a server (X3.6, X3.7)."""
    provider = state.provider(turn.seat)
    topic = state.topic_of(card)
    offer = provider.offer(topic)
    if offer is None:
        laid = replace(provider, offers=(*provider.offers, Offer(topic, (card,))))
        said: Announcement = TopicLaid(turn.seat, card)
    else:
        cards = (*offer.cards, card)
        laid = provider.with_offer(replace(offer, cards=cards))
        said = CardAdded(turn.seat, card, len(cards))
    return state.with_provider(turn.seat, replace(laid, hand=provider.hand - 1)), [said]


def _begin(state: State, turn: Turn, pending: Pending) -> Result:
    begun = replace(state, pending=pending)
    if _is_done(begun, pending):
        return do(begun, turn, pending)
    said: list[Announcement] = [ActionBegun(turn.seat, pending.action, needs(pending))]
    return _go_on(begun, turn, pending, said)


def _choose(state: State, turn: Turn, topic: str, pending: Pending) -> Result:
    chosen = replace(state, pending=pending)
    if _is_done(chosen, pending):
        return do(chosen, turn, pending)
    return _go_on(chosen, turn, pending, [TopicChosen(turn.seat, topic, needs(pending))])


def _go_on(state: State, turn: Turn, pending: Pending, said: list[Announcement]) -> Result:
    """The action that is pending is done if nothing is lacking; else the table says what is owed (X5.3, X5.5)."""
    choice = needs(pending)
    if _is_done(state, pending):
        done, more = do(state, turn, pending)
        return done, [*said, *more]
    if choice is not None:
        return state, said
    onto = str(ACTIONS[pending.action].pay_on)
    return state, [*said, PaymentOwed(turn.seat, pending.action, owed(pending), short_of(state, pending), onto)]


def _pay(state: State, turn: Turn, card: str) -> Result:
    """A card leaves the hand; with the last one the action is done (X5.5)."""
    assert state.pending is not None
    provider = state.provider(turn.seat)
    pending = replace(state.pending, cards=(*state.pending.cards, card))
    paid = state.with_provider(turn.seat, replace(provider, hand=provider.hand - 1))
    return _go_on(replace(paid, pending=pending), turn, pending, [])


def _is_done(state: State, pending: Pending) -> bool:
    """Is the action chosen and paid for?"""
    if needs(pending) is not None:
        return False
    left = owed(pending)
    if left is not None:
        return left == 0
    short = short_of(state, pending)
    return short is not None and short <= 0
