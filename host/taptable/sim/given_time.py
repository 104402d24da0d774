"""An asyncio loop whose time is given: where a real one would wait, it jumps to the next timer. Pseudo-terminals and
pipes on it work as ever, as long as both ends are served by the same loop."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable


class JumpingSelector(selectors.SelectSelector):
    """Moves its clock on instead of waiting.

    It asks each file afresh at each look. A terminal passes bytes on from a worker of the kernel, which only such a
    question waits for: `epoll` and `kqueue` would report nothing yet, and the clock would jump while bytes are under
    way.
    """

    def __init__(self, begin_s: float) -> None:
        super().__init__()
        self.now_s = begin_s
        self.companions: list[Callable[[float], float]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; nothing after having moved on by `timeout`. Without one it waits as ever."""
        ready = self.wait(None if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self.now_s = max(self.now_s, self.reach(self.now_s + timeout))
        return ready

    def wait(self, outside_s: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready within so many seconds outside."""
        return super().select(outside_s)

    def reach(self, until_s: float) -> float:
        """How far the loop may go, of the way until then."""
        for go_along in tuple(self.companions):
            until_s = go_along(until_s)
        return until_s


class GivenTimeLoop(asyncio.SelectorEventLoop):
    """Runs as fast as it can; `time` begins at `begin_s`.

    `companions` have the same time, and run outside the loop. Each is asked to go along until a time, and returns how
    far the loop may jump: not as far if it has done something on the way that the loop has to know.
    """

    def __init__(self, begin_s: float = 0.0, clock: JumpingSelector | None = None) -> None:
        self._clock = clock or JumpingSelector(begin_s)
        self.companions = self._clock.companions
        super().__init__(self._clock)

    def time(self) -> float:
        """The given time, in seconds."""
        return self._clock.now_s

    def pass_time(self, seconds: float) -> None:
        """Run for so long."""
        self.run_until_complete(asyncio.sleep(seconds))

    def hold_up(self, seconds: float) -> None:
        """Time goes on and nothing runs, as if something blocked the loop."""
        self._clock.now_s += seconds
