"""Places on I2C buses, as addresses spell them, and the Pi's settings for its bus. The drivers of readers and of
the display share them, since both may be on one bus."""

from __future__ import annotations

import re
from dataclasses import dataclass

from taptable.drivers.interface import Address, PartRole

KIND = "i2c"

READER = 0x28
"""The address of an MFRC522 whose address pins are low; an address behind a switch leaves it out."""
SWITCHES = range(0x70, 0x78)
"""The addresses that a TCA9548A can have."""
CHANNELS = range(8)
_ADDRESSES = range(0x03, 0x78)

I2C_ON = "dtparam=i2c_arm=on"
FAST_HZ, LONG_LEADS_HZ = 400_000, 100_000
"""The speed at which a whole picture is sent in 23 ms, and the one that leads of 1 m allow. With readers on the bus the
second holds: a display sends mostly changes, which are small."""
I2C_FAST = f"dtparam=i2c_arm_baudrate={FAST_HZ}"
I2C_SLOW = f"dtparam=i2c_arm_baudrate={LONG_LEADS_HZ}"

_HEX = "0x[0-7][0-9a-fA-F]"
_NAME = re.compile(rf"(0|[1-9][0-9]?)\.({_HEX})(?:/([0-7])(?:\.({_HEX}))?)?")


@dataclass(frozen=True, slots=True)
class I2cPlace:
    """A device at `address` on a bus, or on a channel of the `switch` there (None: on the bus itself)."""

    bus: int
    address: int
    switch: int | None = None
    channel: int = 0

    def __str__(self) -> str:
        """Return the name in an address: ``1.0x28``, ``1.0x70/3``, ``1.0x70/3.0x2c``."""
        if self.switch is None:
            return f"{self.bus}.0x{self.address:02x}"
        behind = "" if self.address == READER else f".0x{self.address:02x}"
        return f"{self.bus}.0x{self.switch:02x}/{self.channel}{behind}"

    def spell(self) -> str:
        """Spell the place for people: *I²C bus 1, switch 0x70, channel 3*."""
        where = f"I²C bus {self.bus}"
        if self.switch is not None:
            where += f", switch 0x{self.switch:02x}, channel {self.channel}"
        return where if self.address == READER else f"{where}, address 0x{self.address:02x}"


def parse_place(name: str) -> I2cPlace | None:
    """Return the place that a name in an address means, or None. A device behind a switch can't have an address at
    which switches may be."""
    if (found := _NAME.fullmatch(name)) is None:
        return None
    bus, first = int(found[1]), int(found[2], 16)
    if found[3] is None:
        return I2cPlace(bus, first) if first in _ADDRESSES else None
    address = int(found[4], 16) if found[4] else READER
    if first not in SWITCHES or address not in _ADDRESSES or address in SWITCHES:
        return None
    return I2cPlace(bus, address, first, int(found[3]))


def place_of(address: Address) -> I2cPlace:
    """Return the place in an address that the driver has accepted."""
    place = parse_place(address.name)
    assert place is not None
    return place


def i2c_address(place: I2cPlace) -> Address:
    """Return the address of a place."""
    return Address(KIND, str(place))


def occupied_by(place: I2cPlace, role: PartRole) -> list[tuple[PartRole, Address]]:
    """Return the addresses that a device of this role occupies. Behind a switch: the switch and the address on the bus,
    both shared with other devices behind switches, since of their channels one is connected at a time."""
    occupied = [(role, i2c_address(place))]
    if place.switch is not None:
        shared = (I2cPlace(place.bus, place.switch), I2cPlace(place.bus, place.address))
        occupied += [(PartRole.SWITCH, i2c_address(each)) for each in shared]
    return occupied
