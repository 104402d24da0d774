"""A process in which the calendar is set while a game runs: `python -m faults.calendar FOLDER`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from table.rig import a_table, journal_entries, run_in_given_time, running_table
from taptable.daemon.clock import SteadyLoop, TableClock

from faults.preloaded import set_calendar

HOUR_S = 3_600
TEN_YEARS_S = 87_660 * HOUR_S
JUMPS = (0, -HOUR_S, 0, TEN_YEARS_S, -TEN_YEARS_S, 0, HOUR_S)
"""Offset of the calendar in each game."""
PASSED_US = 5_000_000
"""Less than this passes between two looks."""


def steady() -> None:
    """The daemon's clock continues as if nothing had happened, and so do all timers."""

    async def look() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SteadyLoop)
        clock, suspended_s = TableClock(loop, 0), loop.suspended_s()
        before_us = clock.now_us()
        for by_s in JUMPS:
            shown = time.time()
            set_calendar(by_s)
            assert time.time() - shown < TEN_YEARS_S * 2 + 10
            await asyncio.wait_for(asyncio.sleep(0.001), 5)
            now_us = clock.now_us()
            assert 0 < now_us - before_us < PASSED_US
            before_us = now_us
        assert loop.suspended_s() - suspended_s < 1

    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        runner.run(look())


def evening(folder: Path, jumps: Sequence[int]) -> list[tuple[int, object]]:
    """The times and lines of an evening with a game after each jump."""
    folder.mkdir()
    config = a_table(folder)

    async def games() -> None:
        async with running_table(config) as at:
            for number, by_s in enumerate(jumps):
                set_calendar(by_s)
                if number:
                    await at.control("new-game", 1)
                await at.tap("online#1", 1)

    real = time.time()
    set_calendar(jumps[0])
    run_in_given_time(games)
    set_calendar(TEN_YEARS_S)
    assert time.time() - real > TEN_YEARS_S - HOUR_S  # else this would show nothing
    set_calendar(0)
    return [(entry.at_us, entry.line) for entry in journal_entries(config)]


if __name__ == "__main__":
    steady()
    where = Path(sys.argv[1])
    where.mkdir()
    assert evening(where / "set", JUMPS) == evening(where / "right", (0,) * len(JUMPS))
