"""The page's process beside a simulated table: begun with it, begun anew when it ends, and ended with it."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket

from taptable.api.places import socket_of
from taptable.api.requests import Role
from taptable.sim.page.annex import STATIC

RESTART_S = 1.0
"""Seconds outside until a page that was killed is begun anew."""


@asynccontextmanager
async def served(listener: socket, sockets: Path, outside: Callable[[float], Awaitable[None]]) -> AsyncGenerator[None]:
    """The page of the table whose sockets are in this folder, at a socket that is open already."""
    place = socket_of(sockets, Role.PAGE)
    command = (sys.executable, "-m", "taptable.page", "--table", str(place), "--annex", str(STATIC))

    async def keep_up() -> None:
        while True:
            process = await asyncio.create_subprocess_exec(
                *command, "--listener", str(listener.fileno()), stdin=PIPE, stdout=DEVNULL, pass_fds=[listener.fileno()]
            )
            try:
                await process.wait()
            finally:
                if process.returncode is None:
                    process.terminate()
                    await asyncio.shield(process.wait())
            await outside(RESTART_S)

    keeping = asyncio.create_task(keep_up(), name="page")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})
