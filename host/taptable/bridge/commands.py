"""Commands to the table that arrive by MQTT: a few words, forwarded one at a time to the table, which decides by itself
whether they are allowed. Everything else is dropped. Must not know the connection."""

from __future__ import annotations

import logging
from typing import get_args

from taptable.api.errors import RequestError
from taptable.api.link import TableClient
from taptable.api.requests import Command, CommandName

COMMANDS: tuple[CommandName, ...] = get_args(CommandName)
"""The commands that are forwarded."""
LONGEST = max(map(len, COMMANDS))
"""The most bytes of a command; a longer message isn't even compared."""

_log = logging.getLogger(__name__)


def decode_command(payload: object) -> CommandName | None:
    """Return the command in a message; None for anything else."""
    if not isinstance(payload, bytes) or len(payload) > LONGEST:
        return None
    return next((word for word in COMMANDS if payload == word.encode()), None)


async def forward_command(payload: object, table: TableClient) -> None:
    """Send the command in a message to the table, and log the outcome."""
    command = decode_command(payload)
    if command is None:
        _log.warning("Unknown command dropped: the known ones are %s", ", ".join(COMMANDS))
        return
    try:
        await table.call(Command(command))
        _log.info("Command carried out by the table: %s", command)
    except RequestError as error:
        _log.info("Command refused by the table (%s): %s", command, error)
