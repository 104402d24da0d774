"""``taptable league demo``: a league with simulated tables, on a page."""

from __future__ import annotations

import argparse
import asyncio
import logging
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from taptable.cli.demo import FASTEST, listener_at, show_in_browser
from taptable.core.errors import ConfigError
from taptable.logs import log_to_stderr
from taptable.words import Words

if TYPE_CHECKING:
    from socket import socket

    from taptable.sim.league.demo import Demo

TABLES = 8
SPEED = 10.0


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the verb."""
    parser = verbs.add_parser(
        "demo",
        help="a league of simulated tables, on a page to look at",
        description="A league on this computer with simulated tables that play one game after the other: a Mosquitto,"
        " which has to be installed, and the daemon, the bridge and the league as they are in earnest.",
    )
    parser.add_argument("--tables", type=int, default=TABLES, metavar="N", help="(default: %(default)s)")
    parser.add_argument(
        "--speed",
        type=float,
        default=SPEED,
        metavar="X",
        help="how fast the tables' time passes (default: %(default)g)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed gives the same players")
    parser.add_argument("--port", type=int, metavar="N", help="the page's port (else: the first free one from 8137 on)")
    parser.add_argument("--no-browser", action="store_true", help="only say where the page is")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the league is kept, to go on with")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the league until a signal."""
    if find_spec("sqlalchemy") is None:
        raise ConfigError("a league needs more than is installed here: `pip install 'taptable[league]'` gets it")
    from taptable.sim.league.demo import MOST_TABLES, Demo

    if not 1 <= args.tables <= MOST_TABLES:
        raise ConfigError(f"--tables takes a whole number from 1 to {MOST_TABLES}, not {args.tables}.")
    if not 0 < args.speed <= FASTEST:
        raise ConfigError(f"--speed takes a number up to {FASTEST:g}, not {args.speed:g}.")
    log_to_stderr(logging.ERROR)
    words = Words(args.language)
    demo = Demo(
        args.tables,
        args.speed,
        args.seed,
        args.language,
        words.text("league-cli", "demo"),
        lambda number: words.text("league-cli", "demo-table", {"number": number}),
    )
    with listener_at(args.port) as listener, ExitStack() as stack:
        if args.keep is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="taptable-league-")))
        else:
            folder = args.keep
            folder.mkdir(parents=True, exist_ok=True)
        return asyncio.run(_show(demo, folder, listener, words, browser=not args.no_browser))


async def _show(demo: Demo, folder: Path, listener: socket, words: Words, *, browser: bool) -> int:
    from taptable.sim.league.demo import a_league
    from taptable.sim.page.demo import hearing_signals, until_told

    with hearing_signals() as told:
        async with a_league(demo, folder.absolute(), listener) as running:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            print(words.text("league-cli", "demo-at", {"address": address, "tables": demo.tables}), flush=True)
            if browser:
                show_in_browser(address)
            return await until_told(told, running)
