"""Players of patterns, by the loop's timers, so that nothing wakes up while there is nothing to change: steps one after
the other, and the patterns of a lamp that can only be lit or dark. Must not know what is lit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from taptable.core.cues import Lamp
from taptable.narration.lamps import LAMP_PATTERNS

ValueT = TypeVar("ValueT")


class StepPlayer(Generic[ValueT]):
    """Shows one value after the other. Steps are (value, milliseconds); calls `show` when a step begins."""

    def __init__(self, loop: asyncio.AbstractEventLoop, show: Callable[[ValueT], None]) -> None:
        self._loop = loop
        self._show = show
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_playing(self) -> bool:
        """Whether a sequence is playing."""
        return self._timer is not None

    def play(
        self, steps: Sequence[tuple[ValueT, int]], *, repeat: bool = False, on_done: Callable[[], None] | None = None
    ) -> None:
        """Play a sequence from its beginning, in place of the current one: forever with `repeat`, or once and then call
        `on_done`."""
        self.stop()
        self._step(steps, 0, self._loop.time(), repeat, on_done)

    def stop(self) -> None:
        """Stop. The value shown stays."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(
        self,
        steps: Sequence[tuple[ValueT, int]],
        index: int,
        began_s: float,
        repeat: bool,
        on_done: Callable[[], None] | None,
    ) -> None:
        self._timer = None
        if index == len(steps):
            if not repeat:
                if on_done is not None:
                    on_done()
                return
            index = 0
        value, length_ms = steps[index]
        ends_s = began_s + length_ms / 1000
        if ends_s <= self._loop.time():  # the loop was held up: continue from now, don't rush
            ends_s = self._loop.time() + length_ms / 1000
        self._timer = self._loop.call_at(ends_s, self._step, steps, index + 1, ends_s, repeat, on_done)
        self._show(value)


class LampPlayer:
    """Shows the patterns of one lamp: calls `light` when it has to be lit or dark."""

    def __init__(self, loop: asyncio.AbstractEventLoop, light: Callable[[bool], None]) -> None:
        self.lasting = Lamp.OFF
        self.is_lit = False
        self._light = light
        self._player = StepPlayer[bool](loop, self._set)

    def show(self, name: Lamp) -> None:
        """Show a pattern. The same lasting pattern is not restarted."""
        pattern = LAMP_PATTERNS[name]
        if pattern.passing:
            self._player.play(pattern.steps, on_done=self._show_lasting)
        elif name is not self.lasting:
            self.lasting = name
            self._show_lasting()

    def stop(self) -> None:
        """Stop. The lamp stays as it is."""
        self._player.stop()

    def _show_lasting(self) -> None:
        steps = LAMP_PATTERNS[self.lasting].steps
        if len(steps) == 1:
            self._player.stop()
            self._set(steps[0][0])
        else:
            self._player.play(steps, repeat=True)

    def _set(self, lit: bool) -> None:
        self.is_lit = lit
        self._light(lit)
