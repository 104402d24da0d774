"""Thirty phones, two of them very slow and one flooding: nobody's view falls behind for good, and the table's own work
comes between any two things that are asked for."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from page_server.rig import Table, at_table
from taptable.api.requests import Devices, Request, Role
from taptable.core.notices import StopForgotten
from taptable.page.connection import MOST_REQUESTS
from taptable.page.protocols import MOST_UNREAD
from taptable.referee.session import Judged

from page_access.crowd import FLOODING, MARK, PHONES, SLOW, Crowd, a_crowd, the_last
from page_access.frames import TEXT, frame
from page_access.rig import a_phone, open_to_all, pair

CHANGES, SIZE = 120, 4000
AT_ONCE = MOST_REQUESTS - 4
TAPS = ("online#1", "extra-memory#1", "email#1", "email#2", "email#3", "music#1")


def test_a_crowd_is_thirty() -> None:
    assert PHONES + SLOW + FLOODING == 30


@pytest.mark.long
def test_the_bench_taps_without_one_and_with_one() -> None:
    bench = Path(__file__).parents[2] / "scripts" / "bench-page"
    told = subprocess.check_output([bench, "--taps", "2", "--rounds", "1"], text=True).splitlines()
    figures = [r"table, idle: \d+ MB, \d+\.\d% of a processor", r"page, idle: \d+ MB, \d+\.\d% of a processor", "ms .*"]
    for what in ("tap to verdict", "verdict to watcher", "echo by the page"):
        figures.append(rf"{what}(?: +\d+\.\d){{4}}(?: +\d+\.\d\d){{2}}")
    figures.append(r"verdict to watcher by echo, alone: \d+\.\d\d \(p50\), \d+\.\d\d \(p95\) of \d+ taps")
    for line, figure in zip(told, figures, strict=True):
        assert re.fullmatch(figure, line)


async def test_after_an_evening_everybody_sees_the_last_state_and_the_slow_ones_little_else(tmp_path: Path) -> None:
    # reminders would go on being told
    config = replace(open_to_all(tmp_path), stop_reminder_us=None)
    async with at_table(config) as table, a_crowd(table.port, slow_read_every_s=None) as crowd:
        for number in range(CHANGES):
            if number % (CHANGES // len(TAPS)) == 0:
                await tap(table, TAPS[number * len(TAPS) // CHANGES])
            table.daemon.controller.note(StopForgotten(table.daemon.clock.now_us(), 1, loudly=True))
            table.page.feed.put(MARK, f"{number} " + "x" * SIZE)
            for _ in range(20):
                await asyncio.sleep(0)
        async with asyncio.timeout(3 * DEADLINE_S):
            await crowd.see(f"{CHANGES - 1} " + "x" * SIZE)
        # of what changed meanwhile a slow one was told no more than had room, and then the last of it at once
        most = 1 + 4 * MOST_UNREAD // SIZE
        for slow in crowd.slow:
            assert slow.messages < most < CHANGES / 4
        await all_see_the_same(table, crowd)


class TurnsCounted:
    """Keeps in which turns of the loop a table was asked for something, and how often for who is paired."""

    def __init__(self, table: Table) -> None:
        self.asked_in: list[int] = []
        self.devices = 0
        self._turn = 0
        self._loop = asyncio.get_running_loop()
        self._do = table.daemon.api.do
        table.daemon.api.do = self.do
        self._count()

    def do(self, role: Role, request: Request) -> Mapping[str, Any]:
        self.asked_in.append(self._turn)
        self.devices += isinstance(request, Devices)
        return self._do(role, request)

    def _count(self) -> None:
        self._turn += 1
        self._loop.call_soon(self._count)


async def test_a_flood_is_done_one_by_one_and_taps_are_judged_between(tmp_path: Path) -> None:
    async with at_table(open_to_all(tmp_path)) as table:
        cookie, counted = await pair(table), TurnsCounted(table)
        async with a_crowd(table.port), a_phone(table, cookie, source="127.0.0.9") as flooder:
            for number, card in enumerate(TAPS, 1):
                # more than is done before the tap is judged, all of it there before
                flooder.socket.transport.write(frame(TEXT, b'{"do":"devices"}') * AT_ONCE)
                await tap(table, card)
                async with asyncio.timeout(DEADLINE_S):
                    while counted.devices < number * AT_ONCE:
                        await asyncio.sleep(0.01)
                await flooder.ask("echo")
            assert sum(isinstance(each, Judged) for each in table.events) >= len(TAPS)
    assert len(set(counted.asked_in)) == len(counted.asked_in)  # never two in one turn of the loop


async def all_see_the_same(table: Table, crowd: Crowd) -> None:
    """Once nothing changes any more everybody sees what who comes anew sees."""
    async with asyncio.timeout(3 * DEADLINE_S):
        for number in count():
            table.page.feed.put(MARK, number)
            before = await the_last(table.port)
            views = await crowd.see(number)
            if before == await the_last(table.port):
                break
    assert views == [before] * (PHONES + SLOW)


async def tap(table: Table, card: str) -> None:
    """A card is tapped at seat 1, and judged."""
    before = sum(isinstance(each, Judged) for each in table.events)
    table.put(card, 1)
    async with asyncio.timeout(DEADLINE_S):
        while sum(isinstance(each, Judged) for each in table.events) == before:
            await asyncio.sleep(0.005)
    table.lift(card, 1)
