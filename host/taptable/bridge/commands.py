"""What others ask of the table by MQTT: few words, one after the other, each handed on to the table, which says itself
whether it may be done. Whatever else comes is dropped."""

from __future__ import annotations

import logging
from typing import get_args

from taptable.api.errors import RequestError
from taptable.api.link import TableClient
from taptable.api.requests import Command, Commanded

WORDS: tuple[Commanded, ...] = get_args(Commanded)
LONGEST = max(map(len, WORDS))

_log = logging.getLogger(__name__)


def command_in(payload: object) -> Commanded | None:
    """The command in a message; None for anything else."""
    if not isinstance(payload, bytes) or len(payload) > LONGEST:
        return None
    return next((word for word in WORDS if payload == word.encode()), None)


async def obey(payload: object, table: TableClient) -> None:
    """Ask the table for what is in a message, and log what comes of it."""
    command = command_in(payload)
    if command is None:
        _log.warning("a command that there isn't was dropped: there are %s", ", ".join(WORDS))
        return
    try:
        await table.call(Command(command))
        _log.info("the table was asked to %s, and did", command)
    except RequestError as error:
        _log.info("the table was asked to %s, and didn't: %s", command, error)
