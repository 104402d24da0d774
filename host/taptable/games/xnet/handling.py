"""Handling: how the true cards of X.net move as people do what the table accepted, with their own eyes on what
stands on the cards."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from taptable.core.observations import (
    ButtonPressed,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    TableCorrected,
)
from taptable.games.xnet import controls
from taptable.games.xnet import holdings as truth
from taptable.games.xnet.controls import begun_by, needs
from taptable.games.xnet.holdings import Holdings, Past
from taptable.games.xnet.state import Demand, Pending, State


def move(before: State, after: State, observation: Observation, holdings: Holdings, rng: Random) -> Holdings:
    """The cards after what was accepted, between the states before and after it."""
    match observation:
        case ControlUsed(_, "take-back"):
            # of a move from before a power cut nobody remembers the cards
            return holdings.past.holdings if holdings.past else truth.deal(after, rng)
        case ControlUsed(_, "new-game") | GameSetUp():
            return truth.deal(after, rng)
        case ControlUsed(_, "reshuffle"):
            assert before.turn is not None
            return truth.reshuffle(holdings, before.turn.seat, rng)
        case ControlUsed(_, "pause" | "resume"):
            return holdings
        case TableCorrected():
            return replace(_give_back(before, holdings), past=None)
        case CardTapped():
            moved = _tap(before, after, observation.card, holdings)
        case ButtonPressed():
            moved = _press(before, after, observation.seat, holdings)
        case ControlUsed(_, "end-game"):
            moved = _give_back(before, holdings)
        case ControlUsed(_, control, fields):
            moved = _at_once(before, after, begun_by(control, fields), holdings)
        case _:
            return holdings
    return replace(truth.equip(moved, after), past=Past(observation, holdings))


def part(together: CardsTogether, holdings: Holdings) -> Holdings:
    """The cards as they were before one of two that came together was tapped."""
    past = holdings.past
    while past is not None and past.observation.at_us >= together.since_us:
        tap = past.observation
        if isinstance(tap, CardTapped) and tap.pad == together.pad and tap.card in together.cards:
            return past.holdings
        past = past.holdings.past
    return holdings


def _tap(before: State, after: State, card: str, holdings: Holdings) -> Holdings:
    assert before.turn is not None
    seat = before.turn.seat
    if before.opening:
        pile = tuple(other for other in holdings.pile if other != card)
        level = len(holdings.demand) + 1
        opened = replace(holdings, pile=pile, demand=(*holdings.demand, Demand(level, 1, card)))
        return opened if after.opening else _begin_turn(after, seat, opened)
    pending = before.pending
    if pending is None:
        return truth.serve(holdings, seat, card)
    choice = needs(pending)
    if choice is not None:
        return _at_once(before, after, replace(pending, topic=holdings.topic_of(card)), holdings)
    paying = truth.from_hand(holdings, seat, card)
    paying = replace(paying, paid=(*paying.paid, card))
    return paying if after.pending is not None else _settle_payment(pending, paying)


def _at_once(before: State, after: State, pending: Pending, holdings: Holdings) -> Holdings:
    """What needs no payment is done as soon as it is chosen (X5.3)."""
    assert before.turn is not None
    if after.pending is not None or pending.topic is None:
        return holdings
    if pending.action == controls.TO_STREAMER:
        return truth.to_streamer(holdings, before.turn.seat, pending.topic)
    if pending.action == controls.TO_HAND:
        return truth.to_hand(holdings, before.turn.seat, pending.topic)
    return holdings


def _settle_payment(pending: Pending, holdings: Holdings) -> Holdings:
    """The price is whole: the cards go where they belong (X3.1–X3.4, X5.5)."""
    done = replace(holdings, paid=())
    match pending.action:
        case controls.DEMAND_NEW:
            taken = {each.place for each in holdings.demand if each.level == pending.level}
            place = next(number for number in range(1, 4) if number not in taken)
            assert pending.level is not None
            return _with_demand(done, Demand(pending.level, place, holdings.paid[0]))
        case controls.DEMAND_REPLACE:
            old = next(each for each in holdings.demand if holdings.topic_of(each.card) == pending.topic)
            best = max(holdings.paid, key=holdings.number_of)
            rest = tuple(card for card in holdings.paid if card != best)
            replaced = _with_demand(done, replace(old, card=best))
            return replace(replaced, discard=(*holdings.discard, old.card, *rest))
        case controls.SWAP:
            lower, upper = (
                next(each for each in holdings.demand if holdings.topic_of(each.card) == topic)
                for topic in (pending.lower, pending.upper)
            )
            done = _with_demand(done, replace(lower, card=upper.card), replace(upper, card=lower.card))
        case _:
            pass
    return replace(done, discard=(*holdings.discard, *holdings.paid))


def _with_demand(holdings: Holdings, *changed: Demand) -> Holdings:
    places = {(each.level, each.place): each for each in (*holdings.demand, *changed)}
    return replace(holdings, demand=tuple(places[at] for at in sorted(places)))


def _press(before: State, after: State, seat: int, holdings: Holdings) -> Holdings:
    """The starter's press, an action broken off, or the end of a turn (X1.2, X5.6)."""
    if before.turn is None:
        return truth.deal_extra(holdings, seat)
    if before.pending is not None:
        return _give_back(before, holdings)
    return _begin_turn(after, seat % before.options.players + 1, holdings)


def _begin_turn(after: State, seat: int, holdings: Holdings) -> Holdings:
    """Five cards are drawn, unless the score has just ended the game (X4.1)."""
    return holdings if after.outcome is not None else truth.draw_five(holdings, seat)


def _give_back(before: State, holdings: Holdings) -> Holdings:
    """What was tapped for an action is in the hand again (X5.6)."""
    if before.turn is None:
        return holdings
    seat = before.turn.seat
    return replace(holdings.with_hand(seat, (*holdings.hand(seat), *holdings.paid)), paid=())
