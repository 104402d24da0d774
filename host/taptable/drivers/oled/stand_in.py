"""The display of a simulated table: a model of its controller on a bus below smbus2 or spidev."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from taptable.drivers.header_lines import spi_address
from taptable.drivers.interface import Part
from taptable.drivers.oled.display_model import COMMANDS, CONTROLLERS, DATA, SSD1309, DisplayModel
from taptable.drivers.oled.driver import OledDriver
from taptable.drivers.oled.oled import read_display_options
from taptable.sim import spi_bus
from taptable.sim.i2c_bus import I2cModel, i2c_wired
from taptable.sim.stand_in import HardwareStandIn, Surroundings

OLED_BUS, OLED_ADDRESS = 1, 0x3C


class DisplayOnSpi:
    """A display on SPI: the level of the line `dc` says whether bytes are commands or data. It returns nothing, so no
    program notices that it is unplugged."""

    def __init__(self, model: DisplayModel, wiring: spi_bus.Wiring, dc: int) -> None:
        self._model = model
        self._wiring = wiring
        self._dc = dc

    def transfer(self, sent: Sequence[int], hz: int) -> list[int]:
        """Take commands or data."""
        del hz
        if self._model.plugged:
            self._model.write(bytes([DATA if self._wiring.pins.get(self._dc) else COMMANDS, *sent]))
        return [0xFF] * len(sent)

    def pull_reset(self) -> None:
        """Reset it: it is dark, and every register is as after power-on."""
        if self._model.plugged:
            self._model.plug()


class OledStandIn(HardwareStandIn):
    """The display where its options say. It is at its usual address on I2C if the table has no scoreboard, or if the
    options aren't for SPI."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = OledDriver()
        args = [read_display_options(part.options["options"]) for part in parts]
        self._on_spi = next((each for each in args if each.interface == "spi"), None)
        self.model = DisplayModel() if self._on_spi is None else _model_of(self._on_spi)

    @property
    def bus(self) -> dict[int, I2cModel]:
        """The models on its bus by address, those of other drivers among them."""
        return self.around.i2c.setdefault(OLED_BUS, {})

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the display on its bus within this context."""
        self.take_up()
        if self._on_spi is not None:
            spi_bus.install(self.around.spi)
        with i2c_wired(self.around.i2c):
            yield

    def let_go(self) -> None:
        """Detach the process: nothing reaches the display any more."""
        self.bus.pop(OLED_ADDRESS, None)
        self.around.spi.other_devices.clear()
        self.around.spi.resets.clear()

    def take_up(self) -> None:
        """Let the next process write to the display."""
        if self._on_spi is None:
            self.bus[OLED_ADDRESS] = self.model
            return
        args, wiring = self._on_spi, self.around.spi
        place = str(spi_address(args.spi_port, args.spi_device))
        wiring.other_devices[place] = DisplayOnSpi(self.model, wiring, args.gpio_data_command)
        wiring.resets[args.gpio_reset] = (place,)

    @property
    def display(self) -> DisplayModel:
        """The model of the display."""
        return self.model


def _model_of(args: Namespace) -> DisplayModel:
    """Return the model of a display with these options, mounted so that their picture is upright."""
    controller = CONTROLLERS.get(args.display, SSD1309)
    first_column = (controller.columns - args.width) // 2
    return DisplayModel(controller, (args.width, args.height), first_column, is_turned=args.rotate == 2)


STAND_IN = OledStandIn
