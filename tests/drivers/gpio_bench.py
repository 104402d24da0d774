"""The header of a simulated Pi on a loop with given time, and the reports of its edges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from taptable.core.device_events import ButtonEdge, DeviceEvent
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import Header
from taptable.drivers.gpio.pin_model import SimulatedPins
from taptable.sim.loops import GivenTimeLoop


@dataclass
class Bench:
    """A simulated Pi's header, with the reports of its edges. Table time is the loop's, from an arbitrary beginning."""

    loop: GivenTimeLoop
    pins: SimulatedPins
    device_events: list[DeviceEvent] = field(default_factory=list)
    header: Header = field(init=False)
    kept: list[Buttons] = field(default_factory=list)  # gpiozero's pins hold their devices by weak references only

    def __post_init__(self) -> None:
        self.header = Header(
            loop=self.loop, report=self.device_events.append, now_us=self.now_us, open_factory=lambda: self.pins.factory
        )

    def table_us(self, loop_s: float) -> int:
        return round((loop_s - 900.0) * 1_000_000)

    def now_us(self) -> int:
        return self.table_us(self.loop.time())

    def listen(self, pins: dict[int, int], header: Header | None = None) -> Buttons:
        """Buttons, opened."""
        buttons = Buttons(header or self.header, pins)
        self.kept.append(buttons)
        buttons.open()
        return buttons

    @property
    def edges(self) -> list[ButtonEdge]:
        return [device_event for device_event in self.device_events if isinstance(device_event, ButtonEdge)]


@contextmanager
def simulated_bench(seed: int = 1, *, long_bounce_chance: float = 0.0) -> Iterator[Bench]:
    loop = GivenTimeLoop(begin_s=1000.0)
    pins = SimulatedPins(loop, seed, long_bounce_chance=long_bounce_chance)
    try:
        yield Bench(loop, pins)
    finally:
        pins.close()
        loop.close()
