"""Asyncio loops for simulated tables. On a loop of given time, the clock jumps to the next timer where a real loop
would wait. On a loop of scaled time, it passes faster or slower than real time. Scaled time passes only while the loop
waits, and never past a timer: so a machine that can't keep up makes an evening slower and nothing in it late, and the
same seed gives the same evening at any speed. Pseudo-terminals and pipes work as usual, as long as the same loop serves
both ends. Must not know a table."""

from __future__ import annotations

import asyncio
import math
import selectors
import time
from collections.abc import Callable
from contextlib import suppress


class JumpingSelector(selectors.SelectSelector):
    """Selector that advances its clock instead of waiting.

    It polls every file at each call. A worker of the kernel passes a terminal's bytes on, and only such a poll waits
    for it: `epoll` and `kqueue` would report nothing yet, and the clock would jump while bytes are under way."""

    def __init__(self, begin_s: float) -> None:
        super().__init__()
        self.now_s = begin_s
        self.companions: list[Callable[[float], float]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready files; none after advancing by `timeout`. Without a timeout it waits as usual."""
        ready = self.wait(None if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self.now_s = max(self.now_s, self.advance_companions(self.now_s + timeout))
        return ready

    def wait(self, wall_timeout_s: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the files that are ready within `wall_timeout_s` of real time, in the order in which they were
        registered: file numbers differ between processes, and a seed has to give the same evening in all."""
        ready = super().select(wall_timeout_s)
        if len(ready) > 1:
            registered = list(self.get_map())
            ready.sort(key=lambda each: registered.index(each[0].fd))
        return ready

    def advance_companions(self, until_s: float) -> float:
        """Advance the companions, and return how far the loop may go, `until_s` at most."""
        for go_along in tuple(self.companions):
            until_s = go_along(until_s)
        return until_s


class GivenTimeLoop(asyncio.SelectorEventLoop):
    """Loop of given time: runs as fast as it can; `time` begins at `begin_s`.

    `companions` share its time, and run outside the loop. Each is called with a time to advance to, and returns how far
    the loop may jump: less far if it has done something on the way that the loop has to know."""

    def __init__(self, begin_s: float = 0.0, clock: JumpingSelector | None = None) -> None:
        self._clock = clock or JumpingSelector(begin_s)
        self.companions = self._clock.companions
        self._suspended_s = 0.0
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the given time, in seconds."""
        return self._clock.now_s

    def pass_time(self, seconds: float) -> None:
        """Run the loop for this many seconds of its time."""
        self.run_until_complete(asyncio.sleep(seconds))

    def stall(self, seconds: float) -> None:
        """Let time pass while nothing runs, as if something blocked the loop."""
        self._clock.now_s += seconds

    def suspend(self, seconds: float) -> None:
        """Suspend the computer for this long: nothing runs, and the loop's time stands still."""
        self._suspended_s += seconds

    def suspended_s(self) -> float:
        """Return for how many seconds the computer has been suspended."""
        return self._suspended_s


MAX_BEHIND_S = 0.25
"""Real seconds that are caught up after something took long; any further delay is dropped."""


class _PacedSelector(JumpingSelector):
    """Waits in real time as long as the loop's time takes to pass, less its delay. While it is `capped`, or output of
    the loop waits unread, time passes no faster than real time: the readers have other clocks."""

    def __init__(self, speed: float) -> None:
        super().__init__(0.0)
        self.requested_speed = self._speed = speed
        self.capped = False
        self._restart_pace()

    @property
    def speed(self) -> float:
        """The speed at this moment."""
        unread = any(key.events & selectors.EVENT_WRITE for key in self.get_map().values())
        return min(self.requested_speed, 1.0) if self.capped or unread else self.requested_speed

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the files that are ready within `timeout` seconds of the loop's time."""
        if self._speed != (speed := self.speed):
            self._speed = speed
            self._restart_pace()
        ready = self.wait(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if timeout is None:
            ready = self.wait(None)
            self._restart_pace()  # no timer was due, so no time has passed
            return ready
        due_s = self.advance_companions(self.now_s + timeout)
        wait_s = (due_s - self._from_s) / self._speed - (time.monotonic() - self._from_wall_s)
        if wait_s > 0:
            ready = self.wait(wait_s)
        if ready:
            passed_s = (time.monotonic() - self._from_wall_s) * self._speed
            self.now_s = min(due_s, max(self.now_s, self._from_s + passed_s))
            return ready
        self.now_s = due_s
        if wait_s < -MAX_BEHIND_S:
            self._restart_pace()
        return []

    def _restart_pace(self) -> None:
        """Let time pass at the present speed from now on."""
        self._from_s = self.now_s
        self._from_wall_s = time.monotonic()


class ScaledTimeLoop(GivenTimeLoop):
    """Loop of scaled time: passes `speed` times as fast as real time, or as fast as the machine can; `math.inf` never
    waits.

    Input may stop it before the time to which its `companions` advanced."""

    def __init__(self, speed: float) -> None:
        self._pace = _PacedSelector(speed)
        self._changed = asyncio.Event()
        super().__init__(clock=self._pace)

    @property
    def speed(self) -> float:
        """Seconds that pass in a real second, unless it is capped; may be changed at any time."""
        return self._pace.requested_speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._pace.requested_speed = speed
        self._speed_changed()

    @property
    def capped(self) -> bool:
        """Whether time passes no faster than real time for now; may be changed at any time."""
        return self._pace.capped

    @capped.setter
    def capped(self, held: bool) -> None:
        if held != self._pace.capped:
            self._pace.capped = held
            self._speed_changed()

    def _speed_changed(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def wall_clock_sleep(self, seconds: float) -> None:
        """Wait this many seconds of real time at any speed, and across changes of it; a loop that never waits returns
        at once."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0 and self._pace.speed != math.inf:
            with suppress(TimeoutError):
                # wait_for may lose a cancellation that comes with the change
                async with asyncio.timeout(left_s * self._pace.speed):
                    await self._changed.wait()
