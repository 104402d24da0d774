"""The server's socket and its life: opened on the local host or to the network, tried again while somebody else has
the port, and closed without waiting for anybody. uvicorn speaks HTTP here; its main loop, which looks at the clock ten
times a second, and its signal handling are left out. Must not know what is served."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, cast

from starlette.types import ASGIApp
from uvicorn import Config

from taptable.core.sightings import PartFailed, PartReturned, Sighting
from taptable.edges.page.protocols import MOST_UNREAD, Live, Requests, State

HERE = "127.0.0.1"
PART = "page"
RETRY_S = 10.0
"""How long a port that is taken is left alone before it is tried again."""
LOOKS_EVERY_S = 5.0
"""How often it looks for connections that have had their time; never without any."""
LONGEST_MESSAGE = 65_536
"""Bytes of a client's message beyond which the connection is closed, whoever it is."""
MOST_CONNECTIONS = 400
"""Beyond so many one is closed at once for the next: the table needs files too."""
MOST_OF_AN_ADDRESS = 200
"""So many of them from one address of a network."""
MOST_BEFORE = 128
"""So many newcomers may wait in the kernel: one is taken in at a turn of the loop."""
MOST_WAITING_BYTES = 65_536
"""So much of what somebody says may wait in the kernel."""
GONE_AFTER_S = 30
"""How long a computer may leave what it is told unacknowledged, and its silence be asked about, before it counts as
gone: phones leave without a word."""


_OPTIONS = {
    getattr(socket, name): value
    for name, value in {
        "TCP_KEEPIDLE": GONE_AFTER_S,
        "TCP_KEEPINTVL": 10,
        "TCP_KEEPCNT": 3,
        "TCP_USER_TIMEOUT": 1000 * GONE_AFTER_S,
        "TCP_NOTSENT_LOWAT": MOST_UNREAD,
    }.items()
    if hasattr(socket, name)  # some are Linux's alone
}
_NO_IPV6 = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
"""What is said where the kernel has none, or has it switched off."""


class Server:
    """One port, of all addresses of this computer if it is open to the `network`; `leave` is awaited at the end, to say
    goodbye to the clients. `outside_s` tells the seconds that pass outside."""

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        leave: Callable[[], Awaitable[None]],
        report: Callable[[Sighting], None],
        now_us: Callable[[], int],
        *,
        network: bool = False,
        outside_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.port = port
        self._network = network
        self._leave = leave
        self._report = report
        self._now_us = now_us
        self._loop = asyncio.get_running_loop()
        self._state = State(outside_s)
        self._config = Config(
            app,
            http=Requests,
            ws=cast("Any", Live),
            lifespan="off",
            log_config=None,
            access_log=False,
            ws_max_size=LONGEST_MESSAGE,
            # a browser says by itself that it is still there, and times of the loop may be others than outside
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            log_level=logging.ERROR,
        )
        self._config.load()
        self._server: asyncio.Server | None = None
        self._opening: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._failed = False

    def open(self) -> None:
        """Take the port, now or as soon as it is free."""
        self._retry = None
        try:
            listener = _listen(self.port, network=self._network)
        except OSError as error:
            self._retry = self._loop.call_later(RETRY_S, self.open)
            if not self._failed:
                self._failed = True
                self._report(PartFailed(self._now_us(), PART, f"port {self.port}: {error.strerror or error}"))
            return
        self._opening = self._loop.create_task(self._serve(listener))
        if self._failed:
            self._failed = False
            self._report(PartReturned(self._now_us(), PART))

    def break_off(self) -> None:
        """Let go of everybody at once and without a word, and let nobody in, as when the process ends; to be closed all
        the same."""
        if self._server is not None:
            self._server.close()
        for connection in list(self._state.connections):
            connection.transport.abort()

    async def close(self) -> None:
        """Say goodbye, and let go of the port and of everybody who is connected."""
        for timer in (self._retry, self._looking):
            if timer is not None:
                timer.cancel()
        if self._opening is not None:
            await self._opening
        if self._server is not None:
            self._server.close()
        await self._leave()
        for connection in list(self._state.connections):
            transport = connection.transport
            # who doesn't read would keep us waiting for ever
            transport.abort() if transport.get_write_buffer_size() else transport.close()
        if self._state.tasks:
            await asyncio.wait(self._state.tasks, timeout=1.0)

    async def _serve(self, listener: socket.socket) -> None:
        # asyncio takes in as many in one turn of the loop as it lets wait in the kernel
        self._server = await self._loop.create_server(lambda: _Door(self._take_in), sock=listener, backlog=1)
        listener.listen(MOST_BEFORE)

    def _take_in(self, transport: asyncio.Transport) -> None:
        """Serve who has come; where there are too many, somebody else goes."""
        there = [
            each
            for each in self._state.connections
            if isinstance(each, Requests | Live) and not each.transport.is_closing()
        ]
        addresses = Counter(_address(each.transport) for each in there)
        newcomer = _address(transport)
        addresses[newcomer] += 1
        if len(there) >= MOST_CONNECTIONS or (self._network and addresses[newcomer] > MOST_OF_AN_ADDRESS):
            # one of those who have most, and of these not who watches, and who has been silent for longest
            leaving = min(
                there,
                key=lambda each: (-addresses[_address(each.transport)], isinstance(each, Live), each.heard_s),
            )
            leaving.transport.abort()
        protocol = Requests(self._config, self._state, {}, self._loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._looking is None:
            self._looking = self._loop.call_later(LOOKS_EVERY_S, self._look)

    def _look(self) -> None:
        """Let go of those that have had their time."""
        self._looking = None
        for connection in list(self._state.connections):
            if isinstance(connection, Requests | Live) and connection.expiry.has_come:
                connection.transport.abort()
        if self._state.connections:
            self._looking = self._loop.call_later(LOOKS_EVERY_S, self._look)


class _Door(asyncio.Protocol):
    """Where everybody comes in, before anything is said."""

    def __init__(self, take_in: Callable[[asyncio.Transport], None]) -> None:
        self._take_in = take_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._take_in(cast("asyncio.Transport", transport))


def _address(transport: asyncio.Transport) -> str | None:
    """Where somebody comes from; None of one that has gone already. All of IPv6 is an address each: at home the phones
    have the same first half."""
    peer = transport.get_extra_info("peername")
    return None if peer is None else str(peer[0])


def _listen(port: int, *, network: bool) -> socket.socket:
    """A socket at the port, on which nobody is heard yet; OSError if it can't be had."""
    if network and socket.has_dualstack_ipv6():
        try:
            return _bound(socket.AF_INET6, "::", port)
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    return _bound(socket.AF_INET, "0.0.0.0" if network else HERE, port)


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    # with its protocol named, asyncio lets small messages go at once; else each waits for the last to be acknowledged
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # a port that was ours a moment ago can be had again at once
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MOST_WAITING_BYTES)
        # the kernel finds out about a client whose computer slept or crashed
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _OPTIONS.items():
            listener.setsockopt(socket.IPPROTO_TCP, option, value)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
