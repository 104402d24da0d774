"""Limits of one connection below its messages: the size and the time of a request, how many bytes of a live connection
are processed in one turn of the loop, the number of frames of a message, and how long a client may leave data unread.
Adds to uvicorn's protocols, which have no such limits; must not know what is served.

These subclass private parts of uvicorn, so its versions are bounded above. If uvicorn offered it, these could go:

- ``Requests._process_head`` and ``MAX_LINES``: a limit of a head's lines, checked before h11 parses it.
- ``Requests.on_response_complete``: a keep-alive that holds nothing of a request that is done.
- ``Expiry`` and the calls that set it: a time within which a request must be whole, and one for its response.
- ``Requests._queueing``: word to the application that a client has gone while its request waits for its turn.
- ``Live.data_received``, ``_schedule_processing`` and ``_process``: a rate limit for reading, pings included.
- ``Live.handle_cont``: a limit of a message's frames.
- ``Live.pause_writing``: a client that doesn't read isn't read.
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
from taptable.page.listening import MAX_UNSENT_BYTES

REQUEST_TIMEOUT_S = 10.0
"""Seconds that a connection may be open until its first or next request is complete."""
ANSWER_TIMEOUT_S = 60.0
"""Seconds from the end of a request's head to the end of its response, its body included."""
UNREAD_TIMEOUT_S = 30.0
"""Seconds for which a client of a live connection may leave data unread, or send nothing at the beginning."""
MAX_HEAD = 16_384
"""Bytes of a request before its body, and of what a client may send before the response."""
MAX_LINES = 64
"""Lines of a request before its body: to parse one takes as long as to copy thousands of bytes."""
PIECE = 2048
"""Bytes of a live connection that are processed in one turn of the loop."""
BYTES_PER_S = 16_384.0
BYTE_BURST = 131_072
"""How many bytes of a live connection are processed per second, and how many at once after a silence, pings
included."""
CONTROL_FRAME_COST = 1024
"""How many bytes a ping or a pong counts as: to parse and answer one takes as long as to copy thousands, and no browser
sends any."""
MAX_FRAMES = 64
"""How many frames a message may have."""
QUEUEING = "queueing"
"""The key in a request's `state` of the tasks that wait for their turn to serve it; they are cancelled when the client
has gone."""

BODILESS = frozenset({"GET", "HEAD"})
"""The methods of requests of which only the head is read."""

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_END_OF_HEAD = re.compile(rb"\n\r?\n")
"""The empty line after a request's head."""
_MIN_FIRST_BYTE = ord("!")
"""The lowest first byte of a method. h11 refuses a lower one without waiting for more, as when a client speaks TLS."""


class Expiry:
    """The time at which a connection is closed, by the clock `now_s`."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._at_s: float | None = None

    def set_timeout(self, seconds: float | None) -> None:
        """Set the time to this many seconds from now; None: never."""
        self._at_s = None if seconds is None else self._now_s() + seconds

    @property
    def is_due(self) -> bool:
        """Whether the time has come."""
        return self._at_s is not None and self._now_s() >= self._at_s


class SharedServerState(ServerState):
    """The state that uvicorn's connections share, with a clock."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.now_s = now_s


