"""One MFRC522 on an SPI bus of the Pi. Reads and writes single registers by the methods of the package `mfrc522`, if it
is installed; several bytes go in one transfer past them. Does not use the package's way of talking to cards, which
waits by polling and knows no UID of 7 bytes and no second card. Knows the bus and the reset pin; `rc522_reader` knows
the chip. Importing it needs RPi.GPIO and spidev, or the stand-ins for both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from RPi import GPIO  # pyright: ignore[reportMissingModuleSource]  # exists on a Pi only
from spidev import SpiDev  # pyright: ignore[reportMissingModuleSource]  # likewise
from tapshared import rc522
from tapshared.rc522_exchange import STATUS_READ

from taptable.drivers.rc522_reader import Rc522Reader, sleep_us


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
_WIRES = "check its power, the wires to MISO, MOSI, SCK and SDA, and that SPI is enabled"


class SpiReader(Rc522Reader, Registers):
    """A reader at `spi:<bus>.<device>`. `pin_rst` is the BCM number of its reset pin, None if that is wired to 3V3.

    `pulse_reset`: no other reader is on that pin, so that it may go low, and be released at the end."""

    def __init__(
        self,
        bus: int,
        device: int,
        *,
        pin_rst: int | None,
        speed_hz: int = 1_000_000,
        pulse_reset: bool = True,
        gain_db: int = rc522.GAIN_DB,
        sleep_us: Callable[[int], None] = sleep_us,
    ) -> None:
        # The package's own constructor isn't called: it drives a reset pin even if none is wired, and adds a handler to
        # its log each time.
        Rc522Reader.__init__(self, f"spi:{bus}.{device}", _Bus(self), gain_db=gain_db, sleep_us=sleep_us, wires=_WIRES)
        self.spi = SpiDev()
        self._place = (bus, device, speed_hz)
        self._pin_rst = pin_rst
        self._pulse_reset = pulse_reset
        if pin_rst is not None:
            GPIO.setmode(GPIO.BCM)
            GPIO.setup(pin_rst, GPIO.OUT, initial=GPIO.HIGH)
        self.start()

    def _open(self) -> None:
        """Open the bus, and pull the reset pin."""
        bus, device, speed_hz = self._place
        self.spi.close()
        self.spi.open(bus, device)
        self.spi.max_speed_hz = speed_hz
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.output(self._pin_rst, GPIO.LOW)
            self._sleep_us(_RESET_PULSE_US)
            GPIO.output(self._pin_rst, GPIO.HIGH)
            self._sleep_us(rc522.WAKE_UP_US)

    def _release(self) -> None:
        """Close the bus, and release the pin if it is this reader's alone."""
        self.spi.close()
        if self._pin_rst is not None and self._pulse_reset:
            GPIO.cleanup(self._pin_rst)

    def Close_MFRC522(self) -> None:
        """Close this reader; the package's own method would release every pin of this process."""
        self.close()


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
