"""The live connection of one client of the page. The client says hello, gets each change as soon as it can take more,
and gets a response to each request. This module must not know what the page shows."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol, cast

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from taptable.api.errors import RequestError
from taptable.core.rates import RateLimiter
from taptable.page.browser_verbs import READ_ONLY_VERBS
from taptable.page.feed import ClientState, Feed
from taptable.page.messages import Requester, is_count, parse, request_id_of, shorten
from taptable.page.pacing import FairScheduler
from taptable.words import LANGUAGES, Words

MAX_PENDING_REQUESTS = 16
"""How many requests of one client may be pending at a time."""
MESSAGES_PER_S = 50.0
MESSAGE_BURST = 150
"""How many messages of a client are handled per second, and how many at once after a silence. Beyond that the client
isn't read until the limiter allows the next message."""
HEAVY_MESSAGE_COST = 5
"""How many messages a request counts as if it comes from an unpaired client, or if everything has to be sent again."""
MAX_NAMES = 16
"""How many names of streams a message may have."""
SPACING_S = 0.016
"""Seconds between two messages that no client requested: one frame of a screen."""

DISCONNECT_ERRORS = (WebSocketDisconnect, WebSocketDisconnected)
"""The errors of sending or receiving once the client or this server has closed the connection."""
GOING_AWAY, TRY_LATER, INTERNAL_ERROR = 1001, 1013, 1011
"""Close codes of the standard (RFC 6455): the page ends or has no game to show; there is no room or no game yet; a
bug."""


class PageModel(Protocol):
    """The page as connections see it."""

    @property
    def feed(self) -> Feed:
        """The feed with what clients get."""
        ...

    @property
    def is_ready(self) -> bool:
        """Whether there is a game to show."""
        ...

    @property
    def unavailable_reason(self) -> str:
        """The catalogue key of the reason for that."""
        ...

    @property
    def language(self) -> str:
        """The language of clients that haven't chosen one."""
        ...

    def words(self, language: str, *, in_public: bool = False) -> Words:
        """Return the words of a language; with `in_public`, without what isn't public."""
        ...

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """Return the first message to a client, and its next state."""
        ...

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """Return what a client lacks (None if nothing), and its next state."""
        ...

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """Carry out a verb and return the response's fields; raise `RequestError` if it is refused."""
        ...


class RequesterIdentity(Protocol):
    """Finds out who is at the other end of a connection."""

    async def identify(self, connection: HTTPConnection, words: Words, client: str) -> Requester:
        """Return the requester on a connection with the name `client`, in the language of `words`."""
        ...

    def is_paired(self, requester: Requester) -> bool:
        """Return whether an identified requester may still change things."""
        ...


