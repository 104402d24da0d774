"""A client's line to the table for programs that do many things at once, the page and the bridge: connects to its
socket, asks, and is told what changes; tries again for as long as the table is away. Must not know what the facts
mean."""

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

_log = logging.getLogger(__name__)


Call: TypeAlias = Callable[[Request], Awaitable[dict[str, Any]]]
"""Asks the table for something, and gives the result; `RequestError` says why there is none."""


class TableClient(Protocol):
    """The table, as a client sees it."""

    async def call(self, request: Request) -> dict[str, Any]:
        """The result of a request; `RequestError` says why there is none."""
        ...


class TableListener(Protocol):
    """Who is told of the table."""

    def on_connected(self, facts: TableFacts) -> None:
        """It is there."""
        ...

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """These of its topics are so now, and its time."""
        ...

    def on_disconnected(self) -> None:
        """It isn't there any more."""
        ...


class TableLink:
    """To the table whose socket is at `path`; to be opened with who is told of it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers = count(1)
        self._pending_calls: dict[int, asyncio.Future[RpcMessage]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None

    def open(self, listener: TableListener) -> None:
        """Begin to look for the table."""
        self._running = asyncio.create_task(self._run(listener), name="link")

    async def close(self) -> None:
        """Look for it no more."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def call(self, request: Request) -> dict[str, Any]:
        """The result of a request; `RequestError` says why there is none."""
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
            _log.error("the table doesn't understand %s: %s", method, error)
            raise RequestError("live", "failed") from error

    async def _run(self, listener: TableListener) -> None:
        told = ""
        while True:
            try:
                reader, self._writer = await asyncio.open_unix_connection(self._path, limit=LONGEST_LINE)
            except OSError as error:
                if str(error) != told:
                    told = str(error)
                    _log.warning("the table isn't there: %s", error)
            else:
                told = ""
                await self._receive(reader, listener)
                listener.on_disconnected()
            await asyncio.sleep(RETRY_S)

    async def _receive(self, reader: asyncio.StreamReader, listener: TableListener) -> None:
        """From the greeting until the table is gone."""
        greeting = asyncio.ensure_future(self._greet(listener))
        try:
            while line := await reader.readline():
                self._handle_message(decode_message(line), listener)
        except (ConnectionError, ValueError, RpcError) as error:
            _log.warning("the table said something that can't be: %s", error)
        except Exception as error:  # a bug of ours, whatever it is: all is found out anew
            loop = asyncio.get_running_loop()
            loop.call_exception_handler({"message": "What the table said was not understood", "exception": error})
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
            _log.error("the table doesn't take us in: %s", error)

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
    """A request as a line; `RequestError` for what can't be said in one, as half of a letter can't."""
    try:
        line = encode_call(number, method, params)
    except (UnicodeEncodeError, RecursionError) as error:
        raise RequestError("live", "wrong-field", field="…") from error
    if len(line) > LONGEST_LINE:
        raise RequestError("live", "too-long", most=LONGEST_LINE)
    return line
