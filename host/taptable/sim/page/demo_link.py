"""The link between the process of the demo and that of its page: a Unix socket with JSON-RPC, one message a line. The
demo sends each topic whenever it has changed, and every item of a stream; the page's process sends people's requests.
Must not know what the topics mean."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from taptable.api.errors import REQUEST_REFUSED, RequestError, error_data
from taptable.api.link import TableLink, TableListener
from taptable.api.rpc import (
    INTERNAL_ERROR,
    LONGEST_LINE,
    Id,
    RpcCall,
    RpcError,
    decode_call,
    decode_params,
    encode_error,
    encode_notification,
    encode_result,
)

MAX_UNREAD = 262_144
"""Maximum number of bytes that may wait for the page's process; beyond it nothing more is sent."""

Topics: TypeAlias = Mapping[str, Callable[[], Any]]
Do: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
"""Callable that carries out a method with its parameters; `RequestError` says why not."""


def demo_socket(sockets: Path) -> Path:
    """Return the path of the demo's socket, in the folder with those of its table."""
    return sockets / "demo.sock"


class DemoServer:
    """The demo's end of the link, for one page at a time: the last that connected. `topics` returns functions that
    return each topic as it is now; `do` carries out requests."""

    def __init__(self, topics: Callable[[], Topics], do: Do) -> None:
        self._topics = topics
        self._do = do
        self._server: asyncio.Server | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._published: dict[str, bytes] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, place: Path) -> None:
        """Begin to listen; other users of this computer may not connect."""
        self._server = await asyncio.start_unix_server(self._serve, place, limit=LONGEST_LINE)
        place.chmod(0o600)

    async def close(self) -> None:
        """Disconnect the page, and wait for the requests under way to end."""
        if self._server is not None:
            self._server.close()
        self._disconnect()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def publish_changes(self) -> None:
        """Send the topics that have changed since they were sent."""
        if self._ready_writer is None:
            return
        changes: dict[str, Any] = {}
        for name, topic in self._topics().items():
            text = msgspec.json.encode(topic())
            if self._published.get(name) != text:
                self._published[name] = text
                changes[name] = msgspec.Raw(text)
        if changes:
            self.send(changes)

    def publish_item(self, stream: str, item: Mapping[str, Any]) -> None:
        """Send one more item of a stream."""
        self.send({stream: [item]})

    def send(self, changes: Mapping[str, Any]) -> None:
        """Send topics or items; they are dropped if no page is connected or it doesn't read."""
        if (writer := self._ready_writer) is not None:
            writer.write(encode_notification("changed", changes))

    @property
    def _ready_writer(self) -> asyncio.StreamWriter | None:
        """The connection to the page; None without one, or while too much waits to be read."""
        writer = self._writer
        waiting = 0 if writer is None else writer.transport.get_write_buffer_size()
        return None if waiting > MAX_UNREAD else writer

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a page until it disconnects. Its requests are carried out concurrently."""
        self._track_task(asyncio.current_task())
        self._disconnect()
        self._writer, self._published = writer, {}
        self.publish_changes()
        tasks: set[asyncio.Task[None]] = set()
        try:
            while line := await reader.readline():
                task = asyncio.create_task(self._answer(decode_call(line), writer))
                self._track_task(task)
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        except ConnectionError:
            pass
        finally:
            for task in tasks:
                task.cancel()
            if self._writer is writer:
                self._writer = None
            writer.close()

    def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.transport.abort()

    def _track_task(self, task: asyncio.Task[Any] | None) -> None:
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, call: RpcCall, writer: asyncio.StreamWriter) -> None:
        """Carry out a request, publish the changes, and answer."""
        number: Id = None if call.id is msgspec.UNSET else call.id
        try:
            params = decode_params(call.method, bytes(call.params), dict[str, Any])
            answer = encode_result(number, await self._do(call.method, params))
        except RequestError as error:
            answer = encode_error(number, RpcError(REQUEST_REFUSED, str(error), error_data(error)))
        except Exception as error:  # a bug of ours: the demo plays on
            loop = asyncio.get_running_loop()
            loop.call_exception_handler(
                {"message": f"Unhandled exception in the demo's request {call.method}", "exception": error}
            )
            answer = encode_error(number, RpcError(INTERNAL_ERROR, "the demo has made a mistake"))
        self.publish_changes()
        writer.write(answer)


class DemoLink(TableLink):
    """The page's end of the link. Its listener gets the topics and the items of streams as they come."""

    async def act(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Request an action, and return its answer; `RequestError` says why it isn't done."""
        return await self._ask(method, params)

    async def _greet(self, listener: TableListener) -> None:
        """Send nothing: the demo publishes everything without a request."""
