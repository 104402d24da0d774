"""The server's socket and its life: opened on the local host, tried again while somebody else has the port, and closed
without waiting for anybody. uvicorn speaks HTTP here; its main loop, which looks at the clock ten times a second, and
its signal handling are left out. Must not know what is served."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import cast

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.server import ServerState

from taptable.core.sightings import PartFailed, PartReturned, Sighting

HOST = "127.0.0.1"
PART = "page"
RETRY_S = 10.0
"""How long a port that is taken is left alone before it is tried again."""
KEEP_ALIVE_S = 60
LONGEST_MESSAGE = 262_144
"""Bytes of a client's message beyond which the connection is closed, whoever it is."""
MOST_CONNECTIONS = 128
"""Beyond so many the next is closed at once: the table needs files too."""


class Server:
    """One port; `leave` is awaited at the end, to say goodbye to the clients."""

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        leave: Callable[[], Awaitable[None]],
        report: Callable[[Sighting], None],
        now_us: Callable[[], int],
    ) -> None:
        self.port = port
        self._leave = leave
        self._report = report
        self._now_us = now_us
        self._loop = asyncio.get_running_loop()
        self._state = ServerState()
        self._config = Config(
            app,
            http="h11",
            ws="websockets-sansio",
            lifespan="off",
            log_config=None,
            access_log=False,
            ws_max_size=LONGEST_MESSAGE,
            # a browser says by itself that it is still there, and times of the loop may be others than outside
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            log_level=logging.ERROR,
            timeout_keep_alive=KEEP_ALIVE_S,
        )
        self._config.load()
        self._server: asyncio.Server | None = None
        self._opening: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._failed = False

    def open(self) -> None:
        """Take the port, now or as soon as it is free."""
        self._retry = None
        try:
            listener = _listen(self.port)
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
        if self._retry is not None:
            self._retry.cancel()
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
        protocol = cast("Callable[..., asyncio.Protocol]", self._config.http_protocol_class)

        def connected() -> asyncio.Protocol:
            if len(self._state.connections) >= MOST_CONNECTIONS:
                return _Full()
            return protocol(config=self._config, server_state=self._state, app_state={}, _loop=self._loop)

        self._server = await self._loop.create_server(connected, sock=listener)


class _Full(asyncio.Protocol):
    """Takes nobody in."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


def _listen(port: int) -> socket.socket:
    """A socket at the port, on which nobody is heard yet; OSError if it can't be had."""
    # with its protocol named, asyncio lets small messages go at once; else each waits for the last to be acknowledged
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # a port that was ours a moment ago can be had again at once
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # the kernel finds out about a client whose computer slept or crashed
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
