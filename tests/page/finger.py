"""A person who plays with a finger on a screen."""

from __future__ import annotations

from collections.abc import Callable

from taptable.core.observations import DISCARD_PAD, Pad

from page.person import Person, middle

STEPS = 6
PULL_PX = 40
"""Sideways a finger would scroll the hand."""


class Finger(Person):
    """Taps instead of clicks, and a finger that drags; a card leaves the hand when it is pulled upwards."""

    def drags(self, card: str, pad: Pad) -> Callable[[], None]:
        """Drag a card onto a pad; call the returned function to drop it there."""
        self.card(card).tap(trial=True)  # until it lies still
        tools = self.visitor.tools()

        def touch(kind: str, *at: tuple[float, float]) -> None:
            points = [{"x": x, "y": y} for x, y in at]
            tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        (from_x, from_y), (to_x, to_y) = middle(self.card(card)), middle(self.pad(pad))
        touch("touchStart", (from_x, from_y))
        for pulled in (PULL_PX / 2, PULL_PX):
            touch("touchMove", (from_x, from_y - pulled))
        for step in range(1, STEPS + 1):
            part = step / STEPS
            touch("touchMove", (from_x + (to_x - from_x) * part, from_y - PULL_PX + (to_y - from_y + PULL_PX) * part))
        for _ in range(STEPS):  # it comes to rest there: the browser takes a tap after a flick for one that stops it
            self.visitor.next_frame()
            touch("touchMove", (to_x, to_y))
        return lambda: touch("touchEnd")

    def _tap(self, card: str, pad: Pad, way: str) -> None:
        self.card(card).wait_for()
        if way == "drag":
            self.drags(card, pad)()
            return
        self.card(card).tap()
        self.visitor.sees(f'[data-hand="{self.seat}"] [data-card="{card}"][aria-pressed="true"]')
        self._dock('[data-do="discard"]' if pad == DISCARD_PAD else f'[data-do="tap"][data-at="{pad}"]').tap()

    def _push(self, way: str) -> None:
        del way
        self._dock('[data-do="press"]').tap()
