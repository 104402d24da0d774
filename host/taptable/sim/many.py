"""Many games between virtual players, each from a seed of its own, on one core or several. Who begins and what happens
follow from a game's seed alone, so that the results don't depend on the cores and any game can be played again."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from taptable.core.agreed import Agreed
from taptable.core.errors import RefereeError
from taptable.games.registry import find_game
from taptable.sim import evening
from taptable.sim.statistics import BROKEN_OFF, STUCK, Counting, GameFigures, figures_of

AT_ONCE = 10
"""Games that a process plays before it hands them in."""
SEED_BITS = 40


@dataclass(frozen=True, slots=True)
class Batch:
    """Games to play under the same rules: the numbers `first` to `last`, counted from 0, of a series of games."""

    game: str
    agreed: Agreed
    seed: int
    first: int
    last: int


def seed_of(series: int, number: int, players: int) -> int:
    """The seed of one game of a series. The first is the series' own; the others have nothing in common with those of
    another series, but that who begins goes round."""
    if number == 0:
        return series
    drawn = Random(f"{series}/{number}").getrandbits(SEED_BITS)
    return drawn - drawn % players + (series + number) % players


def play_one(game: str, agreed: Agreed, seed: int) -> GameFigures:
    """One game from its seed; without an agreed starter the seed says who begins. RefereeError names the seed."""
    starter = agreed.starter or 1 + seed % agreed.players
    counting = Counting()
    try:
        played = evening.begin(find_game(game), replace(agreed, starter=starter), Random(seed))
        counting.hear(played.began)
        end = evening.play(played, counting.listen)
    except RefereeError as error:
        raise RefereeError(f"A game went wrong. {error} To play it again: -n 1 --seed {seed}.") from error
    undecided = STUCK if end is evening.End.STUCK else BROKEN_OFF
    return figures_of(played.table, seed, starter, counting, undecided)


def play_many(game: str, agreed: Agreed, seed: int, number: int, jobs: int) -> Iterator[GameFigures]:
    """The figures of `number` games, one after the other in the order of the series, played by up to `jobs`
    processes."""
    batches = [
        Batch(game, agreed, seed, first, min(first + AT_ONCE, number) - 1) for first in range(0, number, AT_ONCE)
    ]
    jobs = min(jobs, len(batches))
    if jobs == 1:
        for batch in batches:
            yield from _play(batch)
        return
    # spawned, as elsewhere than on Linux, and as a process with threads wants it
    with multiprocessing.get_context("spawn").Pool(jobs, _leave_interrupts_to_the_parent) as pool:
        for figures in pool.imap(_play_batch, batches):
            yield from figures


def _play(batch: Batch) -> Iterator[GameFigures]:
    for number in range(batch.first, batch.last + 1):
        yield play_one(batch.game, batch.agreed, seed_of(batch.seed, number, batch.agreed.players))


def _play_batch(batch: Batch) -> list[GameFigures]:
    return list(_play(batch))


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
