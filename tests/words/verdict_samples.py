"""Verdicts of any game: from its golden playthroughs, from random games, and from its tests for the rare ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from random import Random

from games.table import Played
from golden.table import open_referee
from golden.transcripts import TRANSCRIPTS, transcript
from properties.gestures import gesture
from taptable.core.announcements import Announcement
from taptable.core.game_options import GameOptions
from taptable.core.observations import Observation
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.games.registry import find_game
from taptable.referee.lines import Show, parse_line
from taptable.referee.step import Table, step
from taptable.sim import simulation

from words.situations import SITUATIONS

EVENINGS, PLAYED, STEPS = 6, 150, 80


@cache
def all_verdicts(game: str) -> tuple[Verdict, ...]:
    """Return all verdicts, each once."""
    found: dict[str, Verdict] = {}

    def listen(verdict: Verdict) -> None:
        found.setdefault(repr(verdict), verdict)

    for at_game, name in TRANSCRIPTS:
        if at_game == game:
            _replay(game, name, listen)
    for seed in range(EVENINGS):
        _wander(game, seed, listen)
    Played.listeners.append(listen)
    for test in _tests_of(game):
        test()
    Played.listeners.remove(listen)
    return tuple(found.values())


@cache
def all_announcements(game: str) -> tuple[Announcement, ...]:
    """Return all announcements, each once."""
    return tuple(dict.fromkeys(said for verdict in all_verdicts(game) for said in verdict.announcements))


def all_objections(game: str) -> list[Refused | Ignored | Fault]:
    return [verdict for verdict in all_verdicts(game) if not isinstance(verdict, Accepted)]


def _replay(game: str, name: str, listen: Callable[[Verdict], None]) -> None:
    first, *rest = transcript(game, name)
    table = open_referee(json.loads(first)).table
    for line in rest[::2]:
        asked = parse_line(line, table.game.pads(table.state), table.game.controls)
        if not isinstance(asked, Show):
            table, verdict = step(table, asked)
            listen(verdict)


def _wander(name: str, seed: int, listen: Callable[[Verdict], None]) -> None:
    """Play an evening that virtual players begin and random observations continue."""

    def seen(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        del before, observation, after
        listen(verdict)

    rng, game = Random(seed), find_game(name)
    begun = simulation.new_simulation(
        game, GameOptions(3 + seed % 2, game.editions[0], {}, None if seed < 2 else 1), rng
    )
    for _ in range(PLAYED * min(seed, 2)):
        if game.outcome(begun.table.state) is None:
            simulation.advance(begun, seen)
    table = begun.table
    for _ in range(STEPS):
        table, verdict = step(table, gesture(table, rng.choice, controls=("take-back", "reshuffle")))
        listen(verdict)


def _tests_of(game: str) -> Iterable[Callable[[], object]]:
    """Return ONLINE's situations, or another game's tests of rules that take no arguments."""
    if game == "online":
        return (play for plays in SITUATIONS.values() for play in plays)
    package = import_module(f"games.{game.replace('-', '_')}")
    modules = [vars(import_module(f"{package.__name__}.{info.name}")) for info in iter_modules(package.__path__)]
    named = [item for module in modules if "Game" in module for item in module.items()]
    return (test for name, test in named if name.startswith("test_") and not signature(test).parameters)
