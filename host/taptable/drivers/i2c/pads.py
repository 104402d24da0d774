"""The pads on I2C buses: where each reader is, and how it is opened. Must not know what a card is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tapshared.rc522 import GAIN_DB

from taptable.core.device_events import part_name
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.reader import I2cReader
from taptable.drivers.i2c_places import I2cPlace, place_of
from taptable.drivers.interface import Part
from taptable.drivers.rc522_pad import OpenReader
from taptable.drivers.rc522_reader import PadReader, sleep_us


@dataclass(frozen=True, slots=True)
class I2cPad:
    """A pad, the place of its reader, and the gain of the reader's receiver."""

    pad: Pad
    place: I2cPlace
    gain_db: int = GAIN_DB

    @property
    def part(self) -> str:
        """The pad's name in reports of its failure."""
        return part_name("pad", self.pad)


OpenI2cReader = Callable[[I2cPad, SharedBus], PadReader]


def open_on_bus(pad: I2cPad, bus: SharedBus, sleep_us: Callable[[int], None] = sleep_us) -> PadReader:
    """Open the reader of a pad, whose waits are `sleep_us`. Raises DeviceError with what is missing."""
    return I2cReader(bus, pad.place, gain_db=pad.gain_db, sleep_us=sleep_us)


def pads_at(parts: Sequence[Part]) -> list[I2cPad]:
    """Return the pads of these parts, the discard pad first."""
    pads = [I2cPad(part.pad, place_of(part.address), part.options["gain_db"]) for part in parts if part.pad is not None]
    return sorted(pads, key=lambda each: each.pad != DISCARD_PAD)


def buses_of(pads: Sequence[I2cPad]) -> dict[int, SharedBus]:
    """Return the buses of these pads by number, each with the places on it."""
    numbers = sorted({pad.place.bus for pad in pads})
    return {number: SharedBus(number, [pad.place for pad in pads if pad.place.bus == number]) for number in numbers}


def readers_on(bus: SharedBus, pads: Sequence[I2cPad], open_reader: OpenI2cReader) -> Mapping[Pad, OpenReader]:
    """Return how the reader of each pad on this bus is opened."""
    return {pad.pad: partial(open_reader, pad, bus) for pad in pads if pad.place.bus == bus.number}
