"""The computer was suspended: its time stood still, nobody could play meanwhile, and the table comes back paused, as
after a kill. *Memory* of the table's page."""

from __future__ import annotations

import asyncio
import time
from unittest.mock import patch

import pytest
from table.rig import GameNight
from taptable.core.announcements import BuzzHeard, Paused
from taptable.daemon.clock import MIN_SUSPENDED_S, SUSPEND_CHECK_S, SteadyLoop, SuspendWatch

US = 1_000_000
THAWED_S = 2.5
"""Time runs for so long after a resume before any process does."""


def suspend(at: GameNight, for_s: float = 3_600.0) -> None:
    """The computer is suspended now, and thaws."""
    at.loop.suspend(for_s)
    at.loop.stall(THAWED_S)


async def in_a_window(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await at.tap("hacker#1", 1)
    await asyncio.sleep(0.5)


async def test_a_window_waits_where_it_stood_and_runs_on_at_a_press(at: GameNight) -> None:
    await in_a_window(at)
    left_us = at.state.window.closes_at_us - at.daemon.clock.now_us()
    suspend(at)
    await asyncio.sleep(30)
    assert len(at.all_told(Paused)) == 1
    assert at.referee_table.paused_at_us is not None
    await at.press(2)
    assert at.referee_table.paused_at_us is None
    after_us = at.state.window.closes_at_us - at.daemon.clock.now_us()
    assert left_us - 1.2 * US < after_us <= left_us + SUSPEND_CHECK_S * US
    assert len(at.all_told(Paused)) == 1


@pytest.mark.parametrize("seat", [1, 2])
async def test_the_first_press_afterwards_is_no_buzz(at: GameNight, seat: int) -> None:
    await in_a_window(at)
    suspend(at)
    at.table.press(seat)
    await asyncio.sleep(5)
    assert len(at.all_told(Paused)) == 1
    assert at.all_told(BuzzHeard) == []


async def test_a_card_that_is_tapped_first_finds_the_game_paused(at: GameNight) -> None:
    await at.tap("online#1", 1)
    suspend(at)
    at.put("email#1", 1)
    await asyncio.sleep(0.5)
    at.lift("email#1", 1)
    await asyncio.sleep(1)
    assert at.taps() == [("online#1", 1, "Accepted"), ("email#1", 1, "Refused")]


async def test_a_deadline_that_passed_while_the_computer_thawed_has_not_passed(at: GameNight) -> None:
    await in_a_window(at)
    await asyncio.sleep((at.state.window.closes_at_us - at.daemon.clock.now_us()) / US - 1.5)
    suspend(at)
    await asyncio.sleep(5)
    assert at.state.window is not None
    assert at.referee_table.paused_at_us is not None


async def test_a_game_that_is_paused_already_stays_so(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await at.control("pause", 2)
    suspend(at)
    await asyncio.sleep(5)
    assert len(at.all_told(Paused)) == 1


async def test_what_two_looks_at_two_clocks_may_differ_by_is_no_suspend(at: GameNight) -> None:
    await at.tap("online#1", 1)
    at.loop.suspend(MIN_SUSPENDED_S / 2)
    await asyncio.sleep(5)
    assert at.all_told(Paused) == []


async def test_nobody_waits_where_no_game_is_under_way(at: GameNight) -> None:
    await at.tap("online#1", 1)
    at.daemon.controller.command("end-game", at.daemon.clock.now_us())
    assert at.referee_table.scoreboard.over
    written = [entry for entry in at.entries() if entry.kind == "observation"]
    suspend(at)
    await asyncio.sleep(5)
    assert [entry for entry in at.entries() if entry.kind == "observation"] == written
    assert at.all_told(Paused) == []


async def test_it_is_looked_for_again_though_that_fails_once(at: GameNight) -> None:
    await at.tap("online#1", 1)
    at.loop.set_exception_handler(lambda *_: None)
    looks = at.daemon.controller._suspend_watch
    with patch.object(SuspendWatch, "check", side_effect=RuntimeError):
        await asyncio.sleep(SUSPEND_CHECK_S)
    with patch.object(SuspendWatch, "check", autospec=True, return_value=None) as look:
        await asyncio.sleep(SUSPEND_CHECK_S)
    look.assert_called_with(looks)


def test_the_loop_of_the_daemon_counts_what_the_kernel_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = SteadyLoop()
    read = time.clock_gettime
    suspended_s = read(time.CLOCK_BOOTTIME) - read(time.CLOCK_MONOTONIC)
    assert abs(loop.suspended_s() - suspended_s) < 1
    monkeypatch.setattr(time, "clock_gettime", lambda clock: read(clock) + 90 * (clock == time.CLOCK_BOOTTIME))
    assert abs(loop.suspended_s() - suspended_s - 90) < 1
    monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    assert loop.suspended_s() == 0
    loop.close()
