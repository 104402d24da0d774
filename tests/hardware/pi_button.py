"""A button on a pin of the Pi to be tested: a real one that somebody presses, or the simulated pins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed
from taptable.core.settings import US_PER_S
from taptable.doctor.trial import CHATTER_US, Presses
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import Header, default_factory
from taptable.drivers.gpio.pin_model import SimulatedPins

from hardware.person import PATIENCE_S

_SEAT = 1
_MODEL_BCM = 17


class Listening:
    """The table's own `Buttons` at one pin: its `edges`, each with the time by which it had arrived, and the `presses`
    they make."""

    def __init__(self, bcm: int, open_factory: Callable[[], Any]) -> None:
        self._loop = asyncio.get_running_loop()
        self.edges: list[tuple[ButtonEdge, int]] = []
        self.presses = Presses()
        self._trouble = ""
        self._heard = asyncio.Event()
        header = Header(loop=self._loop, report=self._report, now_us=self._now_us, open_factory=open_factory)
        self._buttons = Buttons(header, {_SEAT: bcm})
        self._buttons.on_raw_edge = self._edge

    async def pressed(self) -> None:
        """Wait until the button was pressed and released, and is at rest again."""
        self._buttons.open()
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not self.presses.is_done(self._now_us()) and not self._trouble:
                    self._heard.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(CHATTER_US / US_PER_S):
                            await self._heard.wait()
        except TimeoutError:
            pytest.fail(f"the button wasn't pressed and let go within {PATIENCE_S:.0f} s")
        assert not self._trouble

    def close(self) -> None:
        """Listen no more."""
        self._buttons.close()

    def _now_us(self) -> int:
        return round(self._loop.time() * US_PER_S)

    def _edge(self, seat: int, closed: bool, at_us: int, uncertainty_us: int) -> None:
        self.edges.append((ButtonEdge(at_us, seat, closed, uncertainty_us), self._now_us()))
        self.presses.add_edge(at_us, closed)
        self._heard.set()

    def _report(self, device_event: DeviceEvent) -> None:
        match device_event:
            case PartFailed(reason=reason):
                self._trouble = reason
            case _:
                pass
        self._heard.set()


@contextmanager
def real_button(bcm: int, ask: Callable[[], None]) -> Iterator[Listening]:
    """A real button, of which we listen to the edges; `ask` asks the person to press it once."""
    under_test = Listening(bcm, default_factory)
    ask()
    try:
        yield under_test
    finally:
        under_test.close()


@contextmanager
def model_button() -> Iterator[Listening]:
    """The same on simulated pins, in given time."""
    loop = asyncio.get_running_loop()
    pins = SimulatedPins(loop, long_bounce_chance=0.0)
    under_test = Listening(_MODEL_BCM, lambda: pins.factory)
    loop.call_later(1.0, pins.press, _MODEL_BCM)
    try:
        yield under_test
    finally:
        under_test.close()
        pins.close()
