"""The HTTP server of the page's process: opens the port, on this computer's own address or on all of its addresses, and
tries again until that succeeds; accepts connections and limits their number; and closes them in the end without waiting
for slow clients. It uses uvicorn's protocols, but neither its main loop, which wakes ten times a second, nor its signal
handling. Must not know what is served: it is given an ASGI application."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, cast

from starlette.types import ASGIApp
from uvicorn import Config

from taptable.page.listening import ACCEPT_BACKLOG, listen
from taptable.page.protocols import Live, Requests, SharedServerState

RETRY_S = 10.0
"""Seconds from an attempt to open the port that has failed, for any reason, to the next attempt."""
EXPIRY_CHECK_INTERVAL_S = 5.0
"""Seconds from one search for connections whose timeout has passed to the next; such connections are closed. Without
connections there is no search."""
LONGEST_MESSAGE = 65_536
"""Bytes of one WebSocket message from a browser, paired or not. A longer one closes the connection."""
MAX_CONNECTIONS = 400
"""How many connections there may be, those for HTTP requests (`Requests`) and WebSockets (`Live`) together: the process
needs file descriptors for other things, too."""
MAX_CONNECTIONS_PER_ADDRESS = 200
"""How many of the `MAX_CONNECTIONS` one address of the network may have. A new connection that exceeds one of the two
limits is accepted, and another one is closed for it: see `Server._take_in`. `connection.MAX_UNPAIRED_PER_ADDRESS` is a
separate limit of the WebSockets of browsers that aren't paired."""


class Server:
    """The server at one port, on all addresses of this computer if it is open to the `network`. At the end it awaits
    `close_clients`, which says goodbye to the clients. It calls `report_trouble` with the reason when the port can't be
    opened, and with "" when a later attempt succeeds. `proxy` is the only address that may state a request's origin and
    whether it came by TLS. `listener` may be a socket that was opened before. `most` and `most_of_an_address` are
    `MAX_CONNECTIONS` and `MAX_CONNECTIONS_PER_ADDRESS` unless given."""

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        close_clients: Callable[[], Awaitable[None]],
        report_trouble: Callable[[str], None],
        *,
        network: bool = False,
        proxy: str | None = None,
        listener: socket.socket | None = None,
        most: int = MAX_CONNECTIONS,
        most_of_an_address: int = MAX_CONNECTIONS_PER_ADDRESS,
    ) -> None:
        self.port = port
        self._most, self._most_of_an_address = most, most_of_an_address
        self._network = network
        self._listener = listener
        self._close_clients = close_clients
        self._report_trouble = report_trouble
        self._loop = asyncio.get_running_loop()
        self._state = SharedServerState()
        self._config = Config(
            app,
            http=Requests,
            ws=cast("Any", Live),
            lifespan="off",
            log_config=None,
            access_log=False,
            ws_max_size=LONGEST_MESSAGE,
            # browsers notice by themselves that a connection has ended
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            # by default uvicorn trusts this computer, or an address from an environment variable; a socket for both
            # IPv4 and IPv6 reports an IPv4 address in the second of these spellings
            forwarded_allow_ips=[] if proxy is None else [proxy, f"::ffff:{proxy}"],
            log_level=logging.ERROR,
        )
        self._config.load()
        self._server: asyncio.Server | None = None
        self._opening: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._expiry_timer: asyncio.TimerHandle | None = None
        self._failed = False

    def open(self) -> None:
        """Listen on the port, now or as soon as it is free."""
        self._retry = None
        try:
            listener = self._listener or listen(self.port, network=self._network)
        except OSError as error:
            self._retry = self._loop.call_later(RETRY_S, self.open)
            if not self._failed:
                self._failed = True
                self._report_trouble(f"port {self.port}: {error.strerror or error}")
            return
        self._opening = self._loop.create_task(self._serve(listener))
        if self._failed:
            self._failed = False
            self._report_trouble("")

    async def close(self) -> None:
        """Say goodbye, and close the port and every connection."""
        for timer in (self._retry, self._expiry_timer):
            if timer is not None:
                timer.cancel()
        if self._opening is not None:
            await self._opening
        if self._server is not None:
            self._server.close()
        await self._close_clients()
        for connection in list(self._state.connections):
            transport = connection.transport
            # a client that doesn't read would block the shutdown
            transport.abort() if transport.get_write_buffer_size() else transport.close()
        if self._state.tasks:
            await asyncio.wait(self._state.tasks, timeout=1.0)

    async def _serve(self, listener: socket.socket) -> None:
        # asyncio accepts up to `backlog` connections in one turn of the loop: with 1, other work comes between any two.
        # The kernel's own queue is then made longer.
        self._server = await self._loop.create_server(lambda: _Door(self._take_in), sock=listener, backlog=1)
        listener.listen(ACCEPT_BACKLOG)

    def _take_in(self, transport: asyncio.Transport) -> None:
        """Serve a new connection. If there are too many, close another one: of the address that has most connections,
        one with HTTP requests before a WebSocket, and of these the one that has been silent for longest."""
        connections = [
            each
            for each in self._state.connections
            if isinstance(each, Requests | Live) and not each.transport.is_closing()
        ]
        addresses = Counter(_address(each.transport) for each in connections)
        newcomer = _address(transport)
        addresses[newcomer] += 1
        if len(connections) >= self._most or (self._network and addresses[newcomer] > self._most_of_an_address):
            leaving = min(
                connections,
                key=lambda each: (-addresses[_address(each.transport)], isinstance(each, Live), each.last_received_s),
            )
            leaving.transport.abort()
        protocol = Requests(self._config, self._state, {}, self._loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._expiry_timer is None:
            self._expiry_timer = self._loop.call_later(EXPIRY_CHECK_INTERVAL_S, self._close_expired)

    def _close_expired(self) -> None:
        """Close the connections whose time is over."""
        self._expiry_timer = None
        for connection in list(self._state.connections):
            if isinstance(connection, Requests | Live) and connection.expiry.is_due:
                connection.transport.abort()
        if self._state.connections:
            self._expiry_timer = self._loop.call_later(EXPIRY_CHECK_INTERVAL_S, self._close_expired)


class _Door(asyncio.Protocol):
    """The first protocol of each connection, before anything is read from it; `take_in` sets the next one."""

    def __init__(self, take_in: Callable[[asyncio.Transport], None]) -> None:
        self._take_in = take_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._take_in(cast("asyncio.Transport", transport))


def _address(transport: asyncio.Transport) -> str | None:
    """Return the address of a connection's client; None if the client has gone. IPv6 addresses aren't counted by
    network, that is by their first half: at home all phones share it."""
    peer = transport.get_extra_info("peername")
    return None if peer is None else str(peer[0])
