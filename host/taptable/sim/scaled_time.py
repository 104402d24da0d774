"""An asyncio loop on which time passes faster, or slower, than outside: an evening of an hour in a few minutes."""

from __future__ import annotations

import asyncio
import selectors
import time


class _ScaledSelector(selectors.DefaultSelector):
    """Waits only as long outside as the loop's time takes to pass."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready within `timeout` seconds of the loop's time."""
        return super().select(timeout if timeout is None or timeout <= 0 else timeout / self._speed)


class ScaledTimeLoop(asyncio.SelectorEventLoop):
    """Its time passes `speed` times as fast as outside."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began_s = time.monotonic()
        super().__init__(_ScaledSelector(speed))

    def time(self) -> float:
        """The loop's time, in seconds."""
        return (time.monotonic() - self._began_s) * self._speed
