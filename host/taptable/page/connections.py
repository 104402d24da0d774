"""All live connections of the page's clients: how many there may be, who has to make room for a newcomer, and who is
disconnected. This module must not know what a client says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.websockets import WebSocket

from taptable.page.connection import GOING_AWAY, TRY_LATER, PageConnection, PageModel, RequesterIdentity
from taptable.page.pacing import FairScheduler

MAX_CLIENTS = 64
"""How many clients there may be, paired and unpaired."""
MAX_UNPAIRED_CLIENTS = 48
"""How many of the clients may be unpaired: the rest of the room is for paired ones."""
MAX_UNPAIRED_PER_ADDRESS = 32
"""How many unpaired clients one address may have. If one of these three limits is reached, a newcomer takes the place
of an unpaired client: of the address that has most of them, the one that has been silent for longest. A paired client
never loses its place; if there are no others, the newcomer is refused. `server.MAX_CONNECTIONS_PER_ADDRESS` limits the
connections below, those of HTTP requests included."""
UNPAIRED = 4001
"""The close code for a client that is no longer paired. It may connect again to watch."""
CROWDED_OUT = 4002
"""The close code for an unpaired client that had to make room. It shouldn't connect again at once, or it would take the
place of another."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many clients there may be: in all, unpaired, and unpaired from one address."""

    clients: int = MAX_CLIENTS
    unpaired: int = MAX_UNPAIRED_CLIENTS
    unpaired_per_address: int = MAX_UNPAIRED_PER_ADDRESS


class Connections:
    """All live connections of a page, within `limits`; `identity` identifies their clients. `on_disconnect` is called
    with the name of each connection that has ended."""

    def __init__(
        self,
        page: PageModel,
        scheduler: FairScheduler,
        identity: RequesterIdentity,
        limits: ConnectionLimits | None = None,
        on_disconnect: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._page = page
        self._scheduler = scheduler
        self._identity = identity
        self._limits = limits or ConnectionLimits()
        self._on_disconnect = on_disconnect
        self._open: set[PageConnection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaving: set[asyncio.Task[None]] = set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve a client until it disconnects, if there is a game to show and room."""
        connection = PageConnection(socket, self._page, self._scheduler, self._identity, self._tasks)
        await connection.look_up()
        if not self._page.is_ready or not self._make_room(connection):
            await socket.accept()
            await socket.close(TRY_LATER, self._page.unavailable_reason)
            return
        self._open.add(connection)
        try:
            await connection.run()
        finally:
            self._open.discard(connection)
            self._on_disconnect(connection.name)

    def _make_room(self, newcomer: PageConnection) -> bool:
        """Return whether there is room for a newcomer. If there is none, disconnect an unpaired client to make some: of
        the address that has most, the one that has been silent for longest."""
        watchers = [each for each in self._open if not each.is_paired]
        addresses = Counter(each.address for each in (*watchers, newcomer))
        limits, full = self._limits, len(self._open) >= self._limits.clients
        if not newcomer.is_paired:
            full = full or len(watchers) >= limits.unpaired or addresses[newcomer.address] > limits.unpaired_per_address
        if full and watchers:
            leaving = min(watchers, key=lambda each: (-addresses[each.address], each.last_received_s))
            self._open.discard(leaving)
            self._disconnect(leaving, CROWDED_OUT)
        return not full or bool(watchers)

    def disconnect_unpaired(self) -> None:
        """Disconnect the clients that were paired and no longer are."""
        for connection in self._open:
            if connection.was_paired and not connection.is_paired:
                self._disconnect(connection, UNPAIRED)

    def disconnect_all(self) -> None:
        """Disconnect all, as there is no game to show; they reconnect, and get the reason."""
        for connection in self._open:
            self._disconnect(connection, GOING_AWAY)

    def _disconnect(self, connection: PageConnection, code: int) -> None:
        leaving = asyncio.ensure_future(connection.close(code))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def shut_down(self) -> None:
        """Say goodbye to every client, and cancel pending requests."""
        for task in self._tasks:
            task.cancel()
        leaving = [asyncio.ensure_future(connection.close()) for connection in self._open]
        if waiting := [*leaving, *self._tasks]:
            await asyncio.wait(waiting, timeout=0.2)
