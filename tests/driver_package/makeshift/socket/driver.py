"""The kind ``socket``: a button that is a Unix socket. A client sends lines, ``down`` and ``up``."""

from __future__ import annotations

import asyncio
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Collection, Sequence
from os.path import normpath
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from taptable.core.device_events import ButtonEdge, Clock, PartFailed, PartReturned
from taptable.drivers.interface import Address, DeviceContext, Driver, FoundPart, Limit, OpenedParts, Part, PartRole

from makeshift.file.driver import found_folder

UNCERTAINTY_US = 10_000
"""A press is stamped on arrival: up to this long after the client has sent it, even on a busy Pi."""
RETRY_S = 1.0
LONGEST_PATH = 107
"""The most bytes in a socket's address."""

Talk: TypeAlias = Callable[[StreamReader, StreamWriter], Awaitable[None]]
Serve: TypeAlias = Callable[[Talk, str], Awaitable[asyncio.Server]]

_log = logging.getLogger(__name__)


class SocketDriver(Driver):
    """Buttons that are sockets. `serve` starts a server at one."""

    kind = "socket"
    roles = frozenset({PartRole.BUTTON})
    accepts = f'"socket:<path>" with an absolute path of up to {LONGEST_PATH} bytes'
    short = 'a socket, "socket:<path>"'
    where = "at a socket"
    examples = MappingProxyType({"seats.button": "socket:/run/taptable/1"})
    limits = (Limit.NO_STAMP,)

    def __init__(self, serve: Serve = asyncio.start_unix_server) -> None:
        self._serve = serve

    def accepts_name(self, name: str) -> bool:
        """Return whether `name` is the absolute path of a socket."""
        is_path = name.startswith("/") and normpath(name) == name and name.isprintable()
        return is_path and len(name.encode(errors="replace")) <= LONGEST_PATH

    def free(self, taken: Collection[Address]) -> str:
        """Return that sockets don't run out."""
        del taken
        return "each button has a socket of its own"

    def find(self) -> Sequence[FoundPart]:
        """Return a button for each folder of a controller: its sockets are made there. A controller's number in its
        folder's name is its serial number: it is the same in another place."""
        return [
            FoundPart(
                Address(self.kind, str(folder / f"{number}.socket")),
                self.roles,
                f"controller {folder.name}, button {number}",
                device=str(folder),
                number=number,
                product="makeshift",
                serial=folder.name.partition("-")[2],
            )
            for folder in sorted(path for path in (found_folder() / "buttons").glob("*") if path.is_dir())
            for number in (1, 2)
        ]

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the buttons."""
        return SocketButtons([SocketButton(part, context, self._serve) for part in parts])


class SocketButtons(OpenedParts):
    """The buttons that are sockets."""

    def __init__(self, buttons: Sequence[SocketButton]) -> None:
        self._buttons = buttons

    def open(self) -> None:
        """Start listening."""
        for button in self._buttons:
            button.open()

    async def close(self) -> None:
        """Stop listening."""
        for button in self._buttons:
            await button.close()


class SocketButton:
    """One button. It is down while one of the connected clients has sent ``down``."""

    def __init__(self, part: Part, context: DeviceContext, serve: Serve) -> None:
        assert part.pad is not None
        self._part = part
        self._pad = part.pad
        self._context = context
        self._serve = serve
        self._path = Path(part.address.name)
        self._server: asyncio.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._clients: set[StreamWriter] = set()
        self._down: set[StreamWriter] = set()
        self._is_missing = False
        self._is_open = False

    def open(self) -> None:
        """Start listening, and retry until `close`."""
        self._is_open = True
        self._serving = self._context.loop.create_task(self._keep_serving(), name=self._part.name)

    async def close(self) -> None:
        """Stop listening, and disconnect all clients."""
        self._is_open = False
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait([self._serving])
        self._stop_serving()

    async def _keep_serving(self) -> None:
        """Listen at the socket. Make it again if that failed, or if somebody has deleted it."""
        while True:
            try:
                if self._server is None or not self._path.is_socket():
                    self._stop_serving()
                    self._server = await self._serve(self._talk, str(self._path))
            except OSError as error:
                if not self._is_missing:
                    self._is_missing = True
                    self._context.report(PartFailed(self._context.now_us(), self._part.name, str(error)))
            else:
                if self._is_missing:
                    self._is_missing = False
                    self._context.report(PartReturned(self._context.now_us(), self._part.name))
            await asyncio.sleep(RETRY_S)

    def _stop_serving(self) -> None:
        for client in self._clients:
            client.close()
        if self._server is not None:
            self._server.close()
            self._server = None
            self._path.unlink(missing_ok=True)

    async def _talk(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._clients.add(writer)
        try:
            async for line in reader:
                self._handle_word(line.strip(), writer)
        except (OSError, ValueError) as error:  # the connection has broken, or a line doesn't end
            _log.warning("Connection to a button lost (%s): %s", self._part.name, error)
        finally:
            self._handle_word(b"up", writer)  # a client that is gone holds no button down
            self._clients.discard(writer)
            writer.close()

    def _handle_word(self, word: bytes, writer: StreamWriter) -> None:
        was_down = bool(self._down)
        match word:
            case b"down":
                self._down.add(writer)
            case b"up":
                self._down.discard(writer)
            case _:
                _log.warning("Neither down nor up (%s): %.40r is skipped", self._part.name, word)
        if self._is_open and bool(self._down) is not was_down:
            now_us = self._context.now_us()
            edge = ButtonEdge(now_us, self._pad, not was_down, UNCERTAINTY_US, clock=Clock.TABLE)
            self._context.report(edge)
