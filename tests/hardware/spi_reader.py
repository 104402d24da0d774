"""A reader on the Pi's SPI to be tested: a real one, or the chip's model behind the stand-ins for `spidev` and
`RPi.GPIO`. Its transfers are counted where `mfrc522` makes them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from taptable.core.errors import DeviceError
from taptable.drivers.spi.pads import SpiPad, open_on_bus
from taptable.sim import spi_bus as spi
from taptable.sim.air import AirClock
from taptable.sim.cards import NfcCard, mifare_classic, ntag213
from taptable.sim.field import Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

from hardware.options import SpiPlace
from hardware.person import PATIENCE_S, Hand

ALONE = (
    "the stand-ins of another test are in the place of spidev: run tests/hardware in a process of its own, without -n"
)
SETTLED_LOOKS = 10
"""After this many equal looks in a row the hand is away."""
_PIN_RST = 25
_MODEL_UIDS = {4: bytes.fromhex("5e21c0a7"), 7: bytes.fromhex("04a2b3c4d5e680")}


class Counted:
    """As the `SpiDev` below it; `transfers` and `moved_bytes` since it was made."""

    def __init__(self, below: Any) -> None:
        self._below = below
        self.transfers = 0
        self.moved_bytes = 0

    def xfer2(self, values: list[int]) -> Sequence[int]:
        """Do one transfer."""
        self.transfers += 1
        self.moved_bytes += len(values)
        return self._below.xfer2(values)

    @property
    def max_speed_hz(self) -> int:
        """The speed of the SPI clock, in Hz."""
        return self._below.max_speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, speed_hz: int) -> None:
        self._below.max_speed_hz = speed_hz

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)


class ReaderUnderTest:
    """The table's own `Reader`, with its field on; `now_us` is the time that its looks take."""

    def __init__(self, reader: Any, hand: Hand, now_us: Callable[[], int]) -> None:
        self.reader = reader
        self.hand = hand
        self.now_us = now_us
        reader.field_on()

    def look(self, *known: bytes) -> tuple[tuple[bytes, ...], bool]:
        """The UIDs found, and whether something was garbled."""
        uids, garbled = self.reader.look(known)
        return tuple(uids), garbled

    def laid(self, uid_bytes: int) -> bytes:
        """Have a card laid, and return its UID once it lies still."""
        self.hand.lay(uid_bytes)
        what = f"one card of {uid_bytes} bytes is found"
        return self.look_until_stable(what, lambda uids: [len(uid) for uid in uids] == [uid_bytes])[0]

    def look_until_stable(self, what: str, fits: Callable[[tuple[bytes, ...]], bool]) -> tuple[bytes, ...]:
        """Look until the result satisfies `fits` `SETTLED_LOOKS` times in a row, and return it."""
        ends_us = self.now_us() + round(PATIENCE_S * 1_000_000)
        found: list[tuple[bytes, ...]] = []
        while len(found) < SETTLED_LOOKS:
            if self.now_us() > ends_us:
                pytest.fail(f"{what}: not within {PATIENCE_S:.0f} s")
            uids, _ = self.look()
            found = [*found, uids] if fits(uids) and found[-1:] in ([], [uids]) else []
        return found[-1]


class SpiReaderUnderTest(ReaderUnderTest):
    """One on SPI, whose transfers are counted."""

    def __init__(self, reader: Any, hand: Hand, now_us: Callable[[], int]) -> None:
        self.bus = reader.spi = Counted(reader.spi)
        super().__init__(reader, hand, now_us)

    def cost(self, *known: bytes) -> tuple[int, int, int]:
        """Transfers, bytes and µs of one look."""
        transfers, moved_bytes, begun_us = self.bus.transfers, self.bus.moved_bytes, self.now_us()
        self.look(*known)
        return self.bus.transfers - transfers, self.bus.moved_bytes - moved_bytes, self.now_us() - begun_us


def real_reader(place: SpiPlace, hand: Hand) -> SpiReaderUnderTest:
    """The one at that place; the test fails where none can be opened."""
    if getattr(sys.modules.get("spidev"), "SpiDev", None) is spi.SpiDev:
        pytest.fail(ALONE)
    try:
        reader = open_on_bus(SpiPad(1, place.bus, place.device, place.pin_rst))
    except DeviceError as error:
        pytest.fail(f"--spi: {error}")
    return SpiReaderUnderTest(reader, hand, lambda: time.monotonic_ns() // 1000)


class ModelHand:
    """Lays cards into a model field."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._lying: NfcCard | None = None

    def lay(self, uid_bytes: int) -> None:
        uid = _MODEL_UIDS[uid_bytes]
        self._lying = ntag213(uid) if uid_bytes == 7 else mifare_classic(uid)
        self._field.put(self._lying)

    def lift(self) -> None:
        assert self._lying is not None
        self._field.lift(self._lying)


def model_reader() -> SpiReaderUnderTest:
    """The chip's model, in the time of its field."""
    clock = AirClock()
    field = Field("pad", clock)
    spi.install(spi.Wiring({"spi:0.0": Mfrc522Chip(field)}, {_PIN_RST: ("spi:0.0",)}))
    from taptable.drivers.spi.reader import SpiReader  # it imports mfrc522, which wants the stand-ins there first

    reader = SpiReader(0, 0, pin_rst=_PIN_RST, sleep_us=clock.sleep_us)
    return SpiReaderUnderTest(reader, ModelHand(field), clock.now_us)
