"""One MFRC522 on an SPI bus of the Pi. Reads and writes single registers by the methods of the package `mfrc522`, if it
is installed; several bytes go in one transfer past them. Does not use the package's way of talking to cards, which
waits by polling and knows no UID of 7 bytes and no second card. Finds cards; knows no pad and no table time. Importing
it needs RPi.GPIO and spidev, or the stand-ins for both."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from RPi import GPIO  # pyright: ignore[reportMissingModuleSource]  # exists on a Pi only
from spidev import SpiDev  # pyright: ignore[reportMissingModuleSource]  # likewise
from tapshared import rc522
from tapshared.rc522_chip import Chip
from tapshared.rc522_exchange import STATUS_READ
from tapshared.rc522_talk import LostChip, NoChip

from taptable.core.errors import DeviceError
from taptable.drivers.spi.pad import FailingReader, NoReader


class OwnRegisters:
    """Reads and writes single registers as the package `mfrc522` does, whose own requirements only a Pi can build. An
    address is sent shifted by one bit, with the highest bit set to read (data sheet 8.1.2.3)."""

    spi: SpiDev

    def Write_MFRC522(self, addr: int, val: int) -> None:
        """Write a register."""
        self.spi.xfer2([addr << 1 & 0x7E, val])

    def Read_MFRC522(self, addr: int) -> int:
        """Read a register."""
        return self.spi.xfer2([addr << 1 & 0x7E | 0x80, 0])[1]


if TYPE_CHECKING:
    from mfrc522 import MFRC522 as Registers
else:
    try:
        from mfrc522 import MFRC522 as Registers
    except ModuleNotFoundError:
        Registers = OwnRegisters

_RESET_PULSE_US = 100  # NRSTPD has to be low for 100 ns (8.8.1)

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


def _sleep_us(us: int) -> None:
    time.sleep(us / 1_000_000)


class SpiReader(Registers):
    """A reader at `spi:<bus>.<device>`. `pin_rst` is the BCM number of its reset pin, None if that is wired to 3V3. The
    constructor and all methods raise DeviceError if the chip doesn't answer as it should, and OSError if the bus fails.

    `pulse_reset`: no other reader is on that pin, so that it may go low, and be released at the end. `gain_db` is the
    receiver's gain, one of `rc522.GAINS`. `sleep_us` waits."""

    def __init__(
        self,
        bus: int,
        device: int,
        *,
        pin_rst: int | None,
        speed_hz: int = 1_000_000,
        pulse_reset: bool = True,
        gain_db: int = rc522.GAIN_DB,
        sleep_us: Callable[[int], None] = _sleep_us,
    ) -> None:
        # The package's own constructor isn't called: it drives a reset pin even if none is wired, and adds a handler to
        # its log each time.
        self.name = f"spi:{bus}.{device}"
        self.spi = SpiDev()
        self._place = (bus, device, speed_hz)
        self._pin_rst = pin_rst
        self._pulse_reset = pulse_reset
        self._sleep_us = sleep_us
        self._chip = Chip(_Bus(self))
        self._chip.gain_db = gain_db
        self.unread: list[bytes] = []
        self._is_closed = False
        if pin_rst is not None:
            GPIO.setmode(GPIO.BCM)
            GPIO.setup(pin_rst, GPIO.OUT, initial=GPIO.HIGH)
        try:
            self.restart()
        except (DeviceError, OSError):
            self.close()
            raise

    def restart(self) -> None:
        """Open the bus, reset the chip, and set it up."""
        bus, device, speed_hz = self._place
        self.spi.close()
        self.spi.open(bus, device)
        self.spi.max_speed_hz = speed_hz
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.output(self._pin_rst, GPIO.LOW)
            self._sleep_us(_RESET_PULSE_US)
            GPIO.output(self._pin_rst, GPIO.HIGH)
            self._sleep_us(rc522.WAKE_UP_US)
        self._run(self._chip.start())
        if self._chip.passes_self_test is False:
            _log.warning(
                "Reader self-test failed (%s), as on some copies of the MFRC522: it is used all the same; replace it if"
                " it misses cards",
                self.name,
            )

    def close(self) -> None:
        """Switch the field off, close the bus, and release the pin if it is this reader's alone."""
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(OSError):  # the bus itself may have failed
            self.field_off()
        self.spi.close()
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.cleanup(self._pin_rst)

    Close_MFRC522 = close  # the package's own would release every pin of this process

    @property
    def version(self) -> int:
        """The value of the chip's version register at set-up."""
        return self._chip.version

    @property
    def passes_self_test(self) -> bool | None:
        """Whether the chip passed its self-test when it was set up; None for one whose right result is unknown."""
        return self._chip.passes_self_test

    def set_gain(self, gain_db: int) -> None:
        """Set the chip up again, with this gain from now on."""
        self._chip.gain_db = gain_db
        self.restart()

    def field_on(self) -> None:
        """Switch the field on, and wait until cards have power. Does nothing if it is on."""
        self._run(self._chip.field_on())

    def field_off(self) -> None:
        """Switch the field off, which resets every card in it."""
        self._chip.field_off()

    def look(self, known: Sequence[bytes] = ()) -> tuple[list[bytes], bool]:
        """Return the UIDs on the pad, and whether an answer was received that gave no UID. `known` are the UIDs of the
        last look. Sets `unread` to the bytes resolved of each card that couldn't be selected."""
        self.unread = []
        return self._run(self._chip.look(known, None, self.unread.append))

    def check(self) -> None:
        """Compare the chip's registers with the values of its set-up. Raises DeviceError with the one that differs."""
        try:
            self._chip.check()
        except LostChip as lost:
            raise FailingReader(f"{self.name}: {lost}") from lost

    @property
    def set_ups(self) -> int:
        """How often the chip was set up."""
        return self._chip.starts

    @property
    def wrong_registers(self) -> int:
        """How many registers were found wrong."""
        return self._chip.registers.mismatches

    def self_test(self) -> bool | None:
        """Run the chip's self-test (data sheet 16.1.1), which resets it. Return whether it passed, or None if the right
        result is unknown."""
        return self._run(self._chip.self_test())

    def _run(self, steps: Generator[int, None, _Result]) -> _Result:
        """Run a sequence of steps of the chip to its end, with sleeps in between."""
        try:
            while True:
                self._sleep_us(next(steps))
        except StopIteration as end:
            return end.value
        except NoChip as none:
            raise NoReader(self.name, none.version) from none
        except LostChip as lost:
            raise FailingReader(f"{self.name}: {lost}") from lost


