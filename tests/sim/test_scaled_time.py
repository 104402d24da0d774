"""The loop of scaled time: timers in their order and never late by its own clock, files served while it waits."""

from __future__ import annotations

import asyncio
import math
import os
import socket
import time
from collections.abc import Coroutine
from contextlib import closing
from itertools import chain
from typing import Any

import pytest
from taptable.sim.loops import GivenTimeLoop, ScaledTimeLoop


def run(speed: float, work: Coroutine[Any, Any, Any]) -> tuple[Any, float]:
    """Run `work` at this speed; return its result, and the loop's time at the end."""
    with asyncio.Runner(loop_factory=lambda: ScaledTimeLoop(speed)) as runner:
        return runner.run(work), runner.get_loop().time()


async def timers_under_way(blocking_s: float) -> list[tuple[float, float]]:
    """When each of some timers was due and when it ran, while something blocks the loop again and again."""
    loop = asyncio.get_running_loop()
    ran: list[tuple[float, float]] = []

    def note(due_s: float) -> None:
        ran.append((due_s, loop.time()))
        time.sleep(blocking_s)

    for due_s in (0.5, 0.1, 0.3, 0.2):
        loop.call_at(due_s, note, due_s)
    await asyncio.sleep(1.0)
    return ran


@pytest.mark.parametrize("speed", [50.0, 1000.0, math.inf])
def test_a_timer_is_never_late_however_slow_the_machine(speed: float):
    ran, ended_s = run(speed, timers_under_way(blocking_s=0.001))
    assert ran == [(due_s, pytest.approx(due_s, abs=1e-9)) for due_s in (0.1, 0.2, 0.3, 0.5)]
    assert ended_s == pytest.approx(1.0)


def test_time_outside_is_the_loops_time_by_the_speed():
    began_s = time.monotonic()
    run(50.0, asyncio.sleep(5.0))
    assert time.monotonic() - began_s >= 0.1


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_wait_outside_can_be_given_up_just_as_the_speed_changes(turns: int):
    async def work() -> bool:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        waiting = asyncio.create_task(loop.wall_clock_sleep(3600.0))
        await asyncio.sleep(1.0)
        loop.speed = 50.0
        for _ in range(turns):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting}, timeout=1.0)
        return waiting.cancelled()

    assert run(100.0, work())[0]


@pytest.mark.parametrize("then", [0.01, 5.0])
def test_a_wait_outside_is_as_long_outside_however_the_speed_changes(then: float):
    async def work() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        loop.call_later(1.0, setattr, loop, "speed", then)
        async with asyncio.timeout(1000.0):  # of the table: at 100 times the speed it began with, ten seconds
            await loop.wall_clock_sleep(0.2)

    began_s = time.monotonic()
    _, ended_s = run(100.0, work())
    assert time.monotonic() - began_s >= 0.2
    assert ended_s < 1.0 + 0.19 * then + 1.0


def test_a_loop_that_never_waits_does_not_wait_outside_either():
    async def work() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        await loop.wall_clock_sleep(3600.0)

    assert run(math.inf, work())[1] == 0.0


def test_while_it_is_held_time_passes_as_outside_and_then_fast_again():
    async def work() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        loop.capped = True
        loop.call_later(0.1, setattr, loop, "capped", False)
        began_s = time.monotonic()
        await asyncio.sleep(0.1)
        held_s = time.monotonic() - began_s
        await asyncio.sleep(100.0)
        assert loop.speed == 1000.0
        return held_s, time.monotonic() - began_s

    held_s, all_s = run(1000.0, work())[0]
    assert held_s >= 0.09
    assert all_s < 50.0


def test_a_wait_outside_goes_on_as_long_outside_while_it_is_held():
    async def work() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        loop.call_later(1.0, setattr, loop, "capped", True)
        async with asyncio.timeout(10.0):  # of the table: without the hold it had been 200
            await loop.wall_clock_sleep(0.2)

    run(1000.0, work())


def test_time_passes_as_outside_while_somebody_leaves_unread_what_is_written():
    async def work() -> tuple[float, float]:
        ours, theirs = socket.socketpair()
        with theirs:
            _, writer = await asyncio.open_connection(sock=ours)
            writer.write(b"x" * 10_000_000)
            began_s = time.monotonic()
            await asyncio.sleep(0.1)
            unread_s = time.monotonic() - began_s
            reading = asyncio.to_thread(lambda: theirs.recv(10_000_000, socket.MSG_WAITALL))
            await asyncio.gather(reading, writer.drain())
            began_s = time.monotonic()
            await asyncio.sleep(100.0)
            writer.close()
            return unread_s, time.monotonic() - began_s

    unread_s, read_s = run(1000.0, work())[0]
    assert unread_s >= 0.09
    assert read_s < 50.0


def test_the_speed_may_change_on_the_way():
    async def work() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ScaledTimeLoop)
        await asyncio.sleep(1.0)
        loop.speed = math.inf
        await asyncio.sleep(3600.0)
        return loop.speed

    speed, ended_s = run(100.0, work())
    assert speed == math.inf
    assert ended_s == pytest.approx(3601.0)


def test_a_file_is_served_while_the_loop_waits():
    async def work() -> tuple[bytes, float]:
        loop = asyncio.get_running_loop()
        readable, writable = os.pipe()
        came = asyncio.Event()
        loop.add_reader(readable, came.set)
        loop.call_later(2.0, os.write, writable, b"x")
        try:
            await asyncio.wait_for(came.wait(), 3600.0)
            return os.read(readable, 1), loop.time()
        finally:
            loop.remove_reader(readable)
            os.close(readable)
            os.close(writable)

    (read, at_s), _ = run(1000.0, work())
    assert read == b"x"
    assert at_s == pytest.approx(2.0)


def test_a_call_from_another_thread_wakes_a_loop_with_nothing_to_wait_for():
    async def work() -> str:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: "done")

    assert run(math.inf, work())[0] == "done"


def test_what_is_ready_at_once_comes_in_the_order_in_which_it_was_registered():
    pipes = sorted((os.pipe() for _ in range(5)), reverse=True)
    heard: list[int] = []
    with closing(GivenTimeLoop()) as loop:
        for near, far in pipes:
            os.write(far, b"x")
            loop.add_reader(near, lambda near=near: (os.read(near, 1), heard.append(near)))
        loop.pass_time(0.1)
    for file in chain(*pipes):
        os.close(file)
    assert heard == [near for near, _ in pipes]
