"""A loop whose time is given: it never waits, it jumps to the next timer. And the simulated pins on it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from taptable.core.sightings import ButtonEdge, Sighting
from taptable.edges.buttons import Buttons
from taptable.edges.gpio import Header
from taptable.sim.pins import SimulatedPins


class JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting it moves its clock on."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0
        self.jumps = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is not None and timeout > 0:
            self.now_s += timeout
            self.jumps += 1
        return ready


class GivenTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.clock = JumpingSelector()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now_s

    def pass_time(self, seconds: float) -> None:
        self.run_until_complete(asyncio.sleep(seconds))

    def be_held_up(self, seconds: float) -> None:
        """Something blocks the loop: time goes on, nothing runs."""
        self.clock.now_s += seconds


@dataclass
class Bench:
    """A simulated Pi's header, and what its edges report. Table time is the loop's, from an arbitrary beginning."""

    loop: GivenTimeLoop
    pins: SimulatedPins
    sightings: list[Sighting] = field(default_factory=list)
    header: Header = field(init=False)
    kept: list[Buttons] = field(default_factory=list)  # gpiozero's pins hold their devices by weak references only

    def __post_init__(self) -> None:
        self.header = Header(
            loop=self.loop, report=self.sightings.append, now_us=self.now_us, open_factory=lambda: self.pins.factory
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
        return [sighting for sighting in self.sightings if isinstance(sighting, ButtonEdge)]


@contextmanager
def simulated_bench(seed: int = 1, *, long_bounce_chance: float = 0.0) -> Iterator[Bench]:
    loop = GivenTimeLoop()
    pins = SimulatedPins(loop, seed, long_bounce_chance=long_bounce_chance)
    try:
        yield Bench(loop, pins)
    finally:
        pins.close()
        loop.close()
