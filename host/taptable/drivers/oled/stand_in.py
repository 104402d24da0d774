"""The display of a simulated table: a model of its controller on a bus below smbus2."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from taptable.drivers.interface import Part
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.driver import OledDriver
from taptable.sim.i2c_bus import I2cModel, i2c_wired
from taptable.sim.stand_in import HardwareStandIn, Surroundings

OLED_BUS, OLED_ADDRESS = 1, 0x3C


class OledStandIn(HardwareStandIn):
    """The display at its usual address, whether or not the table has a scoreboard."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = OledDriver()
        self.model = DisplayModel()

    @property
    def bus(self) -> dict[int, I2cModel]:
        """The models on its bus by address, those of other drivers among them."""
        return self.around.i2c.setdefault(OLED_BUS, {})

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the display on its bus within this context."""
        self.take_up()
        with i2c_wired(self.around.i2c):
            yield

    def let_go(self) -> None:
        """Detach the process: nothing reaches the display any more."""
        self.bus.pop(OLED_ADDRESS, None)

    def take_up(self) -> None:
        """Let the next process write to the display."""
        self.bus[OLED_ADDRESS] = self.model

    @property
    def display(self) -> DisplayModel:
        """The model of the display."""
        return self.model


STAND_IN = OledStandIn
