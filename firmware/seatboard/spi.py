"""The registers of the reader chip over SPI, one transfer each: the bus that `rc522_chip` needs; and the chip's supply.
Knows no card."""

import sys

from machine import SPI, Pin
from seatboard import pins
from tapshared import rc522
from tapshared.rc522_exchange import STATUS_READ

_FIFO_READ = memoryview(bytes((rc522.read_address(rc522.FIFO_DATA_REG),)) * rc522.FIFO_BYTES + b"\x00")
_FIFO_WRITE = bytes((rc522.write_address(rc522.FIFO_DATA_REG),))
_HAS_RADIO = " W " in getattr(sys.implementation, "_machine", "")  # on a Pico W that pin switches the radio on


def quiet_supply():
    """Keep the regulator that feeds the chip at a constant rate, so that its 3.3 V is smooth (Pico data sheet, 4.4)."""
    if not _HAS_RADIO:
        Pin(pins.QUIET_SUPPLY, Pin.OUT, value=1)


class SpiBus:
    """The SPI bus with one chip on it, whose supply it makes quiet."""

    def __init__(self):
        quiet_supply()
        self._spi = SPI(
            pins.SPI_ID,
            baudrate=pins.SPI_HZ,
            polarity=0,
            phase=0,
            sck=Pin(pins.SPI_SCK),
            mosi=Pin(pins.SPI_MOSI),
            miso=Pin(pins.SPI_MISO),
        )
        self._select = Pin(pins.READER_CS, Pin.OUT, value=1)
        self._fifo = memoryview(bytearray(len(_FIFO_READ)))
        self._status = bytearray(len(STATUS_READ))
        self._values = memoryview(self._status)[1:]

    def write(self, transfers):
        """Send transfers of two bytes, as `rc522.write_transfer` makes them."""
        select, write = self._select, self._spi.write
        for transfer in transfers:
            select(0)
            write(transfer)
            select(1)

    def write_fifo(self, data):
        """Write several bytes into the FIFO."""
        self._select(0)
        self._spi.write(_FIFO_WRITE + data)
        self._select(1)

    def read(self, register):
        """Return the value of a register."""
        return self._transfer(bytes((rc522.read_address(register), 0)), bytearray(2))[1]

    def read_all(self, addresses):
        """Return the values of several registers; `addresses` holds an address byte for each, and a 0 at the end."""
        return bytes(self._transfer(addresses, bytearray(len(addresses)))[1:])

    def read_fifo(self, count):
        """Read `count` bytes from the FIFO."""
        if not count:
            return b""
        return bytes(self._transfer(_FIFO_READ[-1 - count :], self._fifo[-1 - count :])[1:])

    def read_status(self):
        """Read the values that `Status.update` takes, in one transfer; valid until the next."""
        self._transfer(STATUS_READ, self._status)
        return self._values

    def _transfer(self, sent, read):
        self._select(0)
        self._spi.write_readinto(sent, read)
        self._select(1)
        return read
