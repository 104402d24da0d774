"""The sockets of the local API, one a role: requests come in a line at a time and are answered in their order, and who
has subscribed is told what changes as fast as they read it. A client costs a bounded amount, and the table's own work
comes between any two requests, whoever asks. Must not know what is asked for."""

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
from taptable.api.errors import REFUSED, RequestError, data_of
from taptable.api.facts import DIALOGUE, StreamItems
from taptable.api.places import socket_of
from taptable.api.requests import Role
from taptable.api.rpc import (
    FAILED,
    LONGEST_LINE,
    NO_REQUEST,
    WRONG_PARAMS,
    Id,
    RpcCall,
    RpcError,
    call_in,
    error_line,
    notification_line,
    params_in,
    result_line,
)
from taptable.daemon.api.local_api import LocalApi

MOST_CLIENTS = 8
"""Of one role at a time; who comes then is let go at once."""
MOST_UNREAD = 65_536
"""Bytes that may wait for a client; while they do it is told nothing more, and isn't heard."""
UNREAD_S = 30.0
"""How long it may leave them there."""
ITEMS_KEPT = 300
"""Of a stream, for who is told a little later."""

_log = logging.getLogger(__name__)


class ApiSockets:
    """The sockets of one table, in `folder`, for these `roles`. Calls `present` with whether anybody is there of a
    role, whenever that changes."""

    def __init__(
        self, api: LocalApi, folder: Path, present: Callable[[Role, bool], None], roles: Collection[Role] = Role
    ) -> None:
        self._api = api
        self._roles = roles
        self._folder = folder
        self._present = present
        self._servers: list[asyncio.Server] = []
        self._serving: set[asyncio.Task[Any]] = set()
        self.clients: dict[Role, set[_Client]] = {role: set() for role in Role}
        self._dialogue = DialogueStream()
        self._turn = asyncio.Lock()
        api.on_said(self._add)

    async def open(self) -> None:
        """Begin to listen; OSError if a socket can't be had."""
        for role in self._roles:
            path = socket_of(self._folder, role)
            # as the system has made it, or, for a table that is run by hand, for nobody else
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                path.unlink()  # of a table that was killed: two can't have the journal
            server = await asyncio.start_unix_server(self._serve(role), path, limit=LONGEST_LINE)
            path.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP)
            self._servers.append(server)

    def _add(self, said: Mapping[str, Any]) -> None:
        self._dialogue.add(said)
        self.notify(DIALOGUE)

    def notify(self, topic: str) -> None:
        """A topic may have changed."""
        for clients in self.clients.values():
            for client in clients:
                client.notify(topic)

    def break_off(self) -> None:
        """Let go of everybody at once and without a word, as when the process is killed."""
        for server in self._servers:
            server.close()
        for clients in self.clients.values():
            for client in clients:
                client.abort()

    async def close(self) -> None:
        """Let go of everybody, and of what is still being done for them, and listen no more."""
        self.break_off()
        if self._serving:
            await asyncio.wait(self._serving)
        for role in self._roles:
            with suppress(OSError):  # it may never have been there
                socket_of(self._folder, role).unlink()

    def _serve(self, role: Role) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            clients = self.clients[role]
            if len(clients) >= MOST_CLIENTS:
                _log.warning("there are %s clients at the %s's socket already: another was let go", MOST_CLIENTS, role)
                writer.close()
                return
            client = _Client(self._api, role, self._dialogue, self._turn, reader, writer)
            clients.add(client)
            serving = asyncio.current_task()
            assert serving is not None
            self._serving.add(serving)
            serving.add_done_callback(self._serving.discard)
            if len(clients) == 1:
                self._present(role, True)
            try:
                await client.run()
            finally:
                clients.discard(client)
                if not clients:
                    self._present(role, False)

        return serve


class DialogueStream:
    """The last items of a stream, numbered from 0 on."""

    def __init__(self) -> None:
        self.next = 0
        self._items: deque[Mapping[str, Any]] = deque(maxlen=ITEMS_KEPT)

    def add(self, item: Mapping[str, Any]) -> None:
        """One more."""
        self._items.append(item)
        self.next += 1

    def since(self, number: int) -> StreamItems:
        """Those from that number on, as far as they are kept."""
        first = max(number, self.next - len(self._items))
        return StreamItems(first, tuple(islice(self._items, first - self.next + len(self._items), None)))


