"""A small league and its page in a process of its own, to measure how fast watchers of the live tables receive a change
while something is done to the page."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from page_access.bench import PAGE_NICE
from ports import free_port
from sqlalchemy import Engine, select, update
from taptable.league.database import migrate, open_database, write_transaction
from taptable.league.schema import live, tables
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from league_web.seeds import TABLES, seed

SPACING_S = 0.08
SETTINGS = """
[league]
name = "Bench"
[database]
url = "sqlite:///{file}"
[web]
port = {port}
network = true
"""


@dataclass
class LeagueBench:
    """A league, and the last change that its watcher received."""

    engine: Engine
    table: str
    port: int
    pids: Sequence[int]
    """The processes of the bench and of the page."""
    heard_us: int = 0
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    lost: set[str] = field(default_factory=set)
    changes: int = 0

    async def taps_until(self, done: asyncio.Future[Any]) -> list[float]:
        """Send taps until `done`, and return how long each stored change took to reach the watcher, in seconds."""
        loop, took_s = asyncio.get_running_loop(), list[float]()
        while not done.done():
            self.changes += 1
            self.heard.clear()
            await asyncio.to_thread(self._change, self.changes)
            stored_s = loop.time()
            while self.heard_us < self.changes:
                self.heard.clear()
                await self.heard.wait()
            took_s.append(loop.time() - stored_s)
            await asyncio.sleep(SPACING_S)
        return took_s

    def _change(self, number: int) -> None:
        change = update(live).where(live.c.table_id == self.table)
        with write_transaction(self.engine) as connection:
            connection.execute(change.values(stamp_ms=live.c.stamp_ms + 1, at_us=number))

    async def watch(self) -> None:
        """Watch the live tables, and connect again whenever the page closes the connection."""
        while True:
            with suppress(ConnectionClosed, InvalidHandshake, OSError):
                async with connect(f"ws://127.0.0.1:{self.port}/live", ping_interval=None) as socket:
                    await socket.send('{"do":"hello","language":"en"}')
                    async for message in socket:
                        told = json.loads(message).get("parts", {}).get(f"wall {self.table}")
                        if told is not None:
                            self.heard_us = told["at_us"]
                            self.heard.set()
            await asyncio.sleep(SPACING_S)


@asynccontextmanager
async def at_a_league(folder: Path) -> AsyncGenerator[LeagueBench]:
    """A small league with a page that is open to the network, while it runs."""
    file, port = folder / "league.sqlite", free_port()
    engine = open_database(f"sqlite:///{file}")
    migrate(engine)
    seed(engine)
    settings = folder / "league.toml"
    settings.write_text(SETTINGS.format(file=file, port=port), encoding="utf-8")
    with engine.connect() as connection:
        table = connection.execute(select(tables.c.id).where(tables.c.name == TABLES[0][0])).scalar_one()
    run = f"from taptable.cli import main; main(['league', '--settings', {str(settings)!r}, 'web'])"
    page = await asyncio.create_subprocess_exec("nice", "-n", str(PAGE_NICE), sys.executable, "-c", run)
    bench = LeagueBench(engine, table, port, [os.getpid(), page.pid])
    watching = asyncio.create_task(bench.watch())
    try:
        await bench.heard.wait()
        bench.changes = bench.heard_us  # later ones are told from what stood there
        yield bench
    finally:
        watching.cancel()
        page.terminate()
        await page.wait()
        engine.dispose()
