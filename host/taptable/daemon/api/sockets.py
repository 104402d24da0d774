"""The sockets of the local API, one per role. Requests come one per line and are answered in order; subscribers get
changes as fast as they read them. A client costs a bounded amount of memory and time, and the table's own work comes
between any two requests. This module must not know what is requested."""

from __future__ import annotations

import asyncio
import logging
import stat
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from taptable.api import requests
from taptable.api.errors import REQUEST_REFUSED, RequestError, error_data
from taptable.api.facts import DIALOGUE, StreamItems
from taptable.api.requests import Role
from taptable.api.rpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
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
from taptable.api.socket_paths import socket_path
from taptable.daemon.api.local_api import LocalApi

MAX_CLIENTS = 8
"""The most clients at the socket of one role at a time, so three times as many in all. More connections are closed at
once."""
MAX_UNSENT_BYTES = 65_536
"""Bytes that may wait to be sent to a client. While more wait, it gets no changes, and its requests aren't read."""
SEND_TIMEOUT_S = 30.0
"""Seconds for which more than `MAX_UNSENT_BYTES` may wait; then the client is disconnected."""
ITEMS_KEPT = 300
"""Items of a stream that are kept for clients that read them later."""

_log = logging.getLogger(__name__)


class ApiSockets:
    """The sockets of one table, in `folder`, for these `roles`. Calls `on_presence` with whether a role has a client,
    whenever that changes."""

    def __init__(
        self, api: LocalApi, folder: Path, on_presence: Callable[[Role, bool], None], roles: Collection[Role] = Role
    ) -> None:
        self._api = api
        self._roles = roles
        self.folder = folder
        self._on_presence = on_presence
        self._servers: list[asyncio.Server] = []
        self._client_tasks: set[asyncio.Task[Any]] = set()
        self.clients: dict[Role, set[_Client]] = {role: set() for role in Role}
        self._dialogue = DialogueStream()
        self._request_lock = asyncio.Lock()
        api.on_dialogue_item(self._add_dialogue_item)

    async def open(self) -> None:
        """Begin to listen. Raises OSError if a socket can't be opened."""
        for role in self._roles:
            path = socket_path(self.folder, role)
            # the folder may exist, created by the system; a table that is run by hand creates it for its own user
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                path.unlink()  # left by a table that was killed: two tables can't hold the same journal
            server = await asyncio.start_unix_server(self._serve(role), path, limit=LONGEST_LINE)
            path.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP)
            self._servers.append(server)

    def _add_dialogue_item(self, item: Mapping[str, Any]) -> None:
        self._dialogue.add(item)
        self.notify(DIALOGUE)

    def notify(self, topic: str) -> None:
        """Tell the clients that a topic may have changed."""
        for clients in self.clients.values():
            for client in clients:
                client.notify(topic)

    def abort(self) -> None:
        """Drop all clients at once and without notice, as a killed process does."""
        for server in self._servers:
            server.close()
        for clients in self.clients.values():
            for client in clients:
                client.abort()

    async def close(self) -> None:
        """Drop all clients, wait for what they still have under way, and stop listening."""
        self.abort()
        if self._client_tasks:
            await asyncio.wait(self._client_tasks)
        for role in self._roles:
            with suppress(OSError):  # it may not exist
                socket_path(self.folder, role).unlink()

    def _serve(self, role: Role) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            clients = self.clients[role]
            if len(clients) >= MAX_CLIENTS:
                _log.warning("API connection closed: the %s socket has %d clients already", role, MAX_CLIENTS)
                writer.close()
                return
            client = _Client(self._api, role, self._dialogue, self._request_lock, reader, writer)
            clients.add(client)
            serving = asyncio.current_task()
            assert serving is not None
            self._client_tasks.add(serving)
            serving.add_done_callback(self._client_tasks.discard)
            if len(clients) == 1:
                self._on_presence(role, True)
            try:
                await client.run()
            finally:
                clients.discard(client)
                if not clients:
                    self._on_presence(role, False)

        return serve


class DialogueStream:
    """The last items of a stream, numbered from 0."""

    def __init__(self) -> None:
        self.next_number = 0
        self._items: deque[Mapping[str, Any]] = deque(maxlen=ITEMS_KEPT)

    def add(self, item: Mapping[str, Any]) -> None:
        """Append an item."""
        self._items.append(item)
        self.next_number += 1

    def items_since(self, number: int) -> StreamItems:
        """Return the items from that number on, as far as they are kept."""
        first = max(number, self.next_number - len(self._items))
        return StreamItems(first, tuple(islice(self._items, first - self.next_number + len(self._items), None)))


