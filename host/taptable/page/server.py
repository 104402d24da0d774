"""The server's socket and its connections: opened on this computer or to the network, retried while another program has
the port, and closed without waiting for clients. uvicorn handles HTTP here, without its main loop, which wakes ten
times a second, and without its signal handling. This module must not know what is served."""

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
"""Seconds until a port that is taken is tried again."""
EXPIRY_CHECK_INTERVAL_S = 5.0
"""How often connections are closed whose timeout has passed; no timer runs while there are no connections."""
LONGEST_MESSAGE = 65_536
"""Bytes of a client's message beyond which the connection is closed, for any client."""
MAX_CONNECTIONS = 400
"""How many connections there may be, HTTP requests and live ones together: the process needs file descriptors for other
things, too."""
MAX_CONNECTIONS_PER_ADDRESS = 200
"""How many of these one address of the network may have. If one of the two limits is exceeded, a connection is closed:
of the address that has most, one with HTTP requests before a live one, and the one that has been silent for longest
first. `connection.MAX_UNPAIRED_PER_ADDRESS` limits the clients of live connections."""


class Server:
    """One port, on all addresses of this computer if it is open to the `network`. `close_clients` is awaited at the
    end, to say goodbye to the clients. `report_trouble` is called with the reason when the port can't be opened, and
    with "" once it could. `proxy` is the only address that may state a request's origin and whether it came by TLS.
    `listener` may be a socket that was opened before. `most` and `most_of_an_address` are `MAX_CONNECTIONS` and
    `MAX_CONNECTIONS_PER_ADDRESS` unless given."""

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
            # by default uvicorn trusts this computer, or an address from an environment variable; the second spelling
            # is that of a socket for both IPv4 and IPv6
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
        # asyncio accepts as many connections in one turn of the loop as its backlog
        self._server = await self._loop.create_server(lambda: _Door(self._take_in), sock=listener, backlog=1)
        listener.listen(ACCEPT_BACKLOG)

    def _take_in(self, transport: asyncio.Transport) -> None:
        """Serve a new connection; if there are too many, close another one."""
        connections = [
            each
            for each in self._state.connections
            if isinstance(each, Requests | Live) and not each.transport.is_closing()
        ]
        addresses = Counter(_address(each.transport) for each in connections)
        newcomer = _address(transport)
        addresses[newcomer] += 1
        if len(connections) >= self._most or (self._network and addresses[newcomer] > self._most_of_an_address):
            # one of the address that has most; of these a request before a live connection, and the longest silent
            # first
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
    """Accepts each connection before anything is read from it."""

    def __init__(self, take_in: Callable[[asyncio.Transport], None]) -> None:
        self._take_in = take_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._take_in(cast("asyncio.Transport", transport))


def _address(transport: asyncio.Transport) -> str | None:
    """Return a connection's address; None if it has gone. Each IPv6 address counts by itself: at home all phones share
    the first half."""
    peer = transport.get_extra_info("peername")
    return None if peer is None else str(peer[0])
