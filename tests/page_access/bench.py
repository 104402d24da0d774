"""A busy table and its page, each in a process, to measure one while something is done to the other."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from page_server.rig import a_folder_of_sockets
from table.rig import tags_of
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.config import Config
from taptable.core.part_notices import PartLost
from taptable.daemon.daemon import Daemon
from taptable.narration.updates import Update
from taptable.page.listening import listen
from taptable.referee.session import Decision
from taptable.sim.table import SimulatedTable

from page_access.rig import open_to_all

PLAYERS = 6
SPACING_S = 0.08
"""Between a verdict and the next tap; at each seat there is one of six, and the card before is long gone."""
PAGE_NICE = 7
"""The niceness with which the page gets a fifth of what the table gets of a processor that both want, as `CPUWeight` in
its unit does."""


def pss_mb(pid: int) -> float:
    """The memory of a process in MB, with its part of shared memory (PSS)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return int(rollup.partition("\nPss:")[2].split(maxsplit=1)[0]) / 1024


def busy_s(pid: int) -> float:
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def p50_and_p95_ms(times_s: Sequence[float]) -> tuple[float, float]:
    """The median, and the bound that 95 of 100 don't exceed."""
    end_s = quantiles(times_s, n=20)[-1] if len(times_s) > 1 else times_s[0]
    return median(times_s) * 1000, end_s * 1000


@dataclass
class Bench:
    """A table, and when it last judged a tap."""

    hardware: SimulatedTable
    tags: dict[str, str]
    port: int
    pids: Sequence[int]
    """The processes of the table and of its page."""
    sockets: Path
    config: Config
    judged: asyncio.Event
    lost: set[str]
    """The boards that were reported missing."""
    seats: Sequence[int] = tuple(range(1, PLAYERS + 1))
    """The seats at which cards are tapped, one after the other."""
    judged_s: float = 0.0
    tapped: int = 0
    due_s: float = 0.0

    async def tap_s(self) -> float:
        """From when a card should lie on a pad until its verdict, after the cues."""
        loop = asyncio.get_running_loop()
        number = self.tapped
        self.tapped += 1
        seat = self.seats[number % len(self.seats)]
        card = f"email#{seat}"
        self.judged.clear()
        self.hardware.put(self.tags[card], seat)
        await self.judged.wait()
        took_s = self.judged_s - self.due_s
        self.hardware.lift(self.tags[card], seat)
        self.due_s = loop.time() + SPACING_S
        await asyncio.sleep(SPACING_S)
        return took_s

    async def taps_until(self, done: asyncio.Future[Any]) -> list[float]:
        """The times until the verdicts up to then, in seconds."""
        self.due_s = asyncio.get_running_loop().time()
        took_s: list[float] = []
        while not done.done():
            took_s.append(await self.tap_s())
        return took_s


@asynccontextmanager
async def at_a_bench(folder: Path) -> AsyncGenerator[Bench]:
    """A table of six with an open page, while it runs."""
    config = replace(open_to_all(folder, players=PLAYERS), stop_reminder_us=None)
    assert config.page is not None
    hardware, loop = SimulatedTable(config), asyncio.get_running_loop()
    bench = Bench(hardware, tags_of(config), config.page.port, [], Path(), config, asyncio.Event(), set())

    def on_update(update: Update) -> None:
        if any(isinstance(each, Decision) for each in update.events):
            bench.judged_s = loop.time()
            bench.judged.set()
        bench.lost.update(each.part for each in update.events if isinstance(each, PartLost))

    with a_folder_of_sockets() as sockets, hardware.powered() as drivers, listen(bench.port, network=True) as listener:
        daemon = Daemon(config, drivers, on_update, sockets=sockets)
        await daemon.start()
        page = await asyncio.create_subprocess_exec(
            *("nice", "-n", str(PAGE_NICE), sys.executable, "-m", "taptable.sim.page", "--network"),
            *("--table", str(socket_path(sockets, Role.PAGE)), "--listener", str(listener.fileno())),
            stdin=PIPE,
            pass_fds=[listener.fileno()],
        )
        bench.pids = [os.getpid(), page.pid]
        bench.sockets = sockets
        try:
            await daemon.page_connected.wait()
            yield bench
        finally:
            page.terminate()
            await page.wait()
            await daemon.stop()


@asynccontextmanager
async def a_crowd_outside(port: int) -> AsyncGenerator[None]:
    """The crowd as a process of its own, after the exchange of hello."""
    crowd = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "page_access.crowd", str(port), stdin=PIPE, stdout=PIPE
    )
    assert crowd.stdout is not None
    try:
        assert await crowd.stdout.readline() == b"here\n"
        yield
    finally:
        await crowd.communicate(b"")
