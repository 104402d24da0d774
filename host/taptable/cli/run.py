"""``taptable run``: runs the daemon of a table until SIGTERM or SIGINT, checks whether it could start, or runs a table
without a game. `daemon.daemon` and `daemon.without_game` do the work."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
from pathlib import Path

from taptable.cli.options import add_config_option, config_from, config_without_devices, say_defaults
from taptable.config import Config, InvalidParts
from taptable.daemon.clock import SteadyLoop
from taptable.daemon.recovery import inspect
from taptable.daemon.serving import serve, serve_assignment
from taptable.daemon.supervision import find_supervisor
from taptable.daemon.without_game import serve_without_game, wait_while_without_game
from taptable.drivers.registry import installed_drivers
from taptable.logs import SERVICE_STYLE, log_to_stderr
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "run",
        help="run a table",
        description="Runs a table until SIGTERM or SIGINT. Any part may be missing, at the start or later: the table"
        " says so, plays on with the rest, and uses the part again when it returns. A table without seats assigns them"
        " first, on the page or with `taptable seats`.",
    )
    add_config_option(parser)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="only check configuration, deck and journal")
    mode.add_argument(
        "--no-game",
        action="store_true",
        help="run no game: only read cards at the discard pad and serve an administrator, to change decks and members",
    )
    # from `taptable seats` while no table runs
    mode.add_argument("--assign", action="store_true", help=argparse.SUPPRESS)
    # the journal of a table that has no configuration; for `taptable members`
    parser.add_argument("--journal", type=Path, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the table until a signal; return 0."""
    journal: Path | None = args.journal if args.no_game else None
    try:
        config = config_from(args) if journal is None else config_without_devices(journal)
        fault = ""
    except InvalidParts as error:
        if args.check or args.no_game:
            raise
        fault = "\n".join(error.sentences)
        config = config_from(args, with_parts=False)  # the seats are assigned again
    if journal is None:
        say_defaults(config, Words(config.table.language))
    if args.check:
        inspect(config)
        print(Words(config.table.language).text("cli", "in-order", {"file": config.file, "deck": config.table.deck}))
        return 0
    os.umask(0o077)  # nobody else may read the table's files
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        if args.assign:
            runner.run(serve_assignment(config, installed_drivers(), fault))
        elif args.no_game:
            runner.run(serve_without_game(config, installed_drivers(), reads_cards=journal is None))
        else:
            supervisor = find_supervisor(os.environ)
            wait_while_without_game(config.table.journal, supervisor)

            def load(with_parts: bool) -> Config:
                return config_from(args, with_parts=with_parts)

            runner.run(serve(load, installed_drivers(), supervisor))
    return 0
