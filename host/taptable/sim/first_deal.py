"""Chooses the first deal of a simulated table at which humans play, so that each of them finds a card to play in a
first turn. It draws deals at random and takes the first that is good enough. `sim.people`, which has the virtual
players and the ground truth, calls it once. Pure. Must not know a game by name: it asks the game and its virtual
players."""

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
"""The most deals that are tried; all of them take a fraction of a second. In Cyber Siege one deal in thirty is good
enough for one human."""


def first_deal(table: Table, humans: Sequence[int], rng: Random) -> Any:
    """Return a ground truth for the table: the real places of all cards.

    `humans` are the seats of humans, whom no virtual player replaces. If there are any, and no card lies anywhere yet,
    return the first deal that suits all of them, or after `MAX_DEALS` the one that suits most; the first of them is
    then the youngest player. A deal suits a seat whose first turn would begin with a card of its hand on its own pad.
    Otherwise return any deal that agrees with the table."""
    players, state = table.game.players, table.state
    best = players.prepare(state, players.deal(state, rng))
    if not humans or any(zone.cards for zone in table.game.layout(state)):
        return best
    deal, most = best, -1
    for _ in range(MAX_DEALS):
        suited = sum(_suits(deal, table, seat) for seat in humans)
        if suited > most:
            best, most = deal, suited
        if most == len(humans):
            break
        deal = players.prepare(state, players.deal(state, rng))
    best = draft(best)
    best.youngest = humans[0]
    return best


def _suits(truth: Any, table: Table, seat: int) -> bool:
    """Return whether a virtual player at this seat, if it began, would first play a card of its hand on its own pad."""
    players = table.game.players
    if table.scoreboard.seat is None:  # the game waits for the youngest player's press: let this seat press
        state, truth = _apply(table, table.state, truth, ButtonPressed(0, seat, 0))
    else:  # a starter was agreed: look at the same game with this seat as the starter
        state = table.game.new_game(replace(table.game_options, starter=seat), 0, None)[0]
    while isinstance(action := players.decide(state, truth, seat), Tap):
        if action.card in truth.hand(seat):
            return (action.card, seat) in players.fitting(state, truth, seat, [(action.card, action.pad)])
        # the seat first taps a card that isn't of its hand, as the first demands of X.net: go on to its next action
        state, truth = _apply(table, state, truth, CardTapped(0, action.card, action.pad))
    return False


def _apply(table: Table, state: Any, truth: Any, observation: Observation) -> tuple[Any, Any]:
    """Return state and ground truth after an observation, which the game must accept."""
    move = table.game.play(state, observation)
    assert isinstance(move, tuple), move
    players = table.game.players
    settled = players.settle(state, move[0], observation, True, truth, Random(0))
    return move[0], players.prepare(move[0], settled)
