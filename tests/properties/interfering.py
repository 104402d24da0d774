"""The actions of players between their moves, after which the referee's belief must still agree with the truth."""

from __future__ import annotations

from random import Random

from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    SeatVacated,
)
from taptable.core.verdicts import Accepted
from taptable.referee.step import legal_controls, legal_taps
from taptable.sim import simulation

from properties.every_game import players_of
from properties.gestures import deck_at
from properties.wandering import no_one


def interfere(played: simulation.Simulation, rng: Random) -> None:
    """Play something that moves no card except back, or that is a manual decision: a tap that must be refused, any
    button, a take-back, a pause; rarely a second card together with the last, a control, a lost card, a player who
    leaves, the end."""
    table, now_us = played.table, played.now_us + 1  # no two people do something in the same microsecond
    told = table.game.arrangements
    match rng.randrange(26):
        case 19 if table.undo_entry is not None and isinstance(tap := table.undo_entry.observation, CardTapped):
            simulation.observe(played, CardsTogether(now_us, (tap.card, "another"), tap.pad, tap.at_us), no_one)
        case 20:
            manifest = table.game_options.manifest
            players = rng.choice(players_of(table.game.name, manifest))
            game_options = GameOptions(players, rng.choice(table.game.editions), {}, None, manifest)
            played.plans.clear()
            simulation.observe(played, GameSetUp(now_us, table.game.name, game_options, keep_next_starter=True), no_one)
        case 21:
            simulation.observe(played, ControlUsed(now_us, "end-game"), no_one)
            simulation.observe(played, ControlUsed(now_us + 1, rng.choice(("take-back", "new-game"))), no_one)
        case 22 if SeatVacated in told:
            simulation.observe(played, SeatVacated(now_us, rng.randint(1, table.game_options.players)), no_one)
        case 23 if CardLost in told:
            lost = table.game.scoreboard(table.state).lost
            found = CardLost(now_us, rng.choice(deck_at(table)))
            simulation.observe(played, CardRecovered(now_us, rng.choice(lost)) if lost else found, no_one)
        case 24 | 25 if table.game.controls:
            listed = legal_controls(table)
            if listed:
                simulation.observe(played, ControlUsed(now_us, *rng.choice(listed)), no_one)
        case 0 | 1:
            seat = rng.randint(1, table.game_options.players)
            blunder = table.game.players.blunder(table.state, played.truth, seat, rng)
            if blunder is not None:
                tapped = CardTapped(now_us, blunder.card, blunder.pad)
                assert not isinstance(simulation.observe(played, tapped, no_one), Accepted)
        case 2 | 3 | 4:
            card, pad = rng.choice(deck_at(table)), rng.choice(table.game.pads(table.state))
            if (card, pad) not in legal_taps(table):
                assert not isinstance(simulation.observe(played, CardTapped(now_us, card, pad), no_one), Accepted)
        case 5 | 6 | 7 | 8 | 9:
            seat = rng.randint(1, table.game_options.players)
            simulation.observe(played, simulation.observation_of(simulation.Push(seat), now_us), no_one)
        case 10 | 11 | 12 | 13 | 14:
            for _ in range(rng.randint(1, 5)):
                simulation.observe(played, ControlUsed(now_us, "take-back"), no_one)
        case _:
            simulation.observe(played, ControlUsed(now_us, "pause"), no_one)
            simulation.observe(played, ControlUsed(now_us + rng.randrange(10**8), "resume"), no_one)
