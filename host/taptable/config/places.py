"""Where a part of the table is: on a seat board, on the Pi's SPI or on one of its pins, by the names used everywhere
(``board:<id>``, ``spi:<bus>.<device>``, ``gpio:<BCM number>``). Must not know which parts there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

SPI_DEVICES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
"""The (bus, device) pairs that the Pi brings out on its header."""

PINS = range(2, 28)
"""The BCM numbers on the header; 0 and 1 belong to the memory of add-on boards."""


@dataclass(frozen=True, slots=True)
class OnBoard:
    """On the seat board with this id."""

    board: str

    def __str__(self) -> str:
        return f"board:{self.board}"


@dataclass(frozen=True, slots=True)
class OnSpi:
    """On an SPI bus of the Pi, with its own select line."""

    bus: int
    device: int

    def __str__(self) -> str:
        return f"spi:{self.bus}.{self.device}"


@dataclass(frozen=True, slots=True)
class OnGpio:
    """On a pin of the Pi."""

    bcm: int

    def __str__(self) -> str:
        return f"gpio:{self.bcm}"


Place: TypeAlias = OnBoard | OnSpi | OnGpio

# the id is what the wire to a seat board calls a name
_BOARD = re.compile(r"board:([A-Za-z0-9._-]{1,32})")
_SPI = re.compile(r"spi:([0-9])\.([0-9])")
_GPIO = re.compile(r"gpio:([1-9]?[0-9])")


def read_place(text: str) -> Place | None:
    """The place of that name, or None if there is none."""
    if found := _BOARD.fullmatch(text):
        return OnBoard(found[1])
    if (found := _SPI.fullmatch(text)) and (int(found[1]), int(found[2])) in SPI_DEVICES:
        return OnSpi(int(found[1]), int(found[2]))
    if (found := _GPIO.fullmatch(text)) and int(found[1]) in PINS:
        return OnGpio(int(found[1]))
    return None
