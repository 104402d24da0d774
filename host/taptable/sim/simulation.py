"""Plays games between virtual players straight through the referee, without devices and without waiting: one, or many
from a seed each, on one core or several. A game's seed alone decides who begins and what happens, so the results don't
depend on the cores and any game can be played again. The report and the plots of many games are made from its figures.
Must not know a rule: it asks the game and its virtual players."""

from __future__ import annotations

import multiprocessing
import secrets
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from random import Random
from typing import Any

from taptable.core.announcements import Announcement, TurnAnnounced, WindowOpened
from taptable.core.errors import RefereeError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardHeld, CardTapped, ControlUsed, Observation, TimePassed
from taptable.core.player import HoldCard, PlayerAction, Push, Tap, TapControl
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.registry import find_game
from taptable.referee.step import Table, next_deadline, open_table, step
from taptable.sim.statistics import BROKEN_OFF, STUCK, GameCounter, GameFigures, figures_of

THINKING_US = (2_000_000, 9_000_000)
"""The least and the most time before an action of a player."""
REACTION_US = (250_000, 2_400_000)
"""From the opening of a window to a claimant's press; slow enough for a short window to be missed."""
STAMP_UNCERTAINTY_US = 100
"""Maximum distance of a seat button's stamp from its press."""
RASH_BUZZES = 0.03
"""How often a player buzzes without a reason."""

MAX_TURNS = 500
"""Turns after which a game is broken off, more than four hours at a table: house rules may leave every team without a
card it needs."""
MAX_IN_A_TURN = 1_000
"""Maximum number of events in one turn, waits included; after that a game counts as stuck."""

Listener = Callable[[Table, Observation, Verdict, Table], None]


@dataclass(slots=True)
class Simulation:
    """A table, the true cards and a clock; `play` runs a game to its end.

    `opening` holds the announcements of its beginning; `plans` the next action of each seat and its time; `rash_seats`
    the seats that will buzz without a reason in the running window."""

    game: Game[Any]
    table: Table
    truth: Any
    rng: Random
    opening: tuple[Announcement, ...]
    now_us: int = 0
    turns: int = 0
    plans: dict[int, tuple[PlayerAction, int]] = field(default_factory=dict[int, tuple[PlayerAction, int]])
    rash_seats: frozenset[int] = frozenset()


def new_simulation(game: Game[Any], game_options: GameOptions, rng: Random) -> Simulation:
    """Return a simulation before its first card."""
    table, announcements = open_table(game, game_options)
    truth = game.players.prepare(table.state, game.players.deal(table.state, rng))
    return Simulation(
        game, table, truth, rng, announcements, turns=sum(isinstance(each, TurnAnnounced) for each in announcements)
    )


class End(Enum):
    """How a game ended: decided by its rules, broken off after `MAX_TURNS`, or stuck because no action leads on."""

    DECIDED = auto()
    BROKEN_OFF = auto()
    STUCK = auto()


def play(simulation: Simulation, listener: Listener) -> End:
    """Play to the end, or to the end of the last of `MAX_TURNS` turns, or until a turn never ends.

    Raises RefereeError if the referee's state departs from the true cards."""
    turn, events = 0, 0
    while simulation.game.outcome(simulation.table.state) is None:
        if simulation.turns > MAX_TURNS:
            return End.BROKEN_OFF
        if simulation.turns > turn:
            turn, events = simulation.turns, 0
        if events == MAX_IN_A_TURN:
            return End.STUCK
        advance(simulation, listener)
        events += 1
    return End.DECIDED


def advance(simulation: Simulation, listener: Listener) -> None:
    """Do the next thing due: the quickest player's action, or a deadline."""
    due_us = next_deadline(simulation.table)
    _plan(simulation)
    if simulation.plans:
        seat, (action, at_us) = min(simulation.plans.items(), key=lambda item: item[1][1])
        if due_us is None or at_us < due_us:
            del simulation.plans[seat]
            observe(simulation, observation_of(action, max(at_us, simulation.now_us)), listener)
            return
    if due_us is None:
        simulation.now_us += THINKING_US[0]  # no player acts yet: ask them again later
    else:
        observe(simulation, TimePassed(due_us), listener)


