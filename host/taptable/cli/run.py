"""``taptable run``: the daemon of a table, until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os

from taptable.cli.options import add_config_option, config_from
from taptable.daemon.clock import SteadyLoop
from taptable.daemon.daemon import serve
from taptable.daemon.recovery import inspect
from taptable.daemon.supervision import find_supervisor
from taptable.drivers.registry import installed
from taptable.logs import SERVICE_STYLE, log_to_stderr
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "run",
        help="run a table",
        description="Runs a table until SIGTERM or SIGINT. Any part may be missing, at the start or later: it is named,"
        " the rest plays on, and it is taken back when it returns.",
    )
    add_config_option(parser)
    parser.add_argument("--check", action="store_true", help="only look at configuration, deck and journal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the table; 0 once it was told to stop."""
    config = config_from(args)
    if args.check:
        inspect(config)
        print(Words(config.table.language).text("cli", "in-order", {"file": config.file, "deck": config.table.deck}))
        return 0
    os.umask(0o077)  # what a table keeps is nobody else's
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        runner.run(serve(config, installed(), find_supervisor(os.environ)))
    return 0
