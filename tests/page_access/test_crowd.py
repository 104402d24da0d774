"""Thirty phones, two of them very slow and one flooding: nobody's view falls behind for good, and the table's own work
comes between any two things that are asked for."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from page_server.rig import Table
from taptable.referee.session import Decision

from page_access.crowd import FLOODING, PHONES, SLOW


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


async def tap(table: Table, card: str) -> None:
    """A card is tapped at seat 1, and judged."""
    before = sum(isinstance(each, Decision) for each in table.events)
    table.put(card, 1)
    async with asyncio.timeout(DEADLINE_S):
        while sum(isinstance(each, Decision) for each in table.events) == before:
            await asyncio.sleep(0.005)
    table.lift(card, 1)
