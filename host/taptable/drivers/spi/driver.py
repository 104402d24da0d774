"""The kind ``spi``: pads whose reader, an MFRC522, is on an SPI bus of the Pi."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from taptable.drivers.header_lines import SPI_DEVICES, SPI_LINES, SPI_SELECTS, bus_and_device, line_address, spi_address
from taptable.drivers.interface import Address, DeviceContext, Driver, FoundPart, OpenedParts, Part, PartRole
from taptable.drivers.rc522 import GAIN
from taptable.schema.problems import join_words

if TYPE_CHECKING:
    from taptable.drivers.rc522_poller import Sleep
    from taptable.drivers.rc522_reader import PadReader
    from taptable.drivers.spi.pads import OpenSpiReader, SpiPad


class SpiDriver(Driver):
    """The driver of readers on SPI. `open_reader` opens one (None: on the Pi's bus), and `sleep` waits between two
    rounds of looks."""

    kind = "spi"
    roles = frozenset({PartRole.PAD})
    rank = 30
    accepts = join_words((f'"{spi_address(*device)}"' for device in SPI_DEVICES), "or")
    short = 'a reader on SPI, "spi:<bus>.<device>"'
    where = "on SPI"
    needs_pi = True
    examples = MappingProxyType({"seats.pad": "spi:0.1", "discard.pad": "spi:0.0", "pads.pad": "spi:1.0"})
    pad_keys = MappingProxyType({"reset": PartRole.RESET, **GAIN})
    most_pads = len(SPI_DEVICES)

    def __init__(self, open_reader: OpenSpiReader | None = None, sleep: Sleep = asyncio.sleep) -> None:
        self._open_reader = open_reader
        self._sleep = sleep

    def open_reader(self, place: SpiPad) -> PadReader:
        """Return the reader of a pad, set up. Raises DeviceError or OSError with what is missing."""
        if self._open_reader is not None:
            return self._open_reader(place)
        from taptable.drivers.spi.pads import open_on_bus

        return open_on_bus(place)

    def accepts_name(self, name: str) -> bool:
        """Return whether the Pi's header has this device, as `header_lines.SPI_DEVICES` lists them."""
        return name in [f"{bus}.{device}" for bus, device in SPI_DEVICES]

    def bus_lines(self, parts: Sequence[Part]) -> Mapping[Address, str]:
        """Return the lines of the buses in use."""
        lines: dict[Address, str] = {}
        for bus in SPI_LINES:
            devices = [device for own, device in (bus_and_device(part.address) for part in parts) if own == bus]
            if devices:
                # the system's overlays switch select lines on from the first one: all of them on bus 0, on bus 1 up to
                # the last one in use
                selects = SPI_SELECTS[bus] if bus == 0 else SPI_SELECTS[bus][: max(devices) + 1]
                lines |= {line_address(bcm): f"SPI bus {bus}" for bcm in (*SPI_LINES[bus], *selects)}
        return lines

    def free(self, taken: Collection[Address]) -> Sequence[Address]:
        """Return the devices that no part occupies."""
        return [spi_address(*device) for device in SPI_DEVICES if spi_address(*device) not in taken]

    def find(self) -> Sequence[FoundPart]:
        """Return the readers whose chip answers: those on buses that are switched on, with RST at 3V3. Reads one
        register of each device, which no reset line has to allow and no reader minds."""
        from taptable.drivers.spi.pads import find_on_bus

        return [
            FoundPart(
                spi_address(*place),
                self.roles,
                f"reader on SPI bus {place[0]}, device {place[1]}",
                str(spi_address(*place)),
            )
            for place in SPI_DEVICES
            if find_on_bus(*place)
        ]

    def boot_lines(self, parts: Sequence[Part]) -> Iterator[str]:
        """Return the lines that switch each bus on, with as many select lines as are used."""
        for bus in sorted({bus for bus, _ in (bus_and_device(part.address) for part in parts)}):
            yield boot_line(parts, bus)

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads on SPI, all of which take turns."""
        from taptable.drivers.rc522_poller import PolledPads, PolledParts
        from taptable.drivers.spi.pads import pads_at, readers_at

        pads = PolledPads(
            readers_at(pads_at(parts), self.open_reader),
            report=context.report,
            now_us=context.now_us,
            identify=context.identify,
            sleep=self._sleep,
            is_quiet=context.is_quiet,
        )
        return PolledParts(context, {"the readers": pads})


def boot_line(parts: Sequence[Part], bus: int) -> str:
    """Return the line of config.txt for one bus."""
    last = max(device for own, device in (bus_and_device(part.address) for part in parts) if own == bus)
    return "dtparam=spi=on" if bus == 0 else f"dtoverlay=spi{bus}-{last + 1}cs"