def observe(simulation: Simulation, observation: Observation, listener: Listener) -> Verdict:
    """Put one observation through the step, and move the true cards by it."""
    before = simulation.table
    simulation.now_us = observation.at_us
    simulation.table, verdict = step(before, observation)
    players = simulation.game.players
    accepted = isinstance(verdict, Accepted)
    settled = players.settle(
        before.state, simulation.table.state, observation, accepted, simulation.truth, simulation.rng
    )
    simulation.truth = players.prepare(simulation.table.state, settled)
    disagreement = players.disagreement(simulation.table.state, simulation.truth)
    if disagreement is not None:
        raise RefereeError(f"The referee's state departs from the true cards after {observation}: {disagreement}.")
    for announcement in verdict.announcements:
        if isinstance(announcement, TurnAnnounced):
            simulation.turns += 1
        elif isinstance(announcement, WindowOpened):
            seats = range(1, before.game_options.players + 1)
            simulation.rash_seats = frozenset(seat for seat in seats if simulation.rng.random() < RASH_BUZZES)
    listener(before, observation, verdict, simulation.table)
    return verdict


def observation_of(action: PlayerAction, at_us: int) -> Observation:
    """Return the observation of an action done without a slip."""
    match action:
        case Tap(_, card, pad):
            return CardTapped(at_us, card, pad)
        case HoldCard(_, card, pad):
            return CardHeld(at_us, card, pad)
        case Push(seat):
            return ButtonPressed(at_us, seat, at_us, STAMP_UNCERTAINTY_US)
        case TapControl(_, control, fields):
            return ControlUsed(at_us, control, fields)


def _plan(simulation: Simulation) -> None:
    """Plan each seat's next action; an unchanged action keeps its time."""
    game, state = simulation.game, simulation.table.state
    for seat, button_action in enumerate(game.button_actions(state), 1):
        action = game.players.decide(state, simulation.truth, seat)
        if action is None and button_action == "buzz" and seat in simulation.rash_seats:
            action = Push(seat)
        planned = simulation.plans.get(seat)
        if action is None:
            simulation.plans.pop(seat, None)
        elif planned is None or planned[0] != action:
            pace_us = THINKING_US if game.scoreboard(state).window is None else REACTION_US
            simulation.plans[seat] = (action, simulation.now_us + simulation.rng.randint(*pace_us))


GAMES_PER_BATCH = 10
"""Games that a process plays before it returns their figures."""
SEED_BITS = 40
"""The size of a game's own seed, which is derived from that of the series."""
MAX_SEED = 1_000_000
"""Upper bound of seeds that nobody chose, so that they are short enough to be typed again."""


@dataclass(frozen=True, slots=True)
class GameSeries:
    """Games to play under the same rules: the numbers `first` to `last`, counted from 0, of a series of games."""

    game: str
    game_options: GameOptions
    seed: int
    first: int
    last: int


def any_seed() -> int:
    """Return a random seed."""
    return secrets.randbelow(MAX_SEED)


def seed_of(series: int, number: int, players: int) -> int:
    """Return the seed of one game of a series. The first is the series' own; the others have nothing in common with
    those of another series, except that the starter rotates."""
    if number == 0:
        return series
    drawn = Random(f"{series}/{number}").getrandbits(SEED_BITS)
    return drawn - drawn % players + (series + number) % players


def play_one(game: str, game_options: GameOptions, seed: int) -> GameFigures:
    """Play one game from its seed, which decides the starter unless one is agreed. The RefereeError of a fault names
    the seed."""
    starter = game_options.starter or 1 + seed % game_options.players
    counting = GameCounter()
    try:
        played = new_simulation(find_game(game), replace(game_options, starter=starter), Random(seed))
        counting.count_announcements(played.opening)
        end = play(played, counting.count_step)
    except RefereeError as error:
        raise RefereeError(f"A game went wrong. {error} To play it again: -n 1 --seed {seed}.") from error
    undecided = STUCK if end is End.STUCK else BROKEN_OFF
    return figures_of(played.table, seed, starter, counting, undecided)


def play_many(game: str, game_options: GameOptions, seed: int, number: int, jobs: int) -> Iterator[GameFigures]:
    """Yield the figures of `number` games, in the order of the series, played by up to `jobs` processes."""
    batches = [
        GameSeries(game, game_options, seed, first, min(first + GAMES_PER_BATCH, number) - 1)
        for first in range(0, number, GAMES_PER_BATCH)
    ]
    jobs = min(jobs, len(batches))
    if jobs == 1:
        for batch in batches:
            yield from _play(batch)
        return
    # spawned, because only this works on every system and in a process with threads
    with multiprocessing.get_context("spawn").Pool(jobs, _ignore_interrupts) as pool:
        for figures in pool.imap(_play_batch, batches):
            yield from figures


def _play(batch: GameSeries) -> Iterator[GameFigures]:
    for number in range(batch.first, batch.last + 1):
        yield play_one(batch.game, batch.game_options, seed_of(batch.seed, number, batch.game_options.players))


def _play_batch(batch: GameSeries) -> list[GameFigures]:
    return list(_play(batch))


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
