"""Table time: the last time in the journal plus the time since the table's start, by a clock that nobody corrects. The
date isn't needed, and a Pi without a battery may not know it. Must not know what happens at the table."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol, runtime_checkable

US_PER_S = 1_000_000
SUSPEND_CHECK_S = 1.0
"""Seconds between two checks whether the computer was suspended."""
MIN_SUSPENDED_S = 0.1
"""A difference of the two clocks up to this isn't taken for a suspend."""


class SteadyLoop(asyncio.SelectorEventLoop):
    """An event loop whose time runs as the Pi's crystal does. The usual loop's clock is slewed while the calendar is
    set over the network, by far more than two crystals may drift apart (`drivers.board.clock`)."""

    def time(self) -> float:
        """Return seconds since an arbitrary point before the start."""
        return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)

    def suspended_s(self) -> float:
        """Return the seconds for which the computer has been suspended since it was switched on. A stall between the
        two clock reads makes the result smaller. Both clocks are slewed alike."""
        if not hasattr(time, "CLOCK_BOOTTIME"):
            return 0.0
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class TableClock:
    """Table time in whole microseconds. It follows the loop's clock and never goes backwards."""

    def __init__(self, loop: asyncio.AbstractEventLoop, begins_at_us: int) -> None:
        self._loop = loop
        self._offset_us = begins_at_us - round(loop.time() * US_PER_S)

    def now_us(self) -> int:
        """Return the present table time."""
        return round(self._loop.time() * US_PER_S) + self._offset_us

    def loop_time(self, at_us: int) -> float:
        """Return the loop's time, in seconds, at a table time."""
        return (at_us - self._offset_us) / US_PER_S


@runtime_checkable
class CountsSuspends(Protocol):
    """A loop that can say for how many seconds its computer has been suspended."""

    def suspended_s(self) -> float:
        """Return the seconds since power-on that the loop's own time didn't count."""
        ...


class SuspendWatch:
    """Detects that the computer was suspended. Table time stands still during a suspend, but nobody could play."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: TableClock) -> None:
        self._clock = clock
        self._suspended_s = loop.suspended_s if isinstance(loop, CountsSuspends) else lambda: 0.0
        self._before_s = self._suspended_s()
        self._awake_us = clock.now_us()

    def check(self) -> int | None:
        """Return the table time in µs at which the computer was last known to be awake, if it was suspended since the
        previous call; None if it wasn't."""
        before_s, awake_us = self._before_s, self._awake_us
        # a stall between the two clock reads makes the sum smaller, and the very first read may have been such a one
        self._before_s = max(before_s, self._suspended_s())
        self._awake_us = self._clock.now_us()
        return awake_us if self._before_s - before_s > MIN_SUSPENDED_S else None