class Requests(H11Protocol):
    """A connection with HTTP requests, one after the other. h11 gets a request's head once it is whole and within the
    limits, and nothing of the next request before."""

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
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self.expiry.set_timeout(REQUEST_TIMEOUT_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the tasks of the request: its client has gone."""
        _give_up_all(self._queueing)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Keep the bytes until they can be processed."""
        self.last_received_s = self._now_s()
        self._rest += data
        self._process()

    def handle_events(self) -> None:
        """Handle complete events of h11; a whole request starts the timeout of its response."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self.expiry.set_timeout(ANSWER_TIMEOUT_S)

    def on_response_complete(self) -> None:
        """Forget a request whose response is on its way, and process the next, which may have come already. uvicorn's
        own method would set a timer, which holds all of the request for as long as the client is silent."""
        self.cycle = self.scope = self.headers = cast("Any", None)
        self.expiry.set_timeout(REQUEST_TIMEOUT_S)
        if self.transport.is_closing():
            return
        if self.conn.their_state is not h11.DONE:  # the application hasn't read it to its end
            self.transport.close()
            return
        self.conn.start_next_cycle()
        self.flow.resume_reading()
        self._process()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to `Live`, without the bytes that came before it is accepted: none may."""
        self._rest.clear()
        super().handle_websocket_upgrade(event)

    def _process(self) -> None:
        """Hand on to h11 as much of the bytes as is allowed now."""
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
        """Hand on a head; return False if some of it is still to come, or it is too large."""
        found = _END_OF_HEAD.search(self._rest, 0, MAX_HEAD)
        length = len(self._rest) if found is None else found.end()
        if length > MAX_HEAD or self._rest.count(b"\n", 0, length) > MAX_LINES:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
            return False
        if found is None and self._rest[0] >= _MIN_FIRST_BYTE:
            return False
        self._hand_on(length)
        # chunked bodies aren't taken, as each chunk would be parsed, nor bodies that nothing reads
        if self.conn.their_state is h11.SEND_BODY and self.scope["method"] not in BODILESS:
            self._body_left = int(dict(self.headers).get(b"content-length", 0))
        return True

    def _hand_on(self, length: int) -> None:
        piece = bytes(self._rest[:length])
        del self._rest[:length]
        super().data_received(piece)

    def _hold(self) -> None:
        """Stop reading until the pending request is answered, and abort if too much came: such a client doesn't wait
        for responses."""
        self.flow.pause_reading()
        if len(self._rest) > MAX_HEAD:
            self.transport.abort()


class Live(WebSocketsSansIOProtocol):
    """A live connection, which is a websocket."""

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
        """Start, with a small buffer for data that the client leaves unread."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=MAX_UNSENT_BYTES)

    def data_received(self, data: bytes) -> None:
        """Process the request that opens the connection whole, and what follows piece by piece."""
        self.last_received_s = self._now_s()
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._rest += data
        self._schedule_processing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Discard the rest, and cancel the request's tasks."""
        _give_up_all(self.app_state[QUEUEING])
        self._rest.clear()
        if self._scheduled is not None:
            self._scheduled.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Stop reading a client that doesn't read: each request would add to the data that waits for it."""
        super().pause_writing()
        self.transport.pause_reading()
        self.expiry.set_timeout(UNREAD_TIMEOUT_S)

    def resume_writing(self) -> None:
        """Read on, as the client reads again."""
        super().resume_writing()
        self.expiry.set_timeout(None)
        self._read_on()

    async def send(self, message: Any) -> None:
        """Send a message. Bytes that came before the connection was accepted can be processed now."""
        await super().send(message)
        self._schedule_processing()

    async def receive(self) -> Any:
        """Return the next message. When none is left, process more of the bytes that have come."""
        message = await super().receive()
        self._read_on()
        return message

    def send_receive_event_to_app(self) -> None:
        """Hand on a whole message, unless it is a text that isn't UTF-8."""
        if self.writable.is_set():
            self.expiry.set_timeout(None)
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._give_up(CloseCode.INVALID_DATA, "a text must be UTF-8")
            return
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Count the answer to a ping, which covers all that came with it."""
        self._limiter.consume(CONTROL_FRAME_COST)
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Count a pong: this server never asks for one."""
        self._limiter.consume(CONTROL_FRAME_COST)
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Take one more frame of a message, up to a limit: empty ones would use memory without end."""
        if len(self.frames) >= MAX_FRAMES:
            self._give_up(CloseCode.MESSAGE_TOO_BIG, f"a message may have {MAX_FRAMES} frames")
            return
        super().handle_cont(event)

    def _schedule_processing(self) -> None:
        """Process the next piece in the next turn of the loop, if every message was taken and everything sent was read.
        Nothing more is read before all pieces are processed."""
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
        """Whether the application took all messages and the client read all that was sent. After a close frame nobody
        takes anything."""
        return (self.queue.empty() and self.writable.is_set()) or self.close_sent

    def _give_up(self, code: CloseCode, reason: str) -> None:
        """End the connection because of what the client sent."""
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
