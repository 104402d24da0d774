"""Where a wire goes: the Pi's pins by the place on the header that people count, and the wires of a reader. Data
only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from taptable.config.wiring import BUS_LINES, BUS_SELECTS

_DOWN_THE_HEADER = (
    *((2, 3), (3, 5), (4, 7), (14, 8), (15, 10), (17, 11), (18, 12), (27, 13), (22, 15), (23, 16), (24, 18), (10, 19)),
    *((9, 21), (25, 22), (11, 23), (8, 24), (7, 26), (5, 29), (6, 31), (12, 32), (13, 33), (19, 35), (16, 36)),
    *((26, 37), (20, 38), (21, 40)),
)

PLACES: Mapping[int, int] = MappingProxyType(dict(_DOWN_THE_HEADER))
"""The place on the 40-pin header of each BCM number."""


def pin(bcm: int) -> str:
    """A pin as it is found on the header: *GPIO17 (pin 11)*."""
    return f"GPIO{bcm} (pin {PLACES[bcm]})"


def reader_wires(bus: int, device: int) -> str:
    """What connects a reader to its SPI bus, by the names printed on its board."""
    miso, mosi, sck = BUS_LINES[bus]
    select = BUS_SELECTS[bus][device]
    return f"SDA to {pin(select)}, SCK to {pin(sck)}, MOSI to {pin(mosi)}, MISO to {pin(miso)}"


def shared_wires(bus: int) -> str:
    """The wires that all readers of a bus share."""
    miso, mosi, sck = BUS_LINES[bus]
    return f"SCK to {pin(sck)}, MOSI to {pin(mosi)}, MISO to {pin(miso)}"
