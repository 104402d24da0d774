"""Watchers of a league's live tables: many browsers in a process of their own, all of which read everything that they
are sent. For some it is noted when they received which entry of which table. Prints a line when all are there, and the
notes when its input ends.

python -m bench.league_watchers PORT WATCHERS"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack

from page_server.rig import a_client
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

NOTING = 4
WALL = "wall "
Noted = list[tuple[str, int, float]]
"""Tables, the table time of their last entry, and the time at which a watcher received it."""


async def _note(socket: ClientConnection, noted: Noted) -> None:
    async for message in socket:
        now_s = time.monotonic()
        for name, part in json.loads(message).get("parts", {}).items():
            if name.startswith(WALL) and part and part.get("at_us"):
                noted.append((part["id"], part["at_us"], now_s))


async def _read(socket: ClientConnection) -> None:
    try:
        while True:
            await socket.recv()
    except ConnectionClosed:
        pass


async def main(port: int, watchers: int) -> None:
    """Watch until the input ends."""
    noted: Noted = []
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(a_client(port)) for _ in range(watchers)]
        for client in clients:
            await client.hello()
        reading = [
            asyncio.create_task(_note(client.socket, noted) if place < NOTING else _read(client.socket))
            for place, client in enumerate(clients)
        ]
        print("here", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for each in reading:
            each.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
    print(json.dumps(noted))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
