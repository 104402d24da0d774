"""As much of MQTT 3.1.1 as a thousand simulated tables in one process need, cheaper than a client library, so that the
league is measured and not its clients: connecting, subscribing, and messages of QoS 1."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from struct import pack, unpack_from

_CONNECT, _CONNACK, _PUBLISH, _PUBACK, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x30, 0x40, 0x80, 0x90
_USER_PASSWORD_CLEAN = 0xC2
_QOS_1 = 0x02


class Refused(Exception):
    """The broker refuses this account, or its subscription to this topic."""


class Connection(asyncio.Protocol):
    """A connection with an account. It calls `on_message` with the topic and the payload of each message; `lost` gets
    an exception when the broker is gone."""

    def __init__(self, account: tuple[str, str], topic: str, on_message: Callable[[str, bytes], None]) -> None:
        self.ready = asyncio.get_running_loop().create_future()
        """Done once the topic is subscribed to."""
        self.lost = asyncio.get_running_loop().create_future()
        self._account = account
        self._topic = topic
        self._on_message = on_message
        self._buffer = bytearray()
        self._number = 0
        self.in_flight = 0
        """Messages that the broker hasn't acknowledged."""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send CONNECT."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        user, password = self._account
        strings = b"".join(map(_string, (user, user, password)))
        transport.write(_packet(_CONNECT, _string("MQTT") + pack("!BBH", 4, _USER_PASSWORD_CLEAN, 0) + strings))

    def connection_lost(self, exc: Exception | None) -> None:
        """The broker is gone."""
        for future in (self.ready, self.lost):
            if not future.done():
                future.set_exception(Refused(f"{self._account[0]}: {exc}"))
                future.exception()  # retrieved here, since perhaps nobody waits for it

    def data_received(self, data: bytes) -> None:
        """Handle bytes of the broker."""
        self._buffer += data
        while (found := _first_packet(self._buffer)) is not None:
            kind, begin, end = found
            body = bytes(self._buffer[begin:end])
            del self._buffer[:end]
            self._take(kind, body)

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish a message once; the receiver finds out whether it arrived."""
        assert self._transport is not None
        self._number = self._number % 0xFFFF + 1
        self.in_flight += 1
        self._transport.write(_packet(_PUBLISH | _QOS_1, _string(topic) + pack("!H", self._number) + payload))

    def close(self) -> None:
        """Leave, without a word."""
        if self._transport is not None:
            self._transport.abort()

    def _take(self, kind: int, body: bytes) -> None:
        assert self._transport is not None
        if kind & 0xF0 == _PUBLISH:
            (length,) = unpack_from("!H", body)
            topic, after = body[2 : 2 + length].decode(), 2 + length
            if kind & 0x06:
                self._transport.write(_packet(_PUBACK, body[after : after + 2]))
                after += 2
            self._on_message(topic, body[after:])
        elif kind == _PUBACK:
            self.in_flight -= 1
        elif kind == _CONNACK and body[1] == 0:
            self._transport.write(_packet(_SUBSCRIBE | 2, pack("!H", 1) + _string(self._topic) + b"\x01"))
        elif kind == _SUBACK and body[2] != 0x80:
            self.ready.set_result(None)
        elif kind in (_CONNACK, _SUBACK):
            self._transport.abort()


def _string(text: str) -> bytes:
    encoded = text.encode()
    return pack("!H", len(encoded)) + encoded


def _packet(kind: int, body: bytes) -> bytes:
    length, left = bytearray(), len(body)
    while True:
        left, low = left >> 7, left & 0x7F
        length.append(low | (0x80 if left else 0))
        if not left:
            return bytes((kind,)) + length + body


def _first_packet(waiting: bytearray) -> tuple[int, int, int] | None:
    """The first packet's kind, and where its body begins and ends; None until all of it is there."""
    length = 0
    for place in range(1, min(len(waiting), 5)):
        length |= (waiting[place] & 0x7F) << 7 * (place - 1)
        if not waiting[place] & 0x80:
            end = place + 1 + length
            return (waiting[0], place + 1, end) if len(waiting) >= end else None
    return None
