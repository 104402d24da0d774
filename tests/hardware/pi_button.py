"""A button on a pin of the Pi to be tested: a real one that somebody presses, or the simulated pins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, Receipt
from taptable.core.settings import US_PER_S
from taptable.doctor.trial import CHATTER_US, Presses
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import Header, default_factory
from taptable.drivers.gpio.pin_model import SimulatedPins

from hardware.person import PATIENCE_S

_SEAT = 1
_MODEL_BCM = 17


class Listening:
    """A button of the table's own, which `connect` makes: its `edges`, each with the time by which it had arrived, and
    the `presses` they make."""

    def __init__(self, connect: Callable[[Listening], Any]) -> None:
        self._loop = asyncio.get_running_loop()
        self.edges: list[tuple[ButtonEdge, int]] = []
        self.presses = Presses()
        self._trouble = ""
        self._heard = asyncio.Event()
        self._button = connect(self)

    async def pressed(self) -> None:
        """Wait until the button was pressed and released, and is at rest again."""
        self._button.open()
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not self.presses.is_done(self.now_us()) and not self._trouble:
                    self._heard.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(CHATTER_US / US_PER_S):
                            await self._heard.wait()
        except TimeoutError:
            pytest.fail(f"the button wasn't pressed and let go within {PATIENCE_S:.0f} s")
        assert not self._trouble

    def close(self) -> None:
        """Listen no more."""
        self._button.close()

    def now_us(self) -> int:
        """The time of the loop, in µs."""
        return round(self._loop.time() * US_PER_S)

    def on_edge(self, seat: int, closed: bool, at_us: int, uncertainty_us: int) -> None:
        """Take down an edge, which may be a bounce."""
        self.edges.append((ButtonEdge(at_us, seat, closed, uncertainty_us), self.now_us()))
        self.presses.add_edge(at_us, closed)
        self._heard.set()

    def report(self, device_event: DeviceEvent) -> Receipt:
        """Take down what is wrong with the part."""
        match device_event:
            case PartFailed(reason=reason):
                self._trouble = reason
            case _:
                pass
        self._heard.set()
        return Receipt.COMMITTED


def _at_pin(bcm: int, open_factory: Callable[[], Any]) -> Listening:
    def connect(listening: Listening) -> Buttons:
        loop = asyncio.get_running_loop()
        header = Header(loop=loop, report=listening.report, now_us=listening.now_us, open_factory=open_factory)
        buttons = Buttons(header, {_SEAT: bcm})
        buttons.on_raw_edge = listening.on_edge
        return buttons

    return Listening(connect)


@contextmanager
def real_button(bcm: int, ask: Callable[[], None]) -> Iterator[Listening]:
    """A real button, of which we listen to the edges; `ask` asks the person to press it once."""
    under_test = _at_pin(bcm, default_factory)
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
    under_test = _at_pin(_MODEL_BCM, lambda: pins.factory)
    loop.call_later(1.0, pins.press, _MODEL_BCM)
    try:
        yield under_test
    finally:
        under_test.close()
        pins.close()
