"""``taptable simulate``: plays many games between virtual players and prints statistics, so that house rules can be
tried before they are used. `sim.simulation` plays, `sim.report` and `sim.plots` describe the result."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from taptable.cli.options import add_game_options, add_language_option, game_options_from
from taptable.cli.output import raw_stream
from taptable.core.errors import ConfigError
from taptable.games.registry import find_game, package_of
from taptable.words import Words

T = TypeVar("T")

FORMATS = (".png", ".svg")
"""The endings of the files that ``--plot`` can draw."""
_JSON_KEYS = {"announcement_counts": "said"}
"""Keys of the JSON output by the fields of `Summary`, where they differ."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "simulate",
        help="play many games between virtual players and print statistics",
        description="Plays games between virtual players through the referee, without devices. They play sensibly, "
        "miss short windows, and sometimes buzz with nothing to show. Without --starter the seats begin in turn. A "
        "game in which nobody can move any more counts as stuck, and its seed is printed.",
    )
    add_game_options(parser)
    add_language_option(parser)
    parser.add_argument(
        "-n", "--games", type=int, default=200, metavar="N", dest="number", help="the number of games (default: 200)"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same games (default: random)")
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="J",
        help="the number of processes, which changes only the speed (default: one per core)",
    )
    parser.add_argument(
        "--plot", action="append", default=[], type=Path, metavar="FILE", dest="plots",
        help="draw the result as .png or .svg; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play, print and plot; raise ConfigError before the first game if something is impossible."""
    # imported here, with everything that the processes need
    from taptable.referee.step import open_table
    from taptable.sim.report import report, speed_line
    from taptable.sim.simulation import any_seed, play_many
    from taptable.sim.statistics import summarise

    _check(args.number, args.seed, args.jobs, args.plots)
    game = find_game(args.game)
    game_options = game_options_from(args)
    table, _ = open_table(game, game_options)
    words = Words(args.language, (package_of(game.name),))
    seed = any_seed() if args.seed is None else args.seed
    jobs = args.jobs or os.cpu_count() or 1
    began_s = time.perf_counter()
    games = list(_with_progress(play_many(game.name, game_options, seed, args.number, jobs), args.number))
    print(speed_line(args.number, time.perf_counter() - began_s, words), file=sys.stderr)
    summary = summarise(games, table.scoreboard.unit)
    if args.json:
        facts = {"game": game.name, "seed": seed, **asdict(game_options)}
        figures = {_JSON_KEYS.get(field, field): value for field, value in asdict(summary).items()}
        print(json.dumps({**facts, **figures}, indent=2, ensure_ascii=False))
    else:
        print("\n".join(report(summary, game, game_options, seed, words)))
    if args.plots:
        from taptable.sim.plots import draw

        draw(games, summary, game, game_options, seed, words, args.plots)
    return 0


def _check(number: int, seed: int | None, jobs: int | None, plots: list[Path]) -> None:
    """Raise ConfigError for impossible options."""
    for option, value, least in (("-n", number, 1), ("--seed", seed, 0), ("--jobs", jobs, 1)):
        if value is not None and value < least:
            raise ConfigError(f"{option} takes a whole number from {least} on, not {value}.")
    for path in plots:
        if path.suffix.lower() not in FORMATS:
            raise ConfigError(f"--plot draws to {' and '.join(FORMATS)} files, and nothing to {path}.")
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise ConfigError(f"--plot can't write {path}: it takes a file in a folder that is there.")
    if plots and find_spec("matplotlib") is None:
        raise ConfigError(f"--plot needs matplotlib, which isn't installed. This installs it: {_install_command()}")


def _install_command() -> str:
    """Return the command that installs matplotlib where this taptable runs: in a clone's environment, or in that of an
    installation, which belongs to root."""
    sudo = () if os.access(sys.prefix, os.W_OK) else ("sudo",)
    return shlex.join((*sudo, sys.executable, "-m", "pip", "install", "matplotlib"))


def _with_progress(games: Iterable[T], number: int) -> Iterator[T]:
    """Yield the same games, with a counter if somebody sits at the terminal."""
    for done, game in enumerate(games, 1):
        if sys.stderr.isatty():
            print(f"\r{done}/{number}", end="" if done < number else "\n", file=raw_stream(sys.stderr), flush=True)
        yield game
