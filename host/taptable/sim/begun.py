"""What was begun and takes its time, while somebody else goes on. Knows nothing of what it is."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Begun:
    """Keeps it until it is over. What goes wrong is told to the loop's exception handler."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Let it run."""
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._over)

    async def end(self) -> None:
        """End what isn't over."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            task.get_loop().call_exception_handler({"message": "a deed failed", "exception": task.exception()})