class PageConnection:
    """The live connection of one client, from its first message to its last."""

    def __init__(
        self,
        socket: WebSocket,
        page: PageModel,
        scheduler: FairScheduler,
        identity: RequesterIdentity,
        tasks: set[asyncio.Task[None]],
    ) -> None:
        self._socket = socket
        self._page = page
        self._scheduler = scheduler
        self._identity = identity
        self.name = secrets.token_hex(4)
        self._words = page.words(page.language)
        self._requester = Requester("", False, self._words, self.name)
        self._limiter = RateLimiter(MESSAGES_PER_S, MESSAGE_BURST, time.monotonic)
        self.address = None if socket.client is None else socket.client.host
        self.was_paired = False
        self.last_received_s = time.monotonic()
        self._client: ClientState | None = None
        self._tasks = tasks
        self._under_way = 0
        self._read_only_tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._send_lock = asyncio.Lock()

    @property
    def is_paired(self) -> bool:
        """Whether this client may change things, as far as is known."""
        return self._identity.is_paired(self._requester)

    async def run(self) -> None:
        """Serve the client from the first message to the last."""
        await self._socket.accept()
        stop_listening = self._page.feed.listen(self._changed.set)
        sending = asyncio.ensure_future(self._keep_sending())
        try:
            while (message := await self._socket.receive())["type"] == "websocket.receive":
                await self._scheduler.wait_for_turn()
                self.last_received_s = time.monotonic()
                self._limiter.consume()
                await self._handle_message(message.get("text"))
                if owed_s := self._limiter.wait_s():
                    await asyncio.sleep(owed_s)
        except DISCONNECT_ERRORS:
            pass
        except Exception as error:
            await self._fail(error)
        finally:
            stop_listening()
            sending.cancel()
            for task in self._read_only_tasks:  # nobody is left to read their responses, and they change nothing
                task.cancel()

    async def close(self, code: int = GOING_AWAY) -> None:
        """Close the connection with this code."""
        with suppress(*DISCONNECT_ERRORS, RuntimeError):  # the client may have closed it already
            await self._socket.close(code)

    async def _keep_sending(self) -> None:
        """Send what changes as it changes, but no faster than a screen can show it."""
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                # nothing is sent before the greeting, which holds everything
                if self._client is not None:
                    await self._scheduler.wait_for_turn()
                    if await self._bring_up_to_date():
                        await asyncio.sleep(SPACING_S)
        except DISCONNECT_ERRORS:
            pass
        except Exception as error:
            await self._fail(error)

    async def _fail(self, error: Exception) -> None:
        """Handle an unexpected exception, which is a bug: disconnect this client, so that the table plays on."""
        loop = asyncio.get_running_loop()
        message = "Unhandled exception in a page connection: its client is disconnected, and connects again"
        loop.call_exception_handler({"message": message, "exception": error})
        with suppress(*DISCONNECT_ERRORS, RuntimeError):
            await self._socket.close(INTERNAL_ERROR)

    async def _bring_up_to_date(self) -> bool:
        """Send what the client lacks; return False if that was nothing."""
        async with self._send_lock:
            assert self._client is not None
            message, self._client = self._page.catch_up(self._client, self._words)
            self._changed.clear()  # catching up published the changes itself
            if message is not None:
                await self._socket.send_text(message)
            return message is not None

    async def _handle_message(self, text: str | None) -> None:
        """Handle one message, and respond to it."""
        number: object = None
        try:
            message = parse(text)
            number = request_id_of(message)
            verb = message.get("do")
            if not isinstance(verb, str):
                raise RequestError("live", "no-verb")
            if self._client is None and verb != "hello":
                raise RequestError("live", "hello-first")
            answer = await self._dispatch(verb, number, message)
        except RequestError as error:
            await self._answer(number, {"ok": False, "why": error.text(self._words)})
            return
        if answer is not None and number is not None:
            await self._answer(number, {"ok": True, **answer})

    async def _dispatch(self, verb: str, number: object, message: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the fields of the response; None if a task responds later."""
        match verb:
            case "hello":
                self._limiter.consume(HEAVY_MESSAGE_COST)
                await self._greet(message)
                await self.look_up()
                return {"paired": self.is_paired, "name": self._requester.name}
            case "echo":
                return self._echo(message)
            case "language":
                self._limiter.consume(HEAVY_MESSAGE_COST)
                in_public = self._words.vocabulary.in_public
                self._words = self._page.words(self._parse_language(message), in_public=in_public)
                assert self._client is not None
                self._client = replace(self._client, resend_texts=True)
                await self._bring_up_to_date()
                return {}
            case "watch":
                assert self._client is not None
                self._client = replace(self._client, watching=self._parse_watched_streams(message))
                await self._bring_up_to_date()
                return {}
            case _:
                if self._under_way >= MAX_PENDING_REQUESTS:
                    raise RequestError("live", "too-many")
                if not self.is_paired:
                    self._limiter.consume(HEAVY_MESSAGE_COST)
                task = asyncio.ensure_future(self._carry_out(verb, message, number))
                self._under_way += 1
                self._tasks.add(task)
                task.add_done_callback(self._on_request_done)
                if verb in READ_ONLY_VERBS:
                    self._read_only_tasks.add(task)
                return None

    async def look_up(self) -> None:
        """Identify the requester again, in the language that the client has chosen."""
        self._requester = await self._identity.identify(self._socket, self._words, self.name)
        self.was_paired = self.was_paired or self._requester.paired

    async def _greet(self, message: Mapping[str, Any]) -> None:
        words = self._page.words(self._parse_language(message), in_public=message.get("in_public") is True)
        watching, feed = self._parse_watched_streams(message), self._page.feed
        client = ClientState(watching=watching, resend_texts=True)
        if message.get("boot") == feed.boot:
            revision, numbers = message.get("revision"), message.get("next")
            if not is_count(revision) or not isinstance(numbers, dict):
                raise self._wrong("revision" if not is_count(revision) else "next")
            known = cast("dict[str, Any]", numbers)
            if len(known) > MAX_NAMES or not all(map(is_count, known.values())):
                raise self._wrong("next")
            if cast("int", revision) <= feed.revision:
                client = ClientState(cast("int", revision), MappingProxyType(known), watching, boot=feed.boot)
        self._words = words
        async with self._send_lock:
            text, self._client = self._page.greet(client, words)
            await self._socket.send_text(text)

    async def _carry_out(self, verb: str, message: Mapping[str, Any], number: object) -> None:
        """Perform a request and respond to it. It counts as pending until the response is sent, so that a client that
        doesn't read can't start ever more."""
        try:
            answer = await self._perform(verb, message)
            if number is not None or not answer["ok"]:
                with suppress(*DISCONNECT_ERRORS):  # the client may have disconnected
                    await self._bring_up_to_date()  # the client sees the effect no later than the response
                    await self._answer(number, answer)
        except Exception as error:
            await self._fail(error)

    def _on_request_done(self, task: asyncio.Task[None]) -> None:
        self._under_way -= 1
        self._tasks.discard(task)
        self._read_only_tasks.discard(task)

    async def _perform(self, verb: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Perform a request, and return the response."""
        try:
            await self.look_up()
            return {"ok": True, **await self._page.ask(verb, message, self._requester)}
        except RequestError as error:
            return {"ok": False, "why": error.text(self._words)}
        except Exception as error:  # a bug: nothing else is raised on purpose
            loop = asyncio.get_running_loop()
            text = (
                f"Unhandled exception in a page request ({shorten(verb)}): the client gets a failure, the page goes on"
            )
            loop.call_exception_handler({"message": text, "exception": error})
            return {"ok": False, "why": self._words.text("live", "failed")}

    async def _answer(self, number: object, answer: Mapping[str, Any]) -> None:
        text = json.dumps({"answer": number, **answer}, separators=(",", ":"))
        async with self._send_lock:
            await self._socket.send_text(text)

    def _echo(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        text = message.get("text")
        if text is not None and not isinstance(text, str):  # JSON may be unable to repeat anything but a text
            raise self._wrong("text")
        return {} if text is None else {"text": text}

    def _parse_language(self, message: Mapping[str, Any]) -> str:
        language = message.get("language", self._page.language)
        if language not in LANGUAGES:
            raise RequestError("live", "no-language", languages=", ".join(LANGUAGES))
        return language

    def _parse_watched_streams(self, message: Mapping[str, Any]) -> frozenset[str]:
        names = message.get("watch", [])
        if not isinstance(names, list):
            raise self._wrong("watch")
        listed = cast("list[Any]", names)
        if len(listed) > MAX_NAMES or not all(isinstance(name, str) for name in listed):
            raise self._wrong("watch")
        return frozenset(listed)

    def _wrong(self, field: str) -> RequestError:
        return RequestError("live", "wrong-field", field=field)
