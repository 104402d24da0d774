"""The Pi's 40-pin header: its lines by BCM number, their places on the header, and the lines that its buses occupy. The
drivers `gpio` and `spi` accept the addresses that are listed here, and no others; and whether this computer has such a
header. Must not know what is connected."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from taptable.drivers.interface import Address

LINES = range(2, 28)
"""The BCM numbers that ``gpio:<number>`` accepts: the lines of the header except 0 and 1, which belong to the memory of
add-on boards."""

SPI_DEVICES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
"""The buses and devices that ``spi:<bus>.<device>`` accepts: those that the Pi has on its header."""

SPI_LINES: Mapping[int, tuple[int, int, int]] = MappingProxyType({0: (9, 10, 11), 1: (19, 20, 21)})
SPI_SELECTS: Mapping[int, tuple[int, ...]] = MappingProxyType({0: (8, 7), 1: (18, 17, 16)})
"""BCM numbers of MISO, MOSI and SCK of each SPI bus, and of its select lines by device."""

I2C_LINES: Mapping[int, tuple[int, int]] = MappingProxyType({0: (0, 1), 1: (2, 3)})
"""BCM numbers of SDA and SCL of each I2C bus."""

_PIN_PAIRS = (
    *((2, 3), (3, 5), (4, 7), (14, 8), (15, 10), (17, 11), (18, 12), (27, 13), (22, 15), (23, 16), (24, 18), (10, 19)),
    *((9, 21), (25, 22), (11, 23), (8, 24), (7, 26), (5, 29), (6, 31), (12, 32), (13, 33), (19, 35), (16, 36)),
    *((26, 37), (20, 38), (21, 40)),
)

HEADER_PINS: Mapping[int, int] = MappingProxyType(dict(_PIN_PAIRS))
"""The pin on the 40-pin header of each BCM number."""


def pi_model(root: Path = Path("/")) -> str | None:
    """Return the model of the Raspberry Pi whose files are below `root`; None if it is another computer."""
    try:
        model = (root / "proc/device-tree/model").read_text(encoding="utf-8", errors="replace").strip("\0\n")
    except OSError:
        return None
    return model if model.startswith("Raspberry Pi") else None


def line_address(bcm: int) -> Address:
    """Return the address of a line of the header."""
    return Address("gpio", str(bcm))


def spi_address(bus: int, device: int) -> Address:
    """Return the address of a device on SPI."""
    return Address("spi", f"{bus}.{device}")


def bus_and_device(address: Address) -> tuple[int, int]:
    """Return the bus and device numbers in an SPI address."""
    bus, device = address.name.split(".")
    return int(bus), int(device)


def bcm_of(address: Address) -> int:
    """Return the BCM number in a line's address."""
    return int(address.name)


def spell_pin(bcm: int) -> str:
    """Spell a line for people: *GPIO17 (pin 11)*."""
    return f"GPIO{bcm} (pin {HEADER_PINS[bcm]})"
