"""Chooses the first deal of a simulated table, so that people who have just sat down find something to play. Chance
alone decides among the deals that qualify. `people` calls it once. Pure. Must not know a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from taptable.core.drafts import draft
from taptable.core.observations import ButtonPressed, CardTapped, Observation
from taptable.core.player import Tap
from taptable.referee.step import Table

MAX_DEALS = 500
"""The most deals that are tried, which takes a fraction of a second. In Cyber Siege one deal in thirty suits one
person."""


def first_deal(table: Table, people: Sequence[int], rng: Random) -> Any:
    """Return a ground truth that agrees with the table. In a game that nobody has begun, choose the first deal by which
    each of these `people`, if they began, would play a card of their hand on their own pad, else the one by which most
    would; the first of them is the youngest."""
    players, state = table.game.players, table.state
    best = players.prepare(state, players.deal(state, rng))
    if not people or any(zone.cards for zone in table.game.layout(state)):
        return best
    deal, most = best, -1
    for _ in range(MAX_DEALS):
        playing = sum(_has_something_to_play(table, deal, seat) for seat in people)
        if playing > most:
            best, most = deal, playing
        if most == len(people):
            break
        deal = players.prepare(state, players.deal(state, rng))
    best = draft(best)
    best.youngest = people[0]
    return best


def _has_something_to_play(table: Table, truth: Any, seat: int) -> bool:
    """Return whether a seat that began would play a card of its hand on its own pad, as its virtual player would."""
    players = table.game.players
    if table.scoreboard.seat is None:
        state, truth = _apply(table, table.state, truth, ButtonPressed(0, seat, 0))
    else:
        state = table.game.new_game(replace(table.game_options, starter=seat), 0, None)[0]
    while isinstance(action := players.decide(state, truth, seat), Tap):
        if action.card in truth.hand(seat):
            return (action.card, seat) in players.fitting(state, truth, seat, [(action.card, action.pad)])
        # a card that comes from a pile first, as the first demands of X.net do
        state, truth = _apply(table, state, truth, CardTapped(0, action.card, action.pad))
    return False


def _apply(table: Table, state: Any, truth: Any, observation: Observation) -> tuple[Any, Any]:
    """Return state and ground truth after an observation that is accepted."""
    move = table.game.play(state, observation)
    assert isinstance(move, tuple), move
    players = table.game.players
    settled = players.settle(state, move[0], observation, True, truth, Random(0))
    return move[0], players.prepare(move[0], settled)
