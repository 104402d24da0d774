"""The line between the process of the demo and that of its page: a Unix socket with JSON-RPC, one message a line. The
demo tells each topic whenever it has changed, and every item of a stream; the page's process asks for what people there
want done. Must not know what the topics mean."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from taptable.api.errors import REFUSED, RequestError, data_of
from taptable.api.link import Link, Onlooker
from taptable.api.rpc import (
    FAILED,
    LONGEST_LINE,
    Call,
    Id,
    RpcError,
    call_in,
    error_line,
    notification_line,
    params_in,
    result_line,
)

MOST_UNREAD = 262_144
"""Bytes that may wait for the page's process; while they do it is told nothing more."""

Topics: TypeAlias = Mapping[str, Callable[[], Any]]
Do: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
"""Does what a method asks for with its parameters; `RequestError` says why not."""


def place_of(sockets: Path) -> Path:
    """The demo's socket, in the folder with those of its table."""
    return sockets / "demo.sock"


class DemoServer:
    """The demo's end. `topics` gives what is told, as functions that return each as it is now; `do` does what is asked
    for."""

    def __init__(self, topics: Callable[[], Topics], do: Do) -> None:
        self._topics = topics
        self._do = do
        self._clients: set[_Client] = set()
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[Any]] = set()

    async def open(self, place: Path) -> None:
        """Begin to listen; nobody else on this computer may connect."""
        self._server = await asyncio.start_unix_server(self._serve, place, limit=LONGEST_LINE)
        place.chmod(0o600)

    async def close(self) -> None:
        """Let go of everybody, and of what is still being done for them."""
        if self._server is not None:
            self._server.close()
        for client in self._clients:
            client.abort()
        if self._serving:
            await asyncio.wait(self._serving)

    def look(self) -> None:
        """Tell everybody the topics that have changed since they were told."""
        for client in self._clients:
            client.look()

    def add(self, stream: str, item: Mapping[str, Any]) -> None:
        """Tell everybody one more item of a stream."""
        for client in self._clients:
            client.tell({stream: [item]})

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)
        client = _Client(writer, self._topics, self._do)
        self._clients.add(client)
        try:
            await client.run(reader)
        finally:
            self._clients.discard(client)


class _Client:
    """A connection of the page's process."""

    def __init__(self, writer: asyncio.StreamWriter, topics: Callable[[], Topics], do: Do) -> None:
        self._writer = writer
        self._topics = topics
        self._do = do
        self._told: dict[str, bytes] = {}
        self._doing: set[asyncio.Task[None]] = set()

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Serve it until it is gone. What it asks for may take its time, and others are served meanwhile."""
        self.look()
        try:
            while line := await reader.readline():
                doing = asyncio.ensure_future(self._answer(call_in(line)))
                self._doing.add(doing)
                doing.add_done_callback(self._doing.discard)
        except ConnectionError:
            pass
        finally:
            for doing in self._doing:
                doing.cancel()
            self._writer.close()

    def abort(self) -> None:
        """Let go of it."""
        self._writer.transport.abort()

    def look(self) -> None:
        """Tell the topics that have changed since they were told."""
        news: dict[str, Any] = {}
        if self._reads:
            for name, topic in self._topics().items():
                text = msgspec.json.encode(topic())
                if self._told.get(name) != text:
                    self._told[name] = text
                    news[name] = msgspec.Raw(text)
        if news:
            self.tell(news)

    def tell(self, news: Mapping[str, Any]) -> None:
        """Tell something, which is lost if too much waits to be read."""
        if self._reads:
            self._writer.write(notification_line("changed", news))

    @property
    def _reads(self) -> bool:
        return self._writer.transport.get_write_buffer_size() <= MOST_UNREAD

    async def _answer(self, call: Call) -> None:
        """Do what is asked for, tell what came of it, and answer."""
        number: Id = None if call.id is msgspec.UNSET else call.id
        try:
            answer = result_line(
                number, await self._do(call.method, params_in(call.method, call.params, dict[str, Any]))
            )
        except RequestError as error:
            answer = error_line(number, RpcError(REFUSED, str(error), data_of(error)))
        except Exception as error:  # a bug of ours: the demo plays on
            loop = asyncio.get_running_loop()
            loop.call_exception_handler({"message": "An action at the demo failed", "exception": error})
            answer = error_line(number, RpcError(FAILED, "the demo has made a mistake"))
        self.look()
        with suppress(ConnectionError):
            self._writer.write(answer)
            await self._writer.drain()


class DemoLink(Link):
    """The end of the page's process. Whoever listens is told the topics and the items of streams as they come."""

    async def act(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Have something done, and return what came of it; `RequestError` says why it isn't done."""
        return await self._ask(method, params)

    async def _greet(self, onlooker: Onlooker) -> None:
        """The demo tells everything without being asked."""
