"""The page and the overlay of a game with an agreed time: how much is left, who misses a turn, and cards before
megabytes where cards decide (R10.3)."""

from __future__ import annotations

import asyncio

import pytest
from playwright.sync_api import Browser

from page.layout import layout_faults
from page.over_video import overlaid
from page.staging import Stage
from page.table_pool import DESK, PHONE, TablePool
from page.visitor import Visitor

AGREED = {"teams": "solo", "time_limit_s": "600"}


async def _downloads(stage: Stage) -> None:
    await stage.readies(1, "online", "email")


async def _waits(stage: Stage) -> None:
    del stage
    await asyncio.sleep(330)


async def _is_stopped(stage: Stage) -> None:
    """Seat 1's hacker is stopped by seat 2."""
    stage.gathers(2, "cyber-patrol")
    await stage.hacks(1)
    await stage.buzz(2, apart_s=0)
    await stage.shows_the_patrol(2)


async def _pauses(stage: Stage) -> None:
    await stage.uses("pause", 2)


async def _lets_time_run_out(stage: Stage) -> None:
    await stage.uses("pause", 2)
    await asyncio.sleep(300)


def faults(visitor: Visitor) -> list[str]:
    found: list[str] = []
    for size in (PHONE, DESK):
        visitor.page.set_viewport_size(size)
        visitor.next_frame()
        found += layout_faults(visitor.page)
    return found


@pytest.mark.long
def test_r10_3_the_time_left_is_shown_until_the_last_turn_and_stands_in_a_pause(
    browser: Browser, rooms: TablePool
) -> None:
    with rooms.table(4, edition="fr", settings=AGREED) as (table, visitor), overlaid(browser, table) as watcher:
        table.stages(_downloads)
        for each in (visitor, watcher):
            each.reads("[data-time-left]", "10 min")
            each.reads("[data-of-team='0'] [data-figure='1']", "1")
            assert each.text("[data-of-team='0'] [data-score]").split() == ["1", "card", "25", "MB"]
        before = visitor.logged("time-runs-out")
        table.stages(_waits)
        visitor.until_logged("time-runs-out", before)
        table.stages(_is_stopped)
        visitor.reads("[data-seat='1'] .chip-word", "misses next turn")
        visitor.sees("[data-time-left][data-short=true]")
        assert faults(visitor) == []
        assert layout_faults(watcher.page) == []
        table.stages(_pauses)
        for each in (visitor, watcher):
            each.sees("[data-time-left][data-still=true]")
        standing = visitor.text("[data-time-left]")
        assert standing.startswith("Time left")
        assert faults(visitor) == []
        table.stages(_lets_time_run_out)
        for each in (visitor, watcher):
            each.reads("[data-time-left]", "Last turn")
        assert faults(visitor) == []


def test_without_an_agreed_time_nothing_is_shown_of_it(rooms: TablePool) -> None:
    with rooms.table(2) as (_, visitor):
        visitor.sees("[data-now]")
        assert visitor.page.locator("[data-time-left]").count() == 0