class _Client:
    """One connection."""

    def __init__(
        self,
        api: LocalApi,
        role: Role,
        dialogue: DialogueStream,
        request_lock: asyncio.Lock,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._api = api
        self._role = role
        self._dialogue = dialogue
        self._next_item = 0
        self._request_lock = request_lock
        self._reader = reader
        self._writer = writer
        self._topics: frozenset[str] = frozenset()
        self._sent: dict[str, bytes] = {}
        self._changed_topics: set[str] = set()
        self._wakeup = asyncio.Event()
        writer.transport.set_write_buffer_limits(high=MAX_UNSENT_BYTES)

    def notify(self, topic: str) -> None:
        """Note that a topic may have changed."""
        if topic in self._topics:
            self._changed_topics.add(topic)
            self._wakeup.set()

    @property
    def unsent_bytes(self) -> int:
        """Bytes that wait to be sent to the client."""
        return self._writer.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Drop the connection."""
        self._writer.transport.abort()

    async def run(self) -> None:
        """Serve the client until it closes the connection."""
        sending = asyncio.ensure_future(self._send_changes())
        try:
            while line := await self._reader.readline():
                await self._handle_line(line)
        except ConnectionError:
            pass
        except ValueError:  # StreamReader raises this for a line that is too long
            self._writer.write(
                encode_error(None, RpcError(INVALID_REQUEST, f"a line has {LONGEST_LINE} bytes at most"))
            )
        finally:
            sending.cancel()
            self._writer.close()

    async def _handle_line(self, line: bytes) -> None:
        """Carry out one request in its turn. The table's own work comes between two requests; after each, the table
        gets as much time for that as the request took."""
        try:
            call = decode_call(line)
        except RpcError as error:
            await self._send(encode_error(None, error))
            return
        async with self._request_lock:
            began_s = time.perf_counter()
            answer = await self._answer(call)
            took_s = time.perf_counter() - began_s
        await self._send(answer)
        await asyncio.sleep(took_s)

    async def _answer(self, call: RpcCall) -> bytes:
        """Return the lines that answer a request. Changes that it caused come before its result."""
        number: Id = None if call.id is msgspec.UNSET else call.id
        try:
            answer = encode_result(number, await self._carry_out(call))
        except RequestError as error:
            answer = encode_error(number, RpcError(REQUEST_REFUSED, str(error), error_data(error)))
        except RpcError as error:
            answer = encode_error(number, error)
        except Exception as error:  # a bug of ours, of any kind: the table plays on
            loop = asyncio.get_running_loop()
            loop.call_exception_handler({"message": "Unhandled exception in an API request", "exception": error})
            answer = encode_error(number, RpcError(INTERNAL_ERROR, "the table has made a mistake: its log says which"))
        return self._changes_line() + (b"" if call.id is msgspec.UNSET else answer)

    async def _carry_out(self, call: RpcCall) -> Any:
        if call.method == "subscribe":
            return self._subscribe(bytes(call.params))
        return await self._api.call(self._role, call.method, bytes(call.params))

    def _subscribe(self, params: bytes) -> Any:
        request = decode_params("subscribe", params, requests.Subscribe)
        known = {*self._api.topics, *([DIALOGUE] if self._role is Role.ADMIN else [])}
        if unknown := [topic for topic in request.topics if topic not in known]:
            raise RpcError(INVALID_PARAMS, f"there is no topic {unknown[0]!r}, but {', '.join(sorted(known))}")
        self._topics = frozenset(request.topics)
        self._sent.clear()
        self._next_item = self._dialogue.next_number
        self._changed_topics = set(request.topics)
        self._wakeup.set()
        return {}

    async def _send_changes(self) -> None:
        """Send changes as they happen, but no faster than the client reads."""
        with suppress(ConnectionError):
            while True:
                await self._wakeup.wait()
                self._wakeup.clear()
                async with self._request_lock:
                    changes = self._changes_line()
                await self._send(changes)

    def _changes_line(self) -> bytes:
        """Return a notification with the topics that have changed since they were sent; empty if none does."""
        changed, self._changed_topics = self._changed_topics, set()
        contents: dict[str, Any] = {}
        for topic in changed:
            if topic == DIALOGUE:
                items, self._next_item = self._dialogue.items_since(self._next_item), self._dialogue.next_number
                if items.items:
                    contents[topic] = items
                continue
            text = msgspec.json.encode(self._api.topics[topic]())
            if self._sent.get(topic) != text:
                self._sent[topic] = text
                contents[topic] = msgspec.Raw(text)
        return encode_notification("changed", {**contents, "time": self._api.topics["time"]()}) if contents else b""

    async def _send(self, line: bytes) -> None:
        """Send a line and wait until there is room for more. A client that leaves none for `SEND_TIMEOUT_S` is dropped,
        with ConnectionError."""
        if not line:
            return
        self._writer.write(line)
        if self.unsent_bytes <= MAX_UNSENT_BYTES:
            return
        drained, timeout = (
            asyncio.ensure_future(self._writer.drain()),
            asyncio.ensure_future(asyncio.sleep(SEND_TIMEOUT_S)),
        )
        try:
            await asyncio.wait({drained, timeout}, return_when=asyncio.FIRST_COMPLETED)
            if not drained.done():
                _log.warning("API connection closed: a client of the %s socket doesn't read", self._role)
                self.abort()
                raise ConnectionAbortedError
            drained.result()
        finally:
            drained.cancel()
            timeout.cancel()
