"""What is examined: a table by its configuration, the computer it stands on, how its devices are opened, and whether
somebody has them already."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.config import Config, OnGpio
from taptable.daemon.devices import Openers, spi_places
from taptable.doctor.computer import Computer
from taptable.edges.readers.pad import SpiPad


@dataclass(frozen=True)
class Site:
    """`held_by` says who has the devices (*process 812*), None if nobody has."""

    computer: Computer
    openers: Openers
    config: Config
    held_by: str | None = None

    @property
    def readers(self) -> list[SpiPad]:
        """The pads on the Pi's SPI, the discard pad first."""
        return spi_places(self.config)

    @property
    def buttons(self) -> dict[int, int]:
        """The seats whose buttons are on pins of the Pi, with the BCM numbers of these."""
        return {
            seat: parts.button.bcm
            for seat, parts in enumerate(self.config.seats, 1)
            if isinstance(parts.button, OnGpio)
        }

    @property
    def lamps(self) -> dict[int, int]:
        """The seats whose lamps are on pins of the Pi, with the BCM numbers of these."""
        return {
            seat: parts.lamp.bcm for seat, parts in enumerate(self.config.seats, 1) if isinstance(parts.lamp, OnGpio)
        }

    @property
    def stop_it(self) -> str:
        """What to do so that all can be looked at."""
        return "To have this looked at too, stop the table (`sudo systemctl stop taptable`) and ask again."
