"""Table time: the last journalled time plus what has passed since the start. There is no battery clock, and
none is needed. It goes by a clock that nobody corrects."""

from __future__ import annotations

import asyncio
import time

US_PER_S = 1_000_000


class SteadyLoop(asyncio.SelectorEventLoop):
    """Its time runs as the Pi's crystal does. The usual one is slewed while the calendar is set over the network, by
    far more than two crystals may drift apart (`edges.boards.clock`).
    """

    def time(self) -> float:
        """Seconds since some time before the start."""
        return time.clock_gettime(time.CLOCK_MONOTONIC_RAW)


class TableClock:
    """Table time in whole microseconds; it never falls, and goes by the loop's own clock."""

    def __init__(self, loop: asyncio.AbstractEventLoop, begins_at_us: int) -> None:
        self._loop = loop
        self._offset_us = begins_at_us - round(loop.time() * US_PER_S)

    def now_us(self) -> int:
        """The present table time."""
        return round(self._loop.time() * US_PER_S) + self._offset_us

    def loop_time(self, at_us: int) -> float:
        """The loop's time, in seconds, at a table time."""
        return (at_us - self._offset_us) / US_PER_S