class _Bus:
    """The bus of a chip: single registers by the package's methods, several bytes in one transfer past them."""

    def __init__(self, reader: SpiReader) -> None:
        self._reader = reader

    def write(self, transfers: Sequence[bytes]) -> None:
        """Write registers. Each transfer has two bytes, as `rc522.write_transfer` makes them."""
        for address, value in transfers:
            self._reader.Write_MFRC522(address >> 1, value)

    def write_fifo(self, data: bytes) -> None:
        """Write several bytes into the FIFO."""
        self._transfer([rc522.write_address(rc522.FIFO_DATA_REG), *data])

    def read(self, register: int) -> int:
        """Read a register."""
        return self._reader.Read_MFRC522(register)

    def read_all(self, addresses: bytes) -> bytes:
        """Read several registers. `addresses` has an address byte for each, and a 0 at the end."""
        return self._transfer(list(addresses))

    def read_fifo(self, count: int) -> bytes:
        """Read `count` bytes from the FIFO."""
        if not count:
            return b""
        return self._transfer([rc522.read_address(rc522.FIFO_DATA_REG)] * count + [0])

    def read_status(self) -> bytes:
        """Read the values that `rc522_exchange.Status.update` takes, in one transfer."""
        return self._transfer(list(STATUS_READ))

    def _transfer(self, sent: list[int]) -> bytes:
        return bytes(self._reader.spi.xfer2(sent)[1:])
