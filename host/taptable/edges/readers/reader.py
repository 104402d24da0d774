"""One MFRC522 on an SPI bus of the Pi: `mfrc522.MFRC522` with its register layer kept and its way of talking to cards
replaced, which waits by polling, knows no UID of 7 bytes and no second card. Finds cards; knows no pad and no time of
the table. Importing it needs RPi.GPIO and spidev, or the stand-ins for both."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from mfrc522 import MFRC522
from RPi import GPIO  # pyright: ignore[reportMissingModuleSource]  # it is there on a Pi only
from spidev import SpiDev  # pyright: ignore[reportMissingModuleSource]  # likewise
from tapshared import rc522, rc522_self_test
from tapshared.exchange import ANSWERED, COLLIDED, Answer, Exchange, air_us, sent_us
from tapshared.iso14443a import drive, find_cards
from tapshared.rc522_exchange import STATUS_READ, Status, sending

from taptable.core.errors import DeviceError
from taptable.edges.readers.pad import NoReader

_LOOKS = 4  # at the status after the time-out, before the chip is taken for lost
_LOOK_AGAIN_US = 250
_SELF_TEST_US = 1000  # the data sheet doesn't say how long it takes
_RESET_PULSE_US = 100  # NRSTPD has to be low for 100 ns (8.8.1)

_log = logging.getLogger(__name__)


def _rest_us(us: int) -> None:
    time.sleep(us / 1_000_000)


class Reader(MFRC522):
    """A reader at `spi:<bus>.<device>`; `pin_rst` is the BCM number of its reset pin, None where that is wired to 3V3.
    Opening it, like everything it is told to do, raises DeviceError where the chip doesn't answer as it should, and
    OSError where the bus fails.

    `pulse_reset`: no other reader hangs on that pin, so that it may go low, and be released at the end. `sleep_us`
    waits for what takes time.
    """

    def __init__(
        self,
        bus: int,
        device: int,
        *,
        pin_rst: int | None,
        speed_hz: int = 1_000_000,
        pulse_reset: bool = True,
        sleep_us: Callable[[int], None] = _rest_us,
    ) -> None:
        # The package's own constructor takes a reset pin even where there is none, and adds a handler to its log each
        # time.
        self.name = f"spi:{bus}.{device}"
        self.version = 0
        self.spi = SpiDev()
        self.logger = _log
        self._place = (bus, device, speed_hz)
        self._pin_rst = pin_rst
        self._pulse_reset = pulse_reset
        self._sleep_us = sleep_us
        self._field_is_on = False
        self._fifo_is_clear = False
        self.passes_self_test: bool | None = None
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
        """Open the bus and set the chip up: at first, and anew after a fault."""
        bus, device, speed_hz = self._place
        self.spi.close()
        self.spi.open(bus, device)
        self.spi.max_speed_hz = speed_hz
        self.MFRC522_Init()

    def MFRC522_Init(self) -> None:
        """Reset the chip, see that it is one, and set it up for what `look` does."""
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.output(self._pin_rst, GPIO.LOW)
            self._sleep_us(_RESET_PULSE_US)
            GPIO.output(self._pin_rst, GPIO.HIGH)
            self._sleep_us(rc522.WAKE_UP_US)
        self._reset()
        self.version = self.Read_MFRC522(rc522.VERSION_REG)
        if self.version in rc522.NO_CHIP:
            raise NoReader(self.name, self.version)
        self._check_self_test()
        for register, value in rc522.SET_UP:
            self.Write_MFRC522(register, value)

    def Close_MFRC522(self) -> None:
        """As `close`; the package's own would release every pin of this process."""
        self.close()

    def close(self) -> None:
        """Field off, bus closed, the pin released if it is this reader's alone."""
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(OSError):  # the bus may be what failed
            self.field_off()
        self.spi.close()
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.cleanup(self._pin_rst)

    def field_on(self) -> None:
        """Switch the field on, and wait until cards have their power; nothing if it is on."""
        if not self._field_is_on:
            self.Write_MFRC522(rc522.TX_CONTROL_REG, rc522.ANTENNA_ON)
            self._field_is_on = True
            self._sleep_us(rc522.SETTLE_US)

    def field_off(self) -> None:
        """Switch the field off; every card forgets what it was told."""
        self.Write_MFRC522(rc522.TX_CONTROL_REG, rc522.ANTENNA_OFF)
        self._field_is_on = False

    def look(self, known: Sequence[bytes] = ()) -> tuple[list[bytes], bool]:
        """The UIDs on the pad, and whether something was heard that led to none; `known` were there the last time."""
        return drive(find_cards(known), self._exchange)

    def self_test(self) -> bool | None:
        """Whether the chip passes its own test (data sheet 16.1.1); None where no right result is known. Resets it."""
        for register, data in rc522_self_test.WRITES:
            self._write(register, data)
        waited_us = 0
        while (level := self.Read_MFRC522(rc522.FIFO_LEVEL_REG)) < rc522.FIFO_BYTES and waited_us < 20 * _SELF_TEST_US:
            self._sleep_us(_SELF_TEST_US)
            waited_us += _SELF_TEST_US
        result = self._read_fifo(min(level, rc522.FIFO_BYTES))
        self._reset()
        expected = rc522_self_test.EXPECTED.get(self.version)
        return None if expected is None else result == expected

    def _check_self_test(self) -> None:
        """A chip that once passed its self-test, and now fails, is broken; one that never did may be a good copy."""
        passes = self.self_test()
        if self.passes_self_test and not passes:
            raise DeviceError(f"{self.name}: the reader fails its self-test, which it passed before")
        if passes is False:
            _log.warning("%s: fails its self-test, as some copies of the MFRC522 do", self.name)
        self.passes_self_test = passes

    def _reset(self) -> None:
        """Soft reset; all registers are as at power-up."""
        self.Write_MFRC522(rc522.COMMAND_REG, rc522.SOFT_RESET)
        self._sleep_us(rc522.WAKE_UP_US)
        self._field_is_on = False
        self._fifo_is_clear = True

    def _exchange(self, exchange: Exchange) -> Answer:
        """Send a frame and wait for its answer; DeviceError if the chip neither hears one nor sees its time run out."""
        for register, data in sending(exchange, flush=not self._fifo_is_clear):
            self._write(register, data)
        self._fifo_is_clear = False
        waited_us = air_us(exchange)
        self._sleep_us(waited_us)
        if not exchange.answer_bits:
            return Answer(ANSWERED)
        status = self._status()
        if status.outcome == Status.WAITING:
            self._sleep_us(max(0, sent_us(exchange) + rc522.TIMER_US - waited_us))
            status = self._status()
        looks = 1
        while status.outcome == Status.WAITING and looks < _LOOKS:
            self._sleep_us(_LOOK_AGAIN_US)
            status = self._status()
            looks += 1
        if status.outcome == Status.WAITING:
            raise DeviceError(f"{self.name}: the reader has stopped: no answer and no time-out")
        if status.outcome == Status.LOST:
            raise DeviceError(f"{self.name}: the reader is lost: its registers read as {status.values.hex(' ')}")
        if status.outcome not in (ANSWERED, COLLIDED):
            return status.answer()
        self._fifo_is_clear = True
        return status.answer(self._read_fifo(status.waiting_bytes))

    def _status(self) -> Status:
        return Status(bytes(self.spi.xfer2(list(STATUS_READ))[1:]), self.version)

    def _write(self, register: int, data: bytes) -> None:
        """Write one byte, or several to the FIFO in one transfer."""
        if len(data) == 1:
            self.Write_MFRC522(register, data[0])
        else:
            self.spi.xfer2([rc522.writing(register), *data])

    def _read_fifo(self, count: int) -> bytes:
        """Read so many bytes from the FIFO in one transfer."""
        if not count:
            return b""
        return bytes(self.spi.xfer2([rc522.reading(rc522.FIFO_DATA_REG)] * count + [0])[1:])
