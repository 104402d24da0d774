"""The kind ``i2c``: pads whose reader, an MFRC522 or a copy of it, is on an I2C bus, on the bus itself or behind a
switch (TCA9548A)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from taptable.drivers.header_lines import I2C_LINES, line_address, pi_model
from taptable.drivers.i2c_places import I2C_ON, I2C_SLOW, KIND, occupied_by, parse_place, place_of
from taptable.drivers.interface import Address, DeviceContext, Driver, FoundPart, OpenedParts, Part, PartRole
from taptable.drivers.rc522 import GAIN
from taptable.drivers.usb_ports import is_port

if TYPE_CHECKING:
    from taptable.drivers.i2c.bus import SharedBus
    from taptable.drivers.i2c.pads import I2cPad, OpenI2cReader
    from taptable.drivers.rc522_poller import Sleep
    from taptable.drivers.rc522_reader import PadReader

BOOT_LINES: Mapping[int, Sequence[str]] = MappingProxyType({0: ("dtparam=i2c_vc=on",), 1: (I2C_ON, I2C_SLOW)})
"""The lines of config.txt for the buses on the Pi's header. Others have an overlay of their own, or come by USB."""


def bus_numbers(root: Path = Path("/")) -> list[int]:
    """Return the numbers of the buses of the computer whose files are below `root`. Beside a Pi's these are those of
    adapters on USB: the others of a laptop belong to its mainboard, its battery and its screens."""
    names = [re.fullmatch(r"i2c-(\d+)", path.name) for path in (root / "dev").glob("i2c-*")]
    is_pi = pi_model(root) is not None
    return sorted(int(name[1]) for name in names if name is not None and (is_pi or _is_on_usb(root, name[0])))


def _is_on_usb(root: Path, name: str) -> bool:
    return any(is_port(part) for part in (root / "sys/class/i2c-dev" / name).resolve().parts)


class I2cDriver(Driver):
    """The driver of readers on I2C. `open_reader` opens one (None: on the computer's bus), `sleep` waits between two
    rounds of looks, and `bus_numbers` lists the buses that exist."""

    kind = KIND
    roles = frozenset({PartRole.PAD})
    rank = 35
    plugs_in = True
    accepts = '"i2c:1.0x28", or behind a switch "i2c:1.0x70/0" to "i2c:1.0x77/7"'
    short = 'a reader on I2C, "i2c:<bus>.<address>" or "i2c:<bus>.<switch>/<channel>"'
    where = "on I2C"
    examples = MappingProxyType(
        {"seats.pad": "i2c:1.0x70/1", "discard.pad": "i2c:1.0x70/0", "pads.pad": "i2c:1.0x70/7"}
    )
    pad_keys = GAIN

    def __init__(
        self,
        open_reader: OpenI2cReader | None = None,
        sleep: Sleep = asyncio.sleep,
        bus_numbers: Callable[[], Sequence[int]] = bus_numbers,
    ) -> None:
        self._open_reader = open_reader
        self._sleep = sleep
        self._bus_numbers = bus_numbers
        self._buses: dict[int, SharedBus] = {}  # all that this process has opened: it can lock each once

    def open_reader(self, pad: I2cPad, bus: SharedBus) -> PadReader:
        """Return the reader of a pad, set up. Raises DeviceError with what is missing."""
        if self._open_reader is not None:
            return self._open_reader(pad, bus)
        from taptable.drivers.i2c.pads import open_on_bus

        return open_on_bus(pad, bus)

    def accepts_name(self, name: str) -> bool:
        """Return whether this is a place on a bus, as `i2c_places.parse_place` reads it."""
        return parse_place(name) is not None

    def occupied(self, part: Part) -> Sequence[Part]:
        """Return the places of a reader: its own, and behind a switch the switch and the address, which are shared."""
        places = occupied_by(place_of(part.address), part.role)
        return [Part(part.key, role, address, part.pad) for role, address in places]

    def bus_lines(self, parts: Sequence[Part]) -> Mapping[Address, str]:
        """Return the lines of the buses in use."""
        buses = {place_of(part.address).bus for part in parts}
        return {line_address(bcm): f"I2C bus {bus}" for bus in sorted(buses) for bcm in I2C_LINES.get(bus, ())}

    def free(self, taken: Collection[Address]) -> str:
        """Return a sentence: any number of buses could be used."""
        del taken
        return 'two parts at one address need a switch between them, of which "i2c:1.0x70/0" is the first channel'

    def boot_lines(self, parts: Sequence[Part]) -> Iterator[str]:
        """Return the lines that switch the buses on the header on, at a speed for long leads."""
        # `parts` has the places of all drivers, a display's among them
        for bus in sorted({place_of(part.address).bus for part in parts if part.role is PartRole.PAD}):
            yield from BOOT_LINES.get(bus, ())

    def find(self) -> Sequence[FoundPart]:
        """Return the readers on all buses that exist. A bus whose readers another process uses is left out."""
        from taptable.drivers.i2c.finding import find_readers

        return find_readers(self._bus_numbers(), self._buses)

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads on I2C, those of each bus taking turns."""
        from taptable.drivers.i2c.pads import buses_of, pads_at, readers_on
        from taptable.drivers.rc522_poller import PolledPads, PolledParts

        pads = pads_at(parts)
        buses = buses_of(pads)
        for number, bus in buses.items():
            self._buses.setdefault(number, bus).add_places(bus.places)
        polled = {
            f"the readers on I2C bus {number}": PolledPads(
                readers_on(self._buses[number], pads, self.open_reader),
                report=context.report,
                now_us=context.now_us,
                identify=context.identify,
                sleep=self._sleep,
                is_quiet=context.is_quiet,
                begin_round=self._buses[number].begin_round,
            )
            for number in buses
        }
        return PolledParts(context, polled)
