"""The limits of one connection below what is said on it: how large a request may be and how long on its way, how much
of a live connection is looked at in one turn of the loop, in how many frames a message may come, and for how long
somebody may not read. Adds to uvicorn's protocols, which have no such limits; must not know what is served.

These subclass private parts of uvicorn, so its versions are bounded above. What could go if uvicorn offered it:

- ``Requests._look_at_head`` and ``MOST_LINES``: a limit of a head's lines, checked before h11 parses it.
- ``Requests.on_response_complete``: a keep-alive that holds nothing of a request that is done.
- ``Expiry`` and what puts it off: a time within which a request must be whole, and one within which it is answered.
- ``Requests._queueing``: word to the application that a client has gone while its request waits for its turn.
- ``Live.data_received``, ``_look_on`` and ``_look``: a rate of what is read of a websocket, pings included.
- ``Live.handle_cont``: a limit of a message's frames.
- ``Live.pause_writing``: that who doesn't read isn't read.
- ``Live.send_receive_event_to_app``: texts that aren't UTF-8 refused before they reach the application.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame

from taptable.core.rates import RateLimiter
from taptable.page.listening import MOST_UNSENT_BYTES

REQUEST_TIMEOUT_S = 10.0
"""How long a connection may be open until its next request is whole."""
ANSWER_TIMEOUT_S = 60.0
"""How long a request that is whole may take, with all its body and its answer."""
UNREAD_TIMEOUT_S = 30.0
"""How long somebody may not read what is said on a live connection, or say nothing at its beginning."""
MOST_HEAD = 16_384
"""Bytes of a request before its body, and of what may be said before it is answered."""
MOST_LINES = 64
"""Lines of a request before its body: to parse one takes as long as to copy thousands of bytes."""
PIECE = 2048
"""Bytes of a live connection that are looked at in one turn of the loop."""
BYTES_PER_S = 16_384.0
BYTE_BURST = 131_072
"""So much of it is looked at in a second, and so much at once after a silence, whatever it is: pings too."""
CONTROL_FRAME_COST = 1024
"""A ping or a pong counts as so many bytes: to parse and answer one takes as long as to copy thousands, and no browser
sends any."""
MOST_FRAMES = 64
"""In so many frames a message may come."""
QUEUEING = "queueing"
"""In the `state` of a request: the tasks that wait for their turn to serve it, to be given up if nobody waits for
them."""

BODILESS = frozenset({"GET", "HEAD"})
"""With these methods nothing is read but the head."""

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_MIN_FIRST_BYTE = ord("!")
"""No method begins with less: h11 refuses it without waiting for more, as when somebody speaks TLS."""


class Expiry:
    """When a connection is let go, by the clock `now_s`."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._at_s: float | None = None

    def set_timeout(self, seconds: float | None) -> None:
        """In so many seconds from now; never if None."""
        self._at_s = None if seconds is None else self._now_s() + seconds

    @property
    def is_due(self) -> bool:
        """Is it now?"""
        return self._at_s is not None and self._now_s() >= self._at_s


