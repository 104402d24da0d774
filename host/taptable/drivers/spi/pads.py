"""The pads on the Pi's SPI: where each reader is, and how it is opened. Must not know what a card is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tapshared.rc522 import GAIN_DB

from taptable.core.device_events import part_name
from taptable.core.errors import DeviceError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.header_lines import bcm_of, bus_and_device
from taptable.drivers.interface import Part
from taptable.drivers.rc522 import CHIPS
from taptable.drivers.rc522_pad import OpenReader
from taptable.drivers.rc522_reader import PadReader, sleep_us


@dataclass(frozen=True, slots=True)
class SpiPad:
    """A pad and its reader's place: `spi:<bus>.<device>`, and its reset pin by BCM number, None if that is wired to
    3V3. `own_reset`: no other reader is on that pin. `gain_db` is the receiver's gain."""

    pad: Pad
    bus: int
    device: int
    pin_rst: int | None
    speed_hz: int = 1_000_000
    own_reset: bool = True
    gain_db: int = GAIN_DB

    @property
    def part(self) -> str:
        """The pad's name in reports of its failure."""
        return part_name("pad", self.pad)


OpenSpiReader = Callable[[SpiPad], PadReader]

FIND_HZ = 500_000
"""The clock of the bus in Hz while readers are looked for: slow enough for long leads."""


def find_on_bus(bus: int, device: int) -> str:
    """Return the name of the chip of a reader on the bus, by its version register; "" if no reader answers there."""
    try:
        from spidev import SpiDev  # pyright: ignore[reportMissingModuleSource]  # exists on a Pi only
        from tapshared.rc522 import VERSION_REG, read_address

        spi = SpiDev()
        spi.open(bus, device)
        try:
            spi.max_speed_hz = FIND_HZ
            return CHIPS.get(spi.xfer2([read_address(VERSION_REG), 0])[1], "")
        finally:
            spi.close()
    except (ImportError, OSError):
        return ""


def open_on_bus(place: SpiPad, sleep_us: Callable[[int], None] = sleep_us) -> PadReader:
    """Open the reader of a pad, whose waits are `sleep_us`. Raises DeviceError with what is missing."""
    try:
        from taptable.drivers.spi.reader import SpiReader  # imports RPi.GPIO and spidev, which may be missing

        return SpiReader(
            place.bus,
            place.device,
            pin_rst=place.pin_rst,
            speed_hz=place.speed_hz,
            pulse_reset=place.own_reset,
            gain_db=place.gain_db,
            sleep_us=sleep_us,
        )
    except DeviceError:
        raise
    except OSError as error:
        raise DeviceError(f"spi:{place.bus}.{place.device} can't be opened ({error}): is SPI enabled?") from error
    except Exception as error:  # off a Pi RPi.GPIO fails in many ways, and its replacement on a Pi 5 in others
        raise DeviceError(f"spi:{place.bus}.{place.device}: mfrc522 can't be used here: {error}") from error


def readers_at(places: Sequence[SpiPad], open_reader: OpenSpiReader) -> Mapping[Pad, OpenReader]:
    """Return how the reader of each pad is opened. Only a reader alone on its reset pin may pull that."""
    pins = Counter(place.pin_rst for place in places)
    return {place.pad: partial(open_reader, replace(place, own_reset=pins[place.pin_rst] == 1)) for place in places}


def pads_at(parts: Sequence[Part]) -> list[SpiPad]:
    """Return the pads of these parts, the discard pad first."""
    pads: list[SpiPad] = []
    for part in parts:
        assert part.pad is not None
        bus, device = bus_and_device(part.address)
        reset = part.options["reset"]
        pin_rst = None if reset is None else bcm_of(reset)
        pads.append(SpiPad(part.pad, bus, device, pin_rst=pin_rst, gain_db=part.options["gain_db"]))
    return sorted(pads, key=lambda place: place.pad != DISCARD_PAD)
