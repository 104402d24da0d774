"""What is examined: a table by its configuration, the computer it stands on, how its devices are opened, and whether
somebody has them already; and where its wires go on the header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from taptable.config import Config, OnGpio
from taptable.config.wiring import BUS_LINES, BUS_SELECTS
from taptable.daemon.devices import Openers, spi_places
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault
from taptable.drivers.spi.pad import SpiPad

_DOWN_THE_HEADER = (
    *((2, 3), (3, 5), (4, 7), (14, 8), (15, 10), (17, 11), (18, 12), (27, 13), (22, 15), (23, 16), (24, 18), (10, 19)),
    *((9, 21), (25, 22), (11, 23), (8, 24), (7, 26), (5, 29), (6, 31), (12, 32), (13, 33), (19, 35), (16, 36)),
    *((26, 37), (20, 38), (21, 40)),
)

PLACES: Mapping[int, int] = MappingProxyType(dict(_DOWN_THE_HEADER))
"""The place on the 40-pin header of each BCM number."""


def pin(bcm: int) -> str:
    """A pin as it is found on the header: *GPIO17 (pin 11)*."""
    return f"GPIO{bcm} (pin {PLACES[bcm]})"


def reader_wires(bus: int, device: int) -> str:
    """What connects a reader to its SPI bus, by the names printed on its board."""
    miso, mosi, sck = BUS_LINES[bus]
    select = BUS_SELECTS[bus][device]
    return f"SDA to {pin(select)}, SCK to {pin(sck)}, MOSI to {pin(mosi)}, MISO to {pin(miso)}"


def shared_wires(bus: int) -> str:
    """The wires that all readers of a bus share."""
    miso, mosi, sck = BUS_LINES[bus]
    return f"SCK to {pin(sck)}, MOSI to {pin(mosi)}, MISO to {pin(miso)}"


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


def closed(computer: Computer, path: str, name: str, part: str) -> Finding | None:
    """The fault, if whoever runs the table may not read and write what is at `path`; None if he may."""
    try:
        if computer.may_use(path):
            return None
        group = computer.group_of(path)
    except OSError as error:
        return fault(name, part, f"{path} can't be looked at: {error.strerror}", "Unplug it and plug it in again.")
    user = computer.player.name
    found = f"{path} is closed to {user}: it belongs to the group {group}"
    if group in ("root", "0"):
        return fault(name, part, found, "Install the package again: its udev rules give the device to a group.")
    again = "log out and in again" if computer.player is computer.me else "`sudo systemctl restart taptable`"
    return fault(name, part, found, f"`sudo usermod -aG {group} {user}`, then {again}.")