class SharedServerState(ServerState):
    """What the connections of a server share."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.now_s = now_s


class Requests(H11Protocol):
    """A connection with requests, one after the other. h11 gets a request's head once it is whole and known not to be
    too large, and nothing of the next one before."""

    def __init__(
        self,
        config: Config,
        server_state: SharedServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._queueing: set[asyncio.Task[None]] = set()
        super().__init__(config, server_state, {**app_state, QUEUEING: self._queueing}, _loop)
        self._now_s = server_state.now_s
        self.expiry = Expiry(server_state.now_s)
        self.last_received_s = server_state.now_s()
        self._rest = bytearray()
        self._body_left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.expiry.set_timeout(REQUEST_TIMEOUT_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits for an answer any more."""
        _give_up_all(self._queueing)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Keep it until it can be looked at."""
        self.last_received_s = self._now_s()
        self._rest += data
        self._process()

    def handle_events(self) -> None:
        """Take in what has come; once a request is whole there is time for its answer."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self.expiry.set_timeout(ANSWER_TIMEOUT_S)

    def on_response_complete(self) -> None:
        """An answer is on its way: forget its request and wait for the next, which may be there already. That uvicorn's
        own would set a timer, which holds all of it for as long as nothing more is said."""
        self.cycle = self.scope = self.headers = cast("Any", None)
        self.expiry.set_timeout(REQUEST_TIMEOUT_S)
        if self.transport.is_closing():
            return
        if self.conn.their_state is not h11.DONE:  # nobody has read it to its end
            self.transport.close()
            return
        self.conn.start_next_cycle()
        self.flow.resume_reading()
        self._process()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It is a live connection from now on, and nothing was to be said before it is accepted."""
        self._rest.clear()
        super().handle_websocket_upgrade(event)

    def _process(self) -> None:
        """Hand on what may be looked at of what has come."""
        while self._rest and not self.transport.is_closing():
            if self._body_left:
                length = min(self._body_left, len(self._rest))
                self._body_left -= length
                self._hand_on(length)
            elif self.conn.their_state is not h11.IDLE:
                self._hold()
                return
            elif not self._process_head():
                return

    def _process_head(self) -> bool:
        """Hand on a head, unless some of it is still to come or there is too much of it."""
        found = _END_OF_HEAD.search(self._rest, 0, MOST_HEAD)
        length = len(self._rest) if found is None else found.end()
        if length > MOST_HEAD or self._rest.count(b"\n", 0, length) > MOST_LINES:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
            return False
        if found is None and self._rest[0] >= _MIN_FIRST_BYTE:
            return False
        self._hand_on(length)
        # in chunks no body is taken, as each would be parsed, nor one that nothing will come of
        if self.conn.their_state is h11.SEND_BODY and self.scope["method"] not in BODILESS:
            self._body_left = int(dict(self.headers).get(b"content-length", 0))
        return True

    def _hand_on(self, length: int) -> None:
        piece = bytes(self._rest[:length])
        del self._rest[:length]
        super().data_received(piece)

    def _hold(self) -> None:
        """Read no more until the request that is under way is answered; who says that much before doesn't wait for
        answers."""
        self.flow.pause_reading()
        if len(self._rest) > MOST_HEAD:
            self.transport.abort()


class Live(WebSocketsSansIOProtocol):
    """A live connection."""

    def __init__(self, config: Config, server_state: SharedServerState, app_state: Mapping[str, Any]) -> None:
        super().__init__(config, server_state, dict(app_state))
        self.expiry = Expiry(server_state.now_s)
        self.expiry.set_timeout(UNREAD_TIMEOUT_S)
        self._now_s = server_state.now_s
        self.last_received_s = server_state.now_s()
        self._rest = bytearray()
        self._limiter = RateLimiter(BYTES_PER_S, BYTE_BURST, server_state.now_s)
        self._scheduled: asyncio.Handle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, with little room for what isn't read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=MOST_UNSENT_BYTES)

    def data_received(self, data: bytes) -> None:
        """The request that began it is looked at whole, what follows piece by piece."""
        self.last_received_s = self._now_s()
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._rest += data
        self._schedule_processing()

    def connection_lost(self, exc: Exception | None) -> None:
        """What wasn't looked at yet is forgotten."""
        _give_up_all(self.app_state[QUEUEING])
        self._rest.clear()
        if self._scheduled is not None:
            self._scheduled.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Who doesn't read isn't read either: each question would add to what waits to be read."""
        super().pause_writing()
        self.transport.pause_reading()
        self.expiry.set_timeout(UNREAD_TIMEOUT_S)

    def resume_writing(self) -> None:
        """It is read again."""
        super().resume_writing()
        self.expiry.set_timeout(None)
        self._read_on()

    async def send(self, message: Any) -> None:
        """Send; what came before the connection was accepted can be looked at now."""
        await super().send(message)
        self._schedule_processing()

    async def receive(self) -> Any:
        """The next message; when none is left, there may be more in what has come."""
        message = await super().receive()
        self._read_on()
        return message

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        if self.writable.is_set():
            self.expiry.set_timeout(None)
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._give_up(CloseCode.INVALID_DATA, "a text must be UTF-8")
            return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """A ping has been answered, with others that came with it in one go."""
        self._limiter.consume(CONTROL_FRAME_COST)
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, which nobody has asked for."""
        self._limiter.consume(CONTROL_FRAME_COST)
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """One more frame of a message; empty ones would cost room for ever."""
        if len(self.frames) >= MOST_FRAMES:
            self._give_up(CloseCode.MESSAGE_TOO_BIG, f"a message may have {MOST_FRAMES} frames")
            return
        super().handle_cont(event)

    def _schedule_processing(self) -> None:
        """Look at the next piece in the next turn, if what is there has been taken and what was said has been read;
        nothing more is read before all has been looked at."""
        if not self._rest:
            return
        self.transport.pause_reading()
        if self.handshake_complete and self._is_drained and self._scheduled is None:
            owed_s = self._limiter.wait_s()
            self._scheduled = (
                self.loop.call_later(owed_s, self._process) if owed_s else self.loop.call_soon(self._process)
            )

    def _process(self) -> None:
        self._scheduled = None
        piece = bytes(self._rest[:PIECE])
        del self._rest[:PIECE]
        if piece:
            self._limiter.consume(len(piece))
            super().data_received(piece)
        if self._rest:
            self._schedule_processing()
        else:
            self._read_on()

    def _read_on(self) -> None:
        if self._rest:
            self._schedule_processing()
        elif self._is_drained:
            self.transport.resume_reading()

    @property
    def _is_drained(self) -> bool:
        """Has all been taken that was looked at, and read what was said? After a goodbye nobody takes anything."""
        return (self.queue.empty() and self.writable.is_set()) or self.close_sent

    def _give_up(self, code: CloseCode, reason: str) -> None:
        """End the connection, because of what was said on it."""
        self.frames = []
        if not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()


def _give_up_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
