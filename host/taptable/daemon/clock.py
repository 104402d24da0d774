"""Table time: the last journalled time plus what has passed since the start. There is no battery clock, and
none is needed."""

from __future__ import annotations

import asyncio

US_PER_S = 1_000_000


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
