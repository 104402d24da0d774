"""A table whose bridge runs on the same loop, in real time, and a broker at which it speaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from page_server.rig import Table, a_daemon, a_folder_of_sockets
from table.rig import a_table
from taptable.api.link import TableLink
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.bridge.connection import cancel_all, run_until_first_ends
from taptable.bridge.process import Messages
from taptable.bridge.retained import state_file_of
from taptable.config import Config, MqttSettings

NAME = "home"


def a_config(folder: Path, settings: MqttSettings, **more: Any) -> Config:
    """The configuration of a simulated table that the broker's access list knows."""
    config = a_table(folder, **more)
    return replace(config, table=replace(config.table, name=NAME), mqtt=settings)


@asynccontextmanager
async def a_bridge(config: Config, sockets: Path) -> AsyncIterator[Messages]:
    """The bridge of the table with its sockets in this folder, while it runs."""
    assert config.mqtt is not None
    link = TableLink(socket_path(sockets, Role.BRIDGE))
    messages = Messages(link, config.mqtt, config.table.name, state_file_of(config.file.parent, config))
    running = asyncio.create_task(run_until_first_ends(*messages.tasks))
    link.open(messages.publisher)
    try:
        yield messages
    finally:
        await cancel_all([running])
        await link.close()


@asynccontextmanager
async def at_table(config: Config) -> AsyncIterator[Table]:
    """A table and its bridge while they run."""
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets) as table, a_bridge(config, sockets):
            yield table


async def tap(table: Table, card: str, pad: int | str) -> None:
    """Lay a card on a pad, wait for the verdict, and lift it."""
    heard = len(table.events)
    table.put(card, pad)
    while len(table.events) == heard:
        await asyncio.sleep(0.01)
    table.lift(card, pad)
    await asyncio.sleep(0.5)  # until it is known to be gone
