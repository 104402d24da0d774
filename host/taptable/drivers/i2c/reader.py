"""One MFRC522 on an I2C bus, on the bus itself or behind a switch: its registers are read and written as they are
numbered, and a transfer of several bytes stays at its register, so that it is one for the FIFO alone. Knows the bus;
`rc522_reader` knows the chip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapshared import rc522
from tapshared.rc522_exchange import STATUS_READ

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
    """The registers of a chip. `tapshared` names them by the address bytes of SPI, which are shifted by one bit."""

    def __init__(self, bus: SharedBus, place: I2cPlace) -> None:
        self._bus = bus
        self._place = place

    def write(self, transfers: Sequence[bytes]) -> None:
        """Write registers. Each transfer has two bytes, as `rc522.write_transfer` makes them."""
        for address, value in transfers:
            self._bus.write(self._place, (_register(address), value))

    def write_fifo(self, data: bytes) -> None:
        """Write several bytes into the FIFO."""
        self._bus.write(self._place, (rc522.FIFO_DATA_REG, *data))

    def read(self, register: int) -> int:
        """Read a register."""
        return self._bus.read(self._place, register, 1)[0]

    def read_all(self, addresses: bytes) -> bytes:
        """Read several registers. `addresses` has an address byte for each, and a 0 at the end."""
        return bytes(self.read(_register(address)) for address in addresses[:-1])

    def read_fifo(self, count: int) -> bytes:
        """Read `count` bytes from the FIFO."""
        return self._bus.read(self._place, rc522.FIFO_DATA_REG, count) if count else b""

    def read_status(self) -> bytes:
        """Read the bytes that `Status` is made of."""
        return self.read_all(STATUS_READ)


def _register(address: int) -> int:
    """Return the number of the register in an address byte of SPI."""
    return address >> 1 & 0x3F
