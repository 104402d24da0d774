"""The resources that a table and its page, or a league's processes, hold after many evenings, beside those after ten.

scripts/bench-memory [--evenings 200] [--first 10] [--at {table,league}] [--plot FILE] [--data FILE] [--trace FOLDER]

The daemon over the models of its parts and the page, a process each, run for many evenings of virtual players, as fast
as possible. Each of the first ten evenings has a whole game of each kind, so that the page soon keeps as many past
games as it ever does; later ones have a short game of one kind each. 30 phones are at the page, of which ten are others
each evening; some look at past games, one is paired again, and now and then cards are printed. At a league a worker
ingests some games of 20 tables each evening, and 20 other watchers come to the page and watch its live tables.

After each evening each process reports its memory (PSS, USS), the blocks that Python has allocated and the tasks of its
loop, after garbage collection, and its open files and threads. Prints a line for each tenth evening, and how the last
five compare with the five from the tenth on, by medians; the status is 1 if a bound is exceeded. Ctrl-C ends it.
With --trace, tracemalloc writes down what is allocated where, which takes many times as long.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from page_server.rig import a_folder_of_sockets
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.page.listening import listen

from bench.league import running_league
from bench.league_games import record_games
from bench.process_usage import SNAPSHOTS, Usage, spelled, usage_of, watched_process

MAX_RATIO = {"PSS MB": 1.1, "USS MB": 1.1, "blocks": 1.05, "files": 1.1, "threads": 1.5, "tasks": 1.1}
"""The largest ratio of each figure to its first value. Files and tasks include those of the phones, some of which have
gone already when the others are counted; and a pool of threads only grows as more of them are needed at once."""
MEDIAN_OF = 5
PRINT_EVERY = 10
WHOLE_EVENINGS = 10
"""The number of evenings with whole games."""
REST_S = 0.5
"""After an evening, until it is asked."""
GAMES = Path("/var/tmp/taptable-league-games.jsonl")
TABLES, ENTRIES_S, PLAY_S, WATCHERS = 20, 300.0, 3.0, 20
Evening = dict[str, Usage]
"""The usage of each process after an evening, by its name."""


async def evenings_at_a_table(whole: int = WHOLE_EVENINGS, *, look: bool = True) -> AsyncGenerator[Evening]:
    """Yield one evening after the other, the first of whole games; some phones look at past games."""
    with TemporaryDirectory() as folder, a_folder_of_sockets() as sockets, listen(0, network=True) as listener:
        port = listener.getsockname()[1]
        at_page = ("--network", "--table", socket_path(sockets, Role.PAGE), "--listener", listener.fileno())
        async with (
            watched_process("bench.long_table", folder, sockets, port) as table,
            watched_process("taptable.sim.page", *at_page, pass_fds=[listener.fileno()]) as page,
            watched_process("bench.phones", port) as phones,
        ):
            assert await table.read_line() == "here"
            number = 0
            while True:
                number += 1
                await phones.send_order("evening", await table.send_order("code"))
                await table.send_order("whole" if number <= whole else "short")
                if look:
                    await phones.send_order("look", number, "latest" if number <= whole else "first")
                await asyncio.sleep(REST_S)
                journal = sum(file.stat().st_size for file in Path(folder).glob("journal*"))
                yield {
                    "table": {**await table.usage(), "journal MB": journal / 2**20},
                    "page": await page.usage(),
                }


async def evenings_at_a_league() -> AsyncGenerator[Evening]:
    """The same at a league, whose processes are asked from outside only."""
    record_games(GAMES, 200, os.cpu_count() or 1)
    async with running_league(GAMES, TABLES, ENTRIES_S, 1, web=True) as league:
        command = (sys.executable, "-m", "bench.league_watchers", str(league.web_port), str(WATCHERS))
        while True:
            watchers = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=2**28)
            assert watchers.stdout is not None
            assert await watchers.stdout.readline() == b"here\n"
            await league.fleet.play(PLAY_S)
            await league.fleet.drain(60)
            await watchers.communicate(b"")
            await asyncio.sleep(REST_S)
            yield {name: usage_of(league.processes[name]()[0]) for name in ("worker1", "web")}


def describe(number: int, evening: Evening) -> str:
    """A line for each process."""
    return "\n".join(
        f"{number:6}  {name:8}" + ", ".join(f"{figure} {spelled(figure, value)}" for figure, value in held.items())
        for name, held in evening.items()
    )


def compare_memory(evenings: Sequence[Evening], first: int) -> tuple[list[str], list[str]]:
    """Compare the last evenings with those from `first` on, by medians. Returns a line for each figure, and the lines
    of the figures that exceed their bound."""
    lines: list[str] = []
    wrong: list[str] = []
    for name in evenings[0]:
        for figure, most in MAX_RATIO.items():
            if figure not in evenings[0][name]:
                continue
            held = [each[name][figure] for each in evenings]
            before, after = median(held[first - 1 :][:MEDIAN_OF]), median(held[-MEDIAN_OF:])
            line = (
                f"{name}, {figure}: {after:.{'MB' in figure:d}f} by {before:.{'MB' in figure:d}f}, {after / before:.3f}"
            )
            if after / before > most:
                line += f", which is more than {most}"
                wrong.append(line)
            lines.append(line)
    return lines, wrong


async def run(at: str, count: int, passed: list[Evening]) -> None:
    """Run `count` evenings, and print every tenth. `passed` holds those that are over, even if this fails."""
    async with aclosing(evenings_at_a_table() if at == "table" else evenings_at_a_league()) as evenings:
        while len(passed) < count:
            passed.append(await anext(evenings))
            if len(passed) % PRINT_EVERY == 0 or len(passed) == 1:
                print(describe(len(passed), passed[-1]), flush=True)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=200)
    parser.add_argument("--first", type=int, default=10, help="evening to compare with (%(default)s)")
    parser.add_argument("--at", choices=("table", "league"), default="table")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw what was held")
    parser.add_argument("--data", type=Path, metavar="FILE", help="write it as JSON")
    parser.add_argument("--trace", type=Path, metavar="FOLDER", help="for snapshots of each process after each evening")
    asked = parser.parse_args()
    if asked.trace is not None:
        os.environ |= {"PYTHONTRACEMALLOC": "8", SNAPSHOTS: str(asked.trace.resolve())}
    passed: list[Evening] = []
    with suppress(KeyboardInterrupt):
        asyncio.run(run(asked.at, asked.evenings, passed))
    if len(passed) < asked.first:
        return 1
    if asked.data is not None:
        asked.data.write_text(json.dumps(passed), encoding="utf-8")
    if asked.plot is not None:
        from bench.plots import plot_usage

        plot_usage(dict(enumerate(passed, 1)), asked.plot)
    lines, wrong = compare_memory(passed, asked.first)
    print(*lines, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
