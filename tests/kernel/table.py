"""A whole table whose pins and display are the kernel's: below the drivers of the daemon lie gpio-sim and the I2C bus,
and below these the contacts and the model of the glass. The readers' chips stay on their stand-in, since the kernel has
no simulator of SPI."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from PIL import Image
from taptable.config import Config
from taptable.daemon.devices import Openers, one_thread
from taptable.sim import spi
from taptable.sim.pins import SimulatedPins
from taptable.sim.table import InlineExecutor, SimulatedTable

from kernel.bus import recorded_display
from kernel.header import Contacts


class KernelLine:
    """A line of the header, as `SimulatedPins` moves and reads one."""

    function = "output"

    def __init__(self, contacts: Contacts, bcm: int) -> None:
        self._contacts = contacts
        self._bcm = bcm

    def ground(self, closed: bool) -> None:
        """Close or open the contact."""
        self._contacts.move(self._bcm, closed)

    @property
    def state(self) -> bool:
        """What stands on it."""
        return self._contacts.is_high(self._bcm)


class KernelPins(SimulatedPins):
    """The same contacts, which bounce as ever, on the kernel's lines."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seed: int = 0) -> None:
        super().__init__(loop, seed)
        self._contacts = Contacts()

    def _pin(self, pin: int) -> KernelLine:
        return KernelLine(self._contacts, pin)


class KernelTable(SimulatedTable):
    """The hardware of a compact table."""

    def __init__(self, config: Config, seed: int = 0) -> None:
        super().__init__(config, seed)
        self.pins.close()
        self.pins = KernelPins(asyncio.get_running_loop(), seed)

    @contextmanager
    def powered(self) -> Generator[Openers]:
        """As ever; but for the readers everything is opened as at a real table."""
        spi.install(self.wiring)
        # the models of the readers are not for threads
        executors = iter((InlineExecutor(), one_thread()))
        with recorded_display() as self._recorded:
            self.display = self._recorded.model
            try:
                yield Openers(reader=self._open_reader, executor=lambda: next(executors), rest=self._leads.rest)
            finally:
                self.pins.close()

    def picture(self) -> Image.Image:
        """What stands on the glass, from the messages that the kernel sent."""
        return self._recorded.image()
