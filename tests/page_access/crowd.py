"""A crowd at the page of one table: thirty phones, each from an address of its own, of which some read very slowly and
one sends as much as it can. Also a program, so that a crowd takes no time of the table's own process: it prints when it
is there, and stays until its input ends."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from page_server.rig import Client, a_client

from page_access.frames import PING, TEXT, Wire, frame, upgrade

HELLO = b'{"do":"hello","language":"en"}'
PHONES, SLOW, FLOODING = 27, 2, 1
MARK = "mark"
"""A part that means nothing to a phone; a phone that has it has everything that was sent before it."""
READ_AT_ONCE = 1024
"""Bytes that a slow one reads at a time."""
READS_EVERY_S = 0.2
FLOOD = b"".join(
    frame(TEXT, b'{"do":"%s","n":1}' % verb) + frame(PING, b"x" * 100)
    for verb in (b"echo", b"hello", b"echo", b"show-code", b"unpair", b"games") * 20
)

View = dict[str, Any]


def seen(client: Client) -> View:
    """The final view of a client: every part, and the last sentence of the log."""
    log = client.items.get("log", {})
    return {"parts": client.parts, "log": log[max(log)] if log else None}


class Phone:
    """A phone that reads everything at once, until it has caught up with a view."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._reading = asyncio.ensure_future(self._read())
        self._heard = asyncio.Event()

    async def sees(self, mark: object) -> View:
        """The phone's view once it has received this mark."""
        while self._client.parts.get(MARK) != mark:
            self._heard.clear()
            await self._heard.wait()
        return seen(self._client)

    @property
    def messages(self) -> int:
        return len(self._client.messages)

    def leave(self) -> None:
        self._reading.cancel()

    async def _read(self) -> None:
        while True:
            await self._client.receive()
            self._heard.set()


class SlowPhone:
    """A phone with as little buffer as the kernel gives, which reads a little now and then, or nothing, until it has to
    hurry."""

    def __init__(self, wire: Wire, reads_every_s: float | None) -> None:
        self._wire = wire
        self._hurrying = asyncio.Event()
        self._reading = asyncio.ensure_future(self._read(reads_every_s))
        self._client = Client(None)  # type: ignore[arg-type] # only what a client makes of messages is used
        self._told = bytearray()
        self.messages = 0

    async def sees(self, mark: object) -> View:
        """The phone's view once it has read everything up to this mark; from then on there is room for all that
        comes."""
        self._hurrying.set()
        await self._reading
        self._wire.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        while self._client.parts.get(MARK) != mark:
            self._told += await self._wire.reader.read(1 << 20)
            for message in self._messages():
                self.messages += 1
                self._client.apply(message)
        return seen(self._client)

    def leave(self) -> None:
        self._reading.cancel()

    async def _read(self, every_s: float | None) -> None:
        while not self._hurrying.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurrying.wait(), every_s)
            if every_s is not None:
                self._told += await self._wire.reader.read(READ_AT_ONCE)

    def _messages(self) -> list[dict[str, Any]]:
        """The whole messages so far."""
        found: list[dict[str, Any]] = []
        while len(self._told) >= 4:
            length, head = self._told[1], 2
            if length >= 126:
                head = 4 if length == 126 else 10
                length = int.from_bytes(self._told[2:head], "big")
            if len(self._told) < head + length:
                break
            found.append(json.loads(self._told[head : head + length]))
            del self._told[: head + length]
        return found


class Flooder:
    """A phone that sends as much as the server accepts, and reads what it is sent."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._doing = [asyncio.ensure_future(self._talk()), asyncio.ensure_future(self._read())]

    def leave(self) -> None:
        for each in self._doing:
            each.cancel()

    async def _talk(self) -> None:
        with suppress(ConnectionError):
            while True:
                self._wire.send(FLOOD)
                await self._wire.writer.drain()

    async def _read(self) -> None:
        with suppress(ConnectionError):
            while await self._wire.reader.read(1 << 16):
                pass


class Crowd:
    """All phones."""

    def __init__(self, phones: list[Phone], slow: list[SlowPhone], flooders: list[Flooder]) -> None:
        self.phones, self.slow, self.flooders = phones, slow, flooders

    async def see(self, mark: object) -> list[View]:
        """The view of each phone that looks, once it has received this mark."""
        return [await each.sees(mark) for each in (*self.phones, *self.slow)]


@asynccontextmanager
async def a_crowd(port: int, *, slow_read_every_s: float | None = READS_EVERY_S) -> AsyncIterator[Crowd]:
    """A crowd after the exchange of hello; the slow ones read nothing without a time."""
    async with AsyncExitStack() as stack:
        phones: list[Phone] = []
        for number in range(PHONES):
            client = await stack.enter_async_context(a_client(port, local_addr=(f"127.0.2.{number + 1}", 0)))
            await client.hello()
            phones.append(Phone(client))
        slow = [SlowPhone(await _a_wire(stack, port, f"127.0.3.{n + 1}", 4096), slow_read_every_s) for n in range(SLOW)]
        flooders = [Flooder(await _a_wire(stack, port, f"127.0.4.{n + 1}", None)) for n in range(FLOODING)]
        crowd = Crowd(phones, slow, flooders)
        try:
            yield crowd
        finally:
            for each in (*phones, *slow, *flooders):
                each.leave()


async def _a_wire(stack: AsyncExitStack, port: int, source: str, room: int | None) -> Wire:
    """A live connection with a receive buffer of `room`, after the exchange of hello."""
    sock = socket.socket()
    if room is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        # pieces as on a Wi-Fi: those of a computer's own loop are too long for so little room, and wait for ever longer
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1000)
    sock.bind((source, 0))
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=room or 1 << 16)
    stack.callback(writer.close)
    writer.write(upgrade(port))
    await reader.readuntil(b"\r\n\r\n")
    wire = Wire(reader, writer)
    wire.send(frame(TEXT, HELLO))
    return wire


async def main(port: int) -> None:
    """Connect the crowd, print that, and stay."""
    async with a_crowd(port):
        print("here", flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
