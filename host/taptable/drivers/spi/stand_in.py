"""The readers on SPI of a simulated table: models of their chips below spidev and RPi.GPIO."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.drivers.rc522_reader import PadReader
from taptable.drivers.spi.driver import SpiDriver
from taptable.drivers.spi.pads import SpiPad, open_on_bus
from taptable.sim import spi_bus
from taptable.sim.mfrc522_chip import Mfrc522Chip
from taptable.sim.reader_proxies import ReaderProxies
from taptable.sim.stand_in import PadsInFields, Surroundings


class SpiStandIn(PadsInFields):
    """The chips of all pads on SPI."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.wiring = around.spi
        self.wiring.chips |= {field.name: Mfrc522Chip(field) for field in self.fields.values()}
        self.proxies = ReaderProxies(self.wiring.chips, lambda part: part not in self.wiring.missing)
        self.driver = SpiDriver(self.open_reader, self.proxies.sleep)
        self._is_free = True

    def powered(self) -> AbstractContextManager[None]:
        """Put the chips below spidev from now on, until others replace them."""
        spi_bus.install(self.wiring)
        return nullcontext()

    def let_go(self) -> None:
        """Detach the process: nothing reaches a chip any more."""
        self._is_free = False
        self.proxies.cut()

    def take_up(self) -> None:
        """Let the next process open the readers."""
        self._is_free = True

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Remove the device of a reader, or bring it back."""
        if deaf:
            self.wiring.missing.add(self.fields[pad].name)
        else:
            self.wiring.missing.discard(self.fields[pad].name)

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the device of a reader is gone."""
        return self.fields[pad].name in self.wiring.missing

    def open_reader(self, place: SpiPad) -> PadReader:
        """Open a reader as on a Pi. Raises DeviceError for a process that is gone."""
        if not self._is_free:
            raise DeviceError("this process is gone")
        return self.proxies.connect(f"spi:{place.bus}.{place.device}", self.reader(place))

    def reader(self, place: SpiPad) -> PadReader:
        """Return the driver's own reader over the model of a chip."""
        return open_on_bus(place, self.air_clock.sleep_us)


STAND_IN = SpiStandIn
