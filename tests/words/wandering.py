"""What is said at tables of any game: in its golden playthroughs, and where anything may happen."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from golden.table import open_front
from golden.transcripts import TRANSCRIPTS, transcript
from properties.gestures import gesture
from taptable.core.agreed import Agreed
from taptable.core.observations import Observation
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.registry import find_game
from taptable.referee.lines import Show, parse_line
from taptable.referee.step import Table, step
from taptable.sim import evening

EVENINGS, PLAYED, STEPS = 6, 150, 80


@cache
def heard_at(name: str) -> tuple[Verdict, ...]:
    """The verdicts of its playthroughs, and of some evenings begun by virtual players and gone on with at random."""
    heard: list[Verdict] = []

    def listen(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        del before, observation, after
        heard.append(verdict)

    for at_game, evening_name in TRANSCRIPTS:
        if at_game == name:
            heard += _replayed(name, evening_name)
    for seed in range(EVENINGS):
        rng, game = Random(seed), find_game(name)
        begun = evening.begin(game, Agreed(3 + seed % 2, game.editions[0], {}, None if seed < 2 else 1), rng)
        for _ in range(PLAYED * min(seed, 2)):
            if game.outcome(begun.table.state) is None:
                evening.advance(begun, listen)
        table = begun.table
        for _ in range(STEPS):
            observation = gesture(table, rng.choice, controls=("take-back", "reshuffle"))
            table, verdict = step(table, observation)
            heard.append(verdict)
    return tuple(heard)


def _replayed(game: str, name: str) -> list[Verdict]:
    first, *rest = transcript(game, name)
    table = open_front(json.loads(first)).table
    heard: list[Verdict] = []
    for line in rest[::2]:
        asked = parse_line(line, table.game.pads(table.state), table.game.controls)
        if not isinstance(asked, Show):
            table, verdict = step(table, asked)
            heard.append(verdict)
    return heard


def objections_at(name: str) -> list[Verdict]:
    """Those that aren't accepted."""
    return [verdict for verdict in heard_at(name) if not isinstance(verdict, Accepted)]
