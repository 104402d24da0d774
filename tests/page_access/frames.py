"""A live connection spoken byte by byte, with valid and with forbidden frames."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from page_server.rig import deadline_s

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
HELLO = b'{"do":"hello","n":1}'


def frame(
    code: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    masked: bool = True,
    reserved: int = 0,
    claims: int | None = None,
) -> bytes:
    """One frame; it `claims` to be so long."""
    length = len(payload) if claims is None else claims
    head = bytes([(0x80 if fin else 0) | reserved << 4 | code])
    mask = 0x80 if masked else 0
    if length < 126:
        head += bytes([mask | length])
    elif length < 1 << 16:
        head += bytes([mask | 126]) + length.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + length.to_bytes(8, "big")
    # a mask of zeros leaves everything as it is
    return head + (bytes(4) if masked else b"") + payload


def upgrade(port: int, path: str = "/live") -> bytes:
    """The request that begins a live connection."""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    return f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()


@dataclass
class Wire:
    """A live connection without a client's manners."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))

    async def next(self) -> tuple[int, bytes]:
        """Code and payload of the next frame."""
        first, second = await asyncio.wait_for(self.reader.readexactly(2), deadline_s())
        length = second & 0x7F
        if length >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
        return first & 0x0F, await asyncio.wait_for(self.reader.readexactly(length), deadline_s())

    async def until_closed(self) -> int | None:
        """The code with which the table closes; None if it just hangs up."""
        try:
            while True:
                code, payload = await self.next()
                if code == CLOSE:
                    return int.from_bytes(payload[:2], "big")
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def until_text(self, part: bytes) -> None:
        """Wait for a message that contains this."""
        while part not in (await self.next())[1]:
            pass


@asynccontextmanager
async def on_the_wire(port: int, *, source: str = "127.0.0.1") -> AsyncIterator[Wire]:
    """A live connection that has been accepted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(upgrade(port))
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), deadline_s())
        assert answer.startswith(b"HTTP/1.1 101"), answer
        yield Wire(reader, writer)
    finally:
        writer.close()
