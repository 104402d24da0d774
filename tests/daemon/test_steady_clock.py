"""*Two clocks drift apart by at most 100 ppm*: nothing may hurry the Pi's meanwhile."""

from __future__ import annotations

import asyncio
import time

from taptable.daemon.clock import SteadyLoop


def raw_s() -> float:
    return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)


def test_the_loop_of_the_daemon_goes_by_the_clock_that_is_never_slewed() -> None:
    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        before_s, loop_s, after_s = raw_s(), runner.get_loop().time(), raw_s()
        assert before_s <= loop_s <= after_s
        runner.run(asyncio.sleep(0.001))
        assert runner.get_loop().time() >= loop_s + 0.001
