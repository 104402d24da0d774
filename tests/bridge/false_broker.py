"""A broker of MQTT that behaves as real ones rarely do, for one connection after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from taptable.config import Account

CONNECT_VERSION = 8
"""The position of the version in a CONNECT with a short remaining length; 4 is MQTT 3.1.1, and 5 is MQTT 5."""
ACCEPTED, NOT_THIS_VERSION = b"\x20\x02\x00\x00", b"\x20\x02\x00\x01"
ACCEPTED_BY_5, TAKEN_OVER = b"\x20\x03\x00\x00\x00", b"\xe0\x02\x8e\x00"
"""The answers of MQTT 5 to a client that connects, and to one that loses its connection to another with the same id."""

Behave = Callable[[bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def a_false_broker(behave: Behave) -> AsyncGenerator[Account]:
    """The account at a broker that does this with each CONNECT, and closes the connection after it."""

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await behave(await reader.read(2000), reader, writer)
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    try:
        yield Account("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()


async def hold_open(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept the connection, and send nothing else until it is closed."""
    writer.write(ACCEPTED)
    while await reader.read(2000):
        pass
