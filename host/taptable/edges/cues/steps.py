"""What lamps and tunes have in common: a row of values, each for its time, played by the loop's timers. No thread,
and nothing wakes up while there is nothing to change. Must not know what a value means."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class StepPlayer(Generic[ValueT]):
    """Shows one value after the other. Steps are (value, milliseconds); `show` is called when a step begins."""

    def __init__(self, loop: asyncio.AbstractEventLoop, show: Callable[[ValueT], None]) -> None:
        self._loop = loop
        self._show = show
        self._timer: asyncio.TimerHandle | None = None

    @property
    def playing(self) -> bool:
        """Whether a row is under way."""
        return self._timer is not None

    def play(
        self, steps: Sequence[tuple[ValueT, int]], *, again: bool = False, done: Callable[[], None] | None = None
    ) -> None:
        """Play a row from its beginning, in place of what is under way: round and round, or once and then call
        `done`."""
        self.stop()
        self._step(steps, 0, self._loop.time(), again, done)

    def stop(self) -> None:
        """Leave off; the value shown stays."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(
        self,
        steps: Sequence[tuple[ValueT, int]],
        index: int,
        began_s: float,
        again: bool,
        done: Callable[[], None] | None,
    ) -> None:
        self._timer = None
        if index == len(steps):
            if not again:
                if done is not None:
                    done()
                return
            index = 0
        value, length_ms = steps[index]
        ends_s = began_s + length_ms / 1000
        if ends_s <= self._loop.time():  # the loop was held up: go on from now, don't rush
            ends_s = self._loop.time() + length_ms / 1000
        self._timer = self._loop.call_at(ends_s, self._step, steps, index + 1, ends_s, again, done)
        self._show(value)
