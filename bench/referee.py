"""The number of accepted moves a second through the table's own step, on one core. Random legal games are played and
recorded first. Then all their observations pass through `step` again, history on and journal off, and only that is
timed, in processor time, on which the rest of the machine has little influence. If `rlcard` is installed, its UNO does
the same in turns with it: random legal games, of which only `game.step` is timed."""

from __future__ import annotations

import gc
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import median
from typing import Any, TextIO

from taptable.core.announcements import type_name
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardTapped,
    ControlUsed,
    Observation,
    TimePassed,
)
from taptable.core.verdicts import Accepted
from taptable.games.registry import find_game
from taptable.referee.step import Table, legal_taps, next_deadline, open_table, step

EDITIONS = ("de", "en", "fr")
STOP_SHARE = 0.2
HOLD_SHARE = 0.1
ROUNDS = 5


def record(game_options: GameOptions, rng: Random, most: int = 2_000) -> tuple[list[Observation], Counter[str]]:
    """Record one random legal game: its accepted observations, and the number of moves of each kind. The passing of
    time is observed and replayed too, but is nobody's move."""
    table, _ = open_table(find_game("online"), game_options)
    observations: list[Observation] = []
    mix: Counter[str] = Counter()
    while len(observations) < most and table.game.outcome(table.state) is None:
        observation = _choose(table, rng)
        table, _ = step(table, TimePassed(observation.at_us))
        table, verdict = step(table, observation)
        if isinstance(verdict, Accepted):
            observations.append(observation)
            if not isinstance(observation, TimePassed):
                mix[type_name(type(verdict.announcements[0]))] += 1  # each move says something
    return observations, mix


def replay(game_options: GameOptions, observations: list[Observation]) -> None:
    """Put them through the step again; each must be accepted again."""
    table, _ = open_table(find_game("online"), game_options)
    for observation in observations:
        table, verdict = step(table, observation)
        assert isinstance(verdict, Accepted)


def run(out: TextIO, games: int = 60) -> int:
    """Print moves a second, the best and the median of several rounds, beside the peer's, and the mix of moves."""
    rng = Random(112)
    evenings: list[tuple[GameOptions, list[Observation]]] = []
    mix: Counter[str] = Counter()
    for number in range(games):
        game_options = GameOptions(2 + number % 5, EDITIONS[number % 3], {}, 1)
        observations, meant = record(game_options, rng)
        evenings.append((game_options, observations))
        mix += meant
    moves = mix.total()

    def ours() -> None:
        for game_options, observations in evenings:
            replay(game_options, observations)

    print(f"{games} random legal games of ONLINE, {moves} accepted moves; Python {platform.python_version()}", file=out)
    rivals = {"ours": (moves, ours)} | uno_games(games)
    rates: dict[str, list[float]] = {name: [] for name in rivals}
    gc.collect()
    gc.freeze()  # what was written down is no affair of the collector while it is played again
    for _ in range(ROUNDS):
        for name, (count, play) in rivals.items():
            began_s = time.process_time()
            play()
            rates[name].append(count / (time.process_time() - began_s))
    gc.unfreeze()
    for name, found in rates.items():
        what = "moves a second of CPU time on one core" if name == "ours" else f"{name} a second"
        print(f"{what}: median {median(found):,.0f}, best {max(found):,.0f} of {ROUNDS} rounds", file=out)
    for name in [name for name in rates if name != "ours"]:
        print(f"ours by {name}: {median(rates['ours']) / median(rates[name]):.2f}", file=out)
    if len(rates) == 1:
        print("rlcard isn't installed: nothing stands beside it", file=out)
    print("the mix of moves:", file=out)
    for name, count in mix.most_common():
        print(f"  {count / moves:6.1%}  {name}", file=out)
    return 0


def uno_games(games: int) -> dict[str, tuple[int, Callable[[], None]]]:
    """RLCard's UNO, if it is installed, as it comes and with its history on, as ours is: the number of steps of its
    random legal games, and a function that takes all of them again."""
    try:
        make: Any = import_module("rlcard.games.uno").Game
        random_state: Any = import_module("numpy").random.RandomState
    except ImportError:
        return {}
    rng = Random(112)
    recorded: list[tuple[int, list[str]]] = []
    for seed in range(games):
        game = make()
        game.np_random = random_state(seed)
        game.init_game()
        actions: list[str] = []
        while not game.is_over():
            actions.append(rng.choice(game.get_legal_actions()))
            game.step(actions[-1])
        recorded.append((seed, actions))

    def play(history: bool) -> None:
        for seed, actions in recorded:
            game = make(allow_step_back=history)
            game.np_random = random_state(seed)
            game.init_game()
            for action in actions:
                game.step(action)

    steps = sum(len(actions) for _, actions in recorded)
    return {
        "RLCard's steps of UNO": (steps, lambda: play(False)),
        "RLCard's steps of UNO, history kept": (steps, lambda: play(True)),
    }


def _choose(table: Table, rng: Random) -> Observation:
    """A random legal observation: mostly taps, plays rather than discards; *Stop*, buzzes and backups now and then."""
    at_us = table.at_us + rng.randint(1_000, 3_000_000)
    scoreboard = table.scoreboard
    if scoreboard.window is not None and rng.random() < 0.5:
        return _press(at_us, rng.randint(1, table.game_options.players))
    if scoreboard.seat is not None and scoreboard.window is None and rng.random() < STOP_SHARE:
        return _press(at_us, scoreboard.seat)
    if scoreboard.empty_stock:
        return ControlUsed(at_us, "reshuffle")
    if scoreboard.seat is not None and rng.random() < HOLD_SHARE:
        held = _backup_card(table, scoreboard.seat, rng)
        if held is not None:
            return CardHeld(at_us, held, scoreboard.seat)
    taps = legal_taps(table)
    plays = [tap for tap in taps if tap[1] != DISCARD_PAD]
    if plays and (rng.random() < 0.9 or len(plays) == len(taps)):
        return CardTapped(at_us, *rng.choice(plays))
    if taps:
        return CardTapped(at_us, *rng.choice(taps))
    due_us = next_deadline(table)
    return TimePassed(due_us if due_us is not None else at_us)


def _press(at_us: int, seat: int) -> ButtonPressed:
    return ButtonPressed(at_us, seat, at_us)


def _backup_card(table: Table, seat: int, rng: Random) -> str | None:
    """A card of the longest category row before a seat's team."""
    team = next(team for team in table.game.public_state(table.state)["teams"] if seat in team["seats"])
    row = max(team["rows"].values(), key=len)
    return rng.choice(row) if row else None


if __name__ == "__main__":
    sys.exit(run(sys.stdout))
