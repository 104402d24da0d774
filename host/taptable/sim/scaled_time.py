"""An asyncio loop on which time passes faster, or slower, than outside: an evening of an hour in a few minutes.

Time passes only while the loop waits, and never past a timer. So a machine that can't keep up makes the evening slower,
and nothing in it late; and the same seed gives the same evening at any speed."""

from __future__ import annotations

import asyncio
import math
import selectors
import time
from contextlib import suppress

from taptable.sim.given_time import GivenTimeLoop, JumpingSelector

MOST_BEHIND_S = 0.25
"""Seconds outside that are caught up after something took long; what is more is let go."""


class _PacedSelector(JumpingSelector):
    """Waits outside as long as the loop's time takes to pass, less what it is behind."""

    def __init__(self, speed: float) -> None:
        super().__init__(0.0)
        self.set_speed(speed)

    def set_speed(self, speed: float) -> None:
        self._speed = speed
        self._set_out()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready within `timeout` seconds of the loop's time."""
        ready = self.wait(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if timeout is None:
            ready = self.wait(None)
            self._set_out()  # nothing was due, so no time has passed
            return ready
        due_s = self.reach(self.now_s + timeout)
        wait_s = (due_s - self._from_s) / self._speed - (time.monotonic() - self._from_outside_s)
        if wait_s > 0:
            ready = self.wait(wait_s)
        if ready:
            passed_s = (time.monotonic() - self._from_outside_s) * self._speed
            self.now_s = min(due_s, max(self.now_s, self._from_s + passed_s))
            return ready
        self.now_s = due_s
        if wait_s < -MOST_BEHIND_S:
            self._set_out()
        return []

    def _set_out(self) -> None:
        """Time passes at the present speed from here and now."""
        self._from_s = self.now_s
        self._from_outside_s = time.monotonic()


class ScaledTimeLoop(GivenTimeLoop):
    """Its time passes `speed` times as fast as outside, or as fast as the machine can; `math.inf` never waits.

    What comes from outside may stop it before the time until which its `companions` went along.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._pace = _PacedSelector(speed)
        self._changed = asyncio.Event()
        super().__init__(clock=self._pace)

    @property
    def speed(self) -> float:
        """How many seconds pass in a second outside; may be changed at any time."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = speed
        self._pace.set_speed(speed)
        self._changed.set()
        self._changed = asyncio.Event()

    async def outside(self, seconds: float) -> None:
        """Wait while so many seconds pass outside, whatever the speed meanwhile; a loop that never waits doesn't."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0 and self._speed != math.inf:
            with suppress(TimeoutError):
                # wait_for may lose a cancellation that comes with the change
                async with asyncio.timeout(left_s * self._speed):
                    await self._changed.wait()
