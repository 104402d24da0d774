"""An asynchronous connection to the table, for the page and the bridge: connects to its socket, sends requests, passes
on changes of topics, and retries while the table is away. Must not know what the facts mean."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import msgspec

from taptable.api.errors import RequestError, result_or_raise
from taptable.api.facts import TOPICS, TableFacts, decode_topics
from taptable.api.requests import VERSION, Hello, Request, Subscribe, method_of
from taptable.api.rpc import LONGEST_LINE, RpcError, RpcMessage, decode_message, encode_call

RETRY_S = 0.5
"""Seconds between two attempts to connect."""

_log = logging.getLogger(__name__)


Call: TypeAlias = Callable[[Request], Awaitable[dict[str, Any]]]
"""Sends a request to the table and returns its result. Raises `RequestError` if there is none."""


class TableClient(Protocol):
    """The table, as its clients call it."""

    async def call(self, request: Request) -> dict[str, Any]:
        """Send a request and return its result. Raises `RequestError` if the table refuses it or is away."""
        ...


class TableListener(Protocol):
    """Receives the events of a `TableLink`."""

    def on_connected(self, facts: TableFacts) -> None:
        """The table has connected."""
        ...

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """These topics have changed; ``time`` is always among them."""
        ...

    def on_disconnected(self) -> None:
        """The connection to the table is lost."""
        ...


class TableLink:
    """The connection to the table whose socket is at `path`. Once opened it passes its events to a listener."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers = count(1)
        self._pending_calls: dict[int, asyncio.Future[RpcMessage]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None

    def open(self, listener: TableListener) -> None:
        """Start connecting to the table, and reconnecting whenever the connection is lost."""
        self._running = asyncio.create_task(self._run(listener), name="link")

    async def close(self) -> None:
        """Disconnect, and stop reconnecting."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def call(self, request: Request) -> dict[str, Any]:
        """Send a request and return its result. Raises `RequestError` if the table refuses it or is away."""
        return await self._ask(method_of(type(request)), request)

    async def _ask(self, method: str, params: Any) -> dict[str, Any]:
        if self._writer is None:
            raise RequestError("live", "table-away")
        number = next(self._numbers)
        self._pending_calls[number] = answered = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(_encode_call(number, method, params))
            await self._writer.drain()
            message = await answered
        except ConnectionError as error:
            raise RequestError("live", "table-away") from error
        finally:
            del self._pending_calls[number]
        try:
            return result_or_raise(message)
        except RpcError as error:
            _log.error(
                "Request not understood by the table (%s: %s): restart all of taptable after an upgrade", method, error
            )
            raise RequestError("live", "failed") from error

    async def _run(self, listener: TableListener) -> None:
        logged_error = ""
        while True:
            try:
                reader, self._writer = await asyncio.open_unix_connection(self._path, limit=LONGEST_LINE)
            except OSError as error:
                if str(error) != logged_error:
                    logged_error = str(error)
                    _log.warning("No connection to the table (%s): trying again every %s s", error, RETRY_S)
            else:
                logged_error = ""
                await self._receive(reader, listener)
                listener.on_disconnected()
            await asyncio.sleep(RETRY_S)

    async def _receive(self, reader: asyncio.StreamReader, listener: TableListener) -> None:
        """Handle one connection, from the greeting until it is lost."""
        greeting = asyncio.ensure_future(self._greet(listener))
        try:
            while line := await reader.readline():
                self._handle_message(decode_message(line), listener)
        except (ConnectionError, ValueError, RpcError) as error:
            _log.warning("Connection to the table broken off (%s): reconnecting after %s s", error, RETRY_S)
        except Exception as error:  # a bug of ours: reconnecting starts from scratch
            loop = asyncio.get_running_loop()
            loop.call_exception_handler(
                {"message": "Unhandled exception in a message of the table: reconnecting", "exception": error}
            )
        finally:
            assert self._writer is not None
            self._writer.close()
            self._writer = None
            greeting.cancel()
            for each in self._pending_calls.values():
                if not each.done():
                    each.set_exception(ConnectionError("the table is gone"))

    async def _greet(self, listener: TableListener) -> None:
        try:
            facts = msgspec.convert(await self.call(Hello(VERSION)), TableFacts)
            listener.on_connected(facts)
            await self.call(Subscribe(tuple(TOPICS)))
        except (RequestError, msgspec.ValidationError) as error:
            # the connection stays open, so that this is logged once; it ends when the table is restarted
            _log.error("Connection refused by the table (%s): restart all of taptable after an upgrade", error)

    def _handle_message(self, message: RpcMessage, listener: TableListener) -> None:
        if message.method == "changed":
            listener.on_topics_changed(decode_topics(message.params))
        elif (
            isinstance(message.id, int)
            and message.id in self._pending_calls
            and not self._pending_calls[message.id].done()
        ):
            self._pending_calls[message.id].set_result(message)


def _encode_call(number: int, method: str, params: Any) -> bytes:
    """Encode a request as a line. Raises `RequestError` if it is too long or can't be encoded, as a lone surrogate
    can't."""
    try:
        line = encode_call(number, method, params)
    except (UnicodeEncodeError, RecursionError) as error:
        raise RequestError("live", "wrong-field", field="…") from error
    if len(line) > LONGEST_LINE:
        raise RequestError("live", "too-long", most=LONGEST_LINE)
    return line
