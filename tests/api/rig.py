"""A table whose local API answers at real sockets, and clients that exchange lines with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deadline import DEADLINE_S
from table.rig import a_table, tags_of
from taptable.api.requests import VERSION, Role
from taptable.api.socket_paths import socket_path
from taptable.config import Config
from taptable.config.model import PageSettings
from taptable.daemon.daemon import Daemon
from taptable.sim.table import SimulatedTable


@dataclass
class Table:
    """A running table, and the folder of its sockets."""

    config: Config
    hardware: SimulatedTable
    daemon: Daemon
    sockets: Path

    def __post_init__(self) -> None:
        self.tags = tags_of(self.config)

    @property
    def clients(self) -> list[Any]:
        """The page's connections, as the table has them."""
        assert self.daemon.sockets is not None
        return list(self.daemon.sockets.clients[Role.PAGE])

    def tap(self, card: str, pad: int | str) -> None:
        """Lay a card on a pad for a moment."""
        self.hardware.put(self.tags[card], pad)


class Client:
    """A client's connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.topics: dict[str, Any] = {}
        self.items: dict[str, list[Any]] = {}
        self._number = 0

    def send(self, line: bytes) -> None:
        self.writer.write(line)

    async def hear(self) -> dict[str, Any]:
        """The next message; the end of the connection is an EOFError."""
        line = await asyncio.wait_for(self.reader.readline(), DEADLINE_S)
        if not line:
            raise EOFError
        told = json.loads(line)
        assert told["jsonrpc"] == "2.0"
        if told.get("method") == "changed":
            self.topics |= told["params"]
        return told

    async def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer."""
        self._number += 1
        self.send(
            json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode() + b"\n"
        )
        while (told := await self.hear()).get("id") != self._number:
            pass
        return told

    async def call(self, method: str, **params: Any) -> Any:
        """The result."""
        told = await self.answer(method, **params)
        assert "result" in told, told
        return told["result"]

    async def refused(self, method: str, **params: Any) -> dict[str, Any]:
        """The error."""
        told = await self.answer(method, **params)
        assert "error" in told, told
        return told["error"]

    async def until(self, seen: Callable[[dict[str, Any]], object]) -> None:
        """Read until the topics satisfy `seen`."""
        while not seen(self.topics):
            await self.hear()


@asynccontextmanager
async def at_table(folder: Path, *, network: bool = False, players: int = 2) -> AsyncIterator[Table]:
    """A table while it runs; its page would be open to the `network` or not."""
    config = replace(a_table(folder, players), page=PageSettings(0, network))
    hardware = SimulatedTable(config)
    with TemporaryDirectory(prefix="taptable-", dir="/tmp") as name, hardware.powered() as drivers:
        daemon = Daemon(config, drivers, sockets=Path(name))
        await daemon.start()
        try:
            yield Table(config, hardware, daemon, Path(name))
        finally:
            await daemon.stop()


@asynccontextmanager
async def a_client(table: Table, role: Role = Role.PAGE, *, limit: int = 2**20) -> AsyncIterator[Client]:
    """A client at a role's socket."""
    reader, writer = await asyncio.open_unix_connection(socket_path(table.sockets, role), limit=limit)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def with_a_client(folder: Path, role: Role = Role.PAGE, **more: Any) -> AsyncIterator[tuple[Table, Client]]:
    """A table and a client that has exchanged hello."""
    async with at_table(folder, **more) as table, a_client(table, role) as client:
        await client.call("hello", version=VERSION)
        yield table, client
