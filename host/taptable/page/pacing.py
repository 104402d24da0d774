"""How often many clients are heard: each so many times a second, and all of them one at each turn of the loop, so that
what the table itself has to do comes between any two. Must not know who passes, nor what is said."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable


class FairScheduler:
    """To be made on the loop on which it turns. Whoever waits longest goes first."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    @property
    def waiting(self) -> int:
        """How many wait, or have given up since the last turn came to them."""
        return len(self._waiting)

    async def through(self) -> None:
        """Wait for a turn of the loop in which nobody else was let through."""
        passing = self._loop.create_future()
        self._waiting.append(passing)
        if not self._turning:
            self._turning = True
            self._loop.call_soon(self._turn)
        await passing

    def _turn(self) -> None:
        while self._waiting:
            passing = self._waiting.popleft()
            if not passing.done():  # who has gone meanwhile keeps nobody waiting
                passing.set_result(None)
                self._loop.call_soon(self._turn)
                return
        self._turning = False


class RateLimiter:
    """`per_s` in a second and up to `most` at once, by the seconds that pass outside."""

    def __init__(self, per_s: float, most: int, outside_s: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._most = most
        self._outside_s = outside_s
        self._left = float(most)
        self._at_s = outside_s()

    def take(self, count: int = 1) -> None:
        """So many have been used, whether they were there or not."""
        now_s = self._outside_s()
        grown = max(0.0, now_s - self._at_s) * self._per_s
        self._left = min(self._most, self._left + grown) - count
        self._at_s = max(self._at_s, now_s)

    def owed_s(self) -> float:
        """How long to wait until what was used too much is there again; who is told so waits."""
        owed_s = max(0.0, -self._left / self._per_s)
        if owed_s:
            self._left = 0.0
            self._at_s += owed_s
        return owed_s
