"""One MFRC522 on an I2C bus, on the bus itself or behind a switch: its registers are read and written as they are
numbered, and a transfer of several bytes stays at its register, so that it is one for the FIFO alone. Knows the bus;
`rc522_reader` knows the chip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapshared import rc522

from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c_places import I2cPlace, i2c_address
from taptable.drivers.rc522_reader import Rc522Reader, sleep_us

_WIRES = "check its lead, and that nothing else is at its address"


class I2cReader(Rc522Reader):
    """A reader at a place on a bus."""

    def __init__(
        self,
        bus: SharedBus,
        place: I2cPlace,
        *,
        gain_db: int = rc522.GAIN_DB,
        sleep_us: Callable[[int], None] = sleep_us,
    ) -> None:
        name = str(i2c_address(place))
        super().__init__(name, _Registers(bus, place), gain_db=gain_db, sleep_us=sleep_us, wires=_WIRES)
        self._bus = bus
        self.start()

    def _open(self) -> None:
        """Open the bus unless another reader has."""
        self._bus.open(self.name)

    def _release(self) -> None:
        """Release the bus."""
        self._bus.release(self.name)


class _Registers:
    """The registers of a chip. `tapshared` names them by the address bytes of SPI, which are shifted by one bit.

    Every register costs a transaction of its own, 0.4 ms at 100 kHz. So the status of an exchange is read only as far
    as it means something; that the chip is lost is noticed by its missing acknowledgement."""

    def __init__(self, bus: SharedBus, place: I2cPlace) -> None:
        self._bus = bus
        self._place = place
        self._version = 0

    def write(self, transfers: Sequence[bytes]) -> None:
        """Write registers. Each transfer has two bytes, as `rc522.write_transfer` makes them."""
        for address, value in transfers:
            self._bus.write(self._place, (_register(address), value))

    def write_fifo(self, data: bytes) -> None:
        """Write several bytes into the FIFO."""
        self._bus.write(self._place, (rc522.FIFO_DATA_REG, *data))

    def read(self, register: int) -> int:
        """Read a register."""
        value = self._bus.read(self._place, register, 1)[0]
        if register == rc522.VERSION_REG:
            self._version = value
        return value

    def read_all(self, addresses: bytes) -> bytes:
        """Read several registers. `addresses` has an address byte for each, and a 0 at the end."""
        return bytes(self.read(_register(address)) for address in addresses[:-1])

    def read_fifo(self, count: int) -> bytes:
        """Read `count` bytes from the FIFO."""
        return self._bus.read(self._place, rc522.FIFO_DATA_REG, count) if count else b""

    def read_status(self) -> bytes:
        """Read the bytes that `Status` is made of, in the order of `STATUS_READ`, where they mean something. The
        version is the one that was last read."""
        irq, error, level, control, coll = self.read(rc522.COM_IRQ_REG), 0, 0, 0, 0
        if irq & rc522.RX_IRQ:
            error, level = self.read(rc522.ERROR_REG), self.read(rc522.FIFO_LEVEL_REG)
            if error & rc522.COLL_ERR:
                coll = self.read(rc522.COLL_REG)
            else:
                control = self.read(rc522.CONTROL_REG)
        return bytes((irq, error, level, control, coll, self._version))


def _register(address: int) -> int:
    """Return the number of the register in an address byte of SPI."""
    return address >> 1 & 0x3F
