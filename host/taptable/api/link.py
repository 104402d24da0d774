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

from taptable.api.errors import RequestError, result_in
from taptable.api.facts import TOPICS, TableFacts, facts_in
from taptable.api.requests import VERSION, Hello, Request, Subscribe, method_of
from taptable.api.rpc import LONGEST_LINE, RpcError, RpcMessage, call_line, message_in

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

    def came(self, facts: TableFacts) -> None:
        """It is there."""
        ...

    def changed(self, topics: Mapping[str, Any]) -> None:
        """These of its topics are so now, and its time."""
        ...

    def away(self) -> None:
        """It isn't there any more."""
        ...


class TableLink:
    """To the table whose socket is at `path`; to be opened with who is told of it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[RpcMessage]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None

    def open(self, onlooker: TableListener) -> None:
        """Begin to look for the table."""
        self._running = asyncio.create_task(self._run(onlooker), name="link")

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
        self._waiting[number] = answered = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(_line(number, method, params))
            await self._writer.drain()
            message = await answered
        except ConnectionError as error:
            raise RequestError("live", "table-away") from error
        finally:
            del self._waiting[number]
        try:
            return result_in(message)
        except RpcError as error:
            _log.error("the table doesn't understand %s: %s", method, error)
            raise RequestError("live", "failed") from error

    async def _run(self, onlooker: TableListener) -> None:
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
                await self._stay(reader, onlooker)
                onlooker.away()
            await asyncio.sleep(RETRY_S)

    async def _stay(self, reader: asyncio.StreamReader, onlooker: TableListener) -> None:
        """From the greeting until the table is gone."""
        greeting = asyncio.ensure_future(self._greet(onlooker))
        try:
            while line := await reader.readline():
                self._take(message_in(line), onlooker)
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
            for each in self._waiting.values():
                if not each.done():
                    each.set_exception(ConnectionError("the table is gone"))

    async def _greet(self, onlooker: TableListener) -> None:
        try:
            facts = msgspec.convert(await self.call(Hello(VERSION)), TableFacts)
            onlooker.came(facts)
            await self.call(Subscribe(tuple(TOPICS)))
        except (RequestError, msgspec.ValidationError) as error:
            _log.error("the table doesn't take us in: %s", error)

    def _take(self, message: RpcMessage, onlooker: TableListener) -> None:
        if message.method == "changed":
            onlooker.changed(facts_in(message.params))
        elif isinstance(message.id, int) and message.id in self._waiting and not self._waiting[message.id].done():
            self._waiting[message.id].set_result(message)


def _line(number: int, method: str, params: Any) -> bytes:
    """A request as a line; `RequestError` for what can't be said in one, as half of a letter can't."""
    try:
        line = call_line(number, method, params)
    except (UnicodeEncodeError, RecursionError) as error:
        raise RequestError("live", "wrong-field", field="…") from error
    if len(line) > LONGEST_LINE:
        raise RequestError("live", "too-long", most=LONGEST_LINE)
    return line