class _Client:
    """One connection."""

    def __init__(
        self,
        api: LocalApi,
        role: Role,
        dialogue: DialogueStream,
        turn: asyncio.Lock,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._api = api
        self._role = role
        self._dialogue = dialogue
        self._heard = 0
        self._turn = turn
        self._reader = reader
        self._writer = writer
        self._topics: frozenset[str] = frozenset()
        self._told: dict[str, bytes] = {}
        self._changed: set[str] = set()
        self._woken = asyncio.Event()
        writer.transport.set_write_buffer_limits(high=MOST_UNREAD)

    def notify(self, topic: str) -> None:
        """A topic may have changed."""
        if topic in self._topics:
            self._changed.add(topic)
            self._woken.set()

    @property
    def unread(self) -> int:
        """Bytes that wait for it."""
        return self._writer.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Let go of it."""
        self._writer.transport.abort()

    async def run(self) -> None:
        """From its first request to its last."""
        telling = asyncio.ensure_future(self._keep_telling())
        try:
            while line := await self._reader.readline():
                await self._hear(line)
        except ConnectionError:
            pass
        except ValueError:  # StreamReader says this of a line that is too long
            self._writer.write(error_line(None, RpcError(NO_REQUEST, f"a line has {LONGEST_LINE} bytes at most")))
        finally:
            telling.cancel()
            self._writer.close()

    async def _hear(self, line: bytes) -> None:
        """Carry out one request, in its turn: between two the table's own work is done, and then as much time is its
        own as this one took."""
        try:
            call = call_in(line)
        except RpcError as error:
            await self._say(error_line(None, error))
            return
        async with self._turn:
            began_s = time.perf_counter()
            answer = await self._answer(call)
            took_s = time.perf_counter() - began_s
        await self._say(answer)
        await asyncio.sleep(took_s)

    async def _answer(self, call: RpcCall) -> bytes:
        """Do what is asked for; the lines that say so, before which it is told what came of it."""
        number: Id = None if call.id is msgspec.UNSET else call.id
        try:
            answer = result_line(number, await self._carry_out(call))
        except RequestError as error:
            answer = error_line(number, RpcError(REFUSED, str(error), data_of(error)))
        except RpcError as error:
            answer = error_line(number, error)
        except Exception as error:  # a bug of ours, whatever it is: the table plays on
            loop = asyncio.get_running_loop()
            loop.call_exception_handler({"message": "A request had no effect", "exception": error})
            answer = error_line(number, RpcError(FAILED, "the table has made a mistake: its log says which"))
        return self._news_line() + (b"" if call.id is msgspec.UNSET else answer)

    async def _carry_out(self, call: RpcCall) -> Any:
        if call.method == "subscribe":
            return self._subscribe(bytes(call.params))
        return await self._api.call(self._role, call.method, bytes(call.params))

    def _subscribe(self, params: bytes) -> Any:
        wanted = params_in("subscribe", params, requests.Subscribe)
        known = {*self._api.topics, *([DIALOGUE] if self._role is Role.ADMIN else [])}
        if strange := [topic for topic in wanted.topics if topic not in known]:
            raise RpcError(WRONG_PARAMS, f"there is no topic {strange[0]!r}, but {', '.join(sorted(known))}")
        self._topics = frozenset(wanted.topics)
        self._told.clear()
        self._heard = self._dialogue.next
        self._changed = set(wanted.topics)
        self._woken.set()
        return {}

    async def _keep_telling(self) -> None:
        """What changes, as it changes, but no faster than it is read."""
        with suppress(ConnectionError):
            while True:
                await self._woken.wait()
                self._woken.clear()
                async with self._turn:
                    news = self._news_line()
                await self._say(news)

    def _news_line(self) -> bytes:
        """What tells of the topics that are other than they were told; nothing if none is."""
        changed, self._changed = self._changed, set()
        news: dict[str, Any] = {}
        for topic in changed:
            if topic == DIALOGUE:
                said, self._heard = self._dialogue.since(self._heard), self._dialogue.next
                if said.items:
                    news[topic] = said
                continue
            text = msgspec.json.encode(self._api.topics[topic]())
            if self._told.get(topic) != text:
                self._told[topic] = text
                news[topic] = msgspec.Raw(text)
        return notification_line("changed", {**news, "time": self._api.topics["time"]()}) if news else b""

    async def _say(self, line: bytes) -> None:
        """Send a line, and wait until there is room again; who leaves none for too long is let go: ConnectionError."""
        if not line:
            return
        self._writer.write(line)
        if self.unread <= MOST_UNREAD:
            return
        read, late = asyncio.ensure_future(self._writer.drain()), asyncio.ensure_future(asyncio.sleep(UNREAD_S))
        try:
            await asyncio.wait({read, late}, return_when=asyncio.FIRST_COMPLETED)
            if not read.done():
                _log.warning("a client at the %s's socket doesn't read: it was let go", self._role)
                self.abort()
                raise ConnectionAbortedError
            read.result()
        finally:
            read.cancel()
            late.cancel()
