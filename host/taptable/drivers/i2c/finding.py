"""Looks for readers on I2C buses that nobody has named, without harm to other devices there: a device is read before it
is written to, and written to only if it looks like a switch or a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tapshared.rc522 import VERSION_REG

from taptable.core.errors import DeviceError
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c_places import CHANNELS, READER, SWITCHES, I2cPlace, i2c_address
from taptable.drivers.interface import FoundPart, PartRole
from taptable.drivers.rc522 import CHIPS

ADDRESSES = (READER, 0x2C)
"""The addresses of the readers that are sold with a plug."""

_USER = "search"
_TRIED = (0x00, 0x01, 0x02)


def find_readers(numbers: Sequence[int], opened: Mapping[int, SharedBus]) -> list[FoundPart]:
    """Return the readers on the buses of these numbers. `opened` are those that this process uses."""
    found: list[FoundPart] = []
    for number in numbers:
        bus = opened.get(number) or SharedBus(number)
        try:
            bus.open(_USER)
        except DeviceError:  # gone, closed to this user, or in use by another process
            continue
        try:
            with bus.lock:
                bus.begin_round()
                places = list(readers_on(bus))
        except DeviceError:  # the bus hangs: nothing can be found there
            places = []
        finally:
            bus.release(_USER)
        for place, version in places:
            found.append(_found_part(place, version, len([part for part in found if part.device == f"i2c:{number}"])))
    return found


def readers_on(bus: SharedBus) -> Iterator[tuple[I2cPlace, int]]:
    """Yield each reader on an open bus, with the value of its version register. Raises DeviceError if the bus fails."""
    # a switch that is connected would show what is behind it as if it was on the bus
    switches = switches_on(bus)
    bus.switches |= set(switches)
    free = list(ADDRESSES)
    for address in ADDRESSES:
        place = I2cPlace(bus.number, address)
        if (version := version_at(bus, place)) is not None:
            free.remove(address)  # whatever this is, it would answer together with a part behind a switch
            if version in CHIPS:
                yield place, version
    for switch in switches:
        for channel in CHANNELS:
            for address in free:
                place = I2cPlace(bus.number, address, switch, channel)
                if (version := version_at(bus, place)) is not None and version in CHIPS:
                    yield place, version


def switches_on(bus: SharedBus) -> list[int]:
    """Return the addresses of the switches on an open bus, with all their channels disconnected."""
    return [address for address in SWITCHES if address in bus.switches or _is_switch(bus, address)]


def version_at(bus: SharedBus, place: I2cPlace) -> int | None:
    """Return the value of the version register of a device; None if nothing answers there."""
    try:
        bus.connect(place)
        # a byte of a reader in use might be one of its FIFO
        if place not in bus.places and bus.read_byte(place.address) is None:
            return None
        return bus.read(place, VERSION_REG, 1)[0]
    except DeviceError:
        bus.require_alive()
        return None


def _is_switch(bus: SharedBus, address: int) -> bool:
    """Return whether a device is a switch: it reads as one byte again and again, and as what was written to it. Other
    devices at such an address take one byte as the number of a register, and none of these values is a command."""
    place = I2cPlace(bus.number, address)
    try:
        if (first := bus.read_byte(address)) is None:
            return False
        if bus.read_plain(place, 4) != bytes([first]) * 4:
            return False
        for value in _TRIED:
            bus.write(place, [value])
            if bus.read_plain(place, 1) != bytes([value]):
                return False
        bus.write(place, [0])
    except DeviceError:
        bus.require_alive()
        return False
    return True


def _found_part(place: I2cPlace, version: int, before: int) -> FoundPart:
    product = CHIPS[version].partition(",")[0]
    return FoundPart(
        i2c_address(place),
        frozenset({PartRole.PAD}),
        f"reader on {place.spell()}",
        device=f"i2c:{place.bus}",
        number=before + 1,
        product=product,
    )
