"""Lets one through at each turn of the loop: whatever many clients ask for at once, what the table itself has to do
comes between any two of them. Must not know who passes."""

from __future__ import annotations

import asyncio
from collections import deque


class Turnstile:
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
