"""Lets many clients pass one by one, each at a turn of the loop of its own, so that what the table itself has to do
comes between any two. Knows neither who passes nor what is said."""

from __future__ import annotations

import asyncio
from collections import deque


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

    async def wait_for_turn(self) -> None:
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
