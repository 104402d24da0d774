"""``taptable bridge``: publishes a table to other systems, in a process of its own, until SIGTERM or SIGINT.
`bridge.process` does the work."""

from __future__ import annotations

import argparse
import asyncio
import logging

from taptable.api.requests import Role
from taptable.api.socket_paths import socket_folder, socket_path
from taptable.cli.options import add_config_option, config_from
from taptable.config import Config
from taptable.config.passwords import read_password
from taptable.core.errors import ConfigError
from taptable.logs import SERVICE_STYLE, log_to_stderr


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "bridge",
        help="publish a table to Home Assistant and a league, by MQTT",
        description="Publishes the state and the events of the table that `taptable run` runs by MQTT, and sends its"
        " games to a league, until SIGTERM or SIGINT. While the table or a broker is away it waits.",
    )
    add_config_option(parser)
    parser.add_argument(
        "--access", action="store_true", help="print this table's access list for a Mosquitto, and exit (docs/mqtt.md)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the bridge until a signal; return 0."""
    config = config_from(args, with_parts=False)
    if args.access:
        return _print_access(config)
    from taptable.bridge.process import serve  # imported here, with everything it needs

    accounts = [each.account for each in (config.mqtt, config.league) if each is not None]
    if not accounts:
        raise ConfigError(f"{config.file} has neither [mqtt] nor [league]: the bridge has nothing to publish.")
    for account in accounts:
        if account.password_file is not None:
            read_password(account.password_file)
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    asyncio.run(serve(config, socket_path(socket_folder(config.table.journal), Role.BRIDGE)))
    return 0


def _print_access(config: Config) -> int:
    """Print the table's access list; it needs neither the broker nor the account's password."""
    from taptable.bridge.discovery import access_list
    from taptable.bridge.topics import topics_of

    if config.mqtt is None or config.mqtt.account.user is None:
        raise ConfigError(f"{config.file} names no user in [mqtt]: an access list is for an account of that name.")
    topics = topics_of(config.mqtt.base, config.table.name)
    print(access_list(topics, config.mqtt.discovery, config.mqtt.account.user), end="")
    return 0
