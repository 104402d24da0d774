"""Gives the messages and requests of clients their turns: one in each turn of the loop, so that the table's work comes
between any two. It must not know the clients, nor what they send."""

from __future__ import annotations

import asyncio
from collections import deque


class FairScheduler:
    """Gives turns of the loop to tasks in their order. Create it on its loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    @property
    def waiting(self) -> int:
        """The number of waiting tasks, including those that were cancelled since the last turn."""
        return len(self._waiting)

    async def wait_for_turn(self) -> None:
        """Wait for a turn of the loop in which nothing else passes."""
        passing = self._loop.create_future()
        self._waiting.append(passing)
        if not self._turning:
            self._turning = True
            self._loop.call_soon(self._turn)
        await passing

    def _turn(self) -> None:
        while self._waiting:
            passing = self._waiting.popleft()
            if not passing.done():  # one that was cancelled meanwhile delays nobody
                passing.set_result(None)
                self._loop.call_soon(self._turn)
                return
        self._turning = False
