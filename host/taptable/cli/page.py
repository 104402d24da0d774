"""``taptable page``: serves the page of a table, in a process of its own, until SIGTERM or SIGINT. `page.site` does the
work."""

from __future__ import annotations

import argparse
import asyncio
import logging

from taptable.api.requests import Role
from taptable.api.socket_paths import socket_folder, socket_path
from taptable.cli.options import add_config_option, config_from, say_defaults
from taptable.config.home import environment_language
from taptable.core.errors import ConfigError
from taptable.logs import SERVICE_STYLE, log_to_stderr
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "page",
        help="serve the page of a table",
        description="Serves the page of the table that `taptable run` runs, until SIGTERM or SIGINT. While the table is"
        " away the page says so; it continues when the table is back.",
    )
    add_config_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal; return 0."""
    from taptable.page.site import serve  # imported here, with everything it needs

    config = config_from(args, with_parts=False)
    if config.page is None:
        raise ConfigError(f"{config.file} has no [page]: there is no page to serve.")
    say_defaults(config, Words(environment_language()))
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    asyncio.run(serve(config.page, socket_path(socket_folder(config.table.journal), Role.PAGE)))
    return 0
