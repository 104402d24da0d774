"""Where a part of the table is, by the names used everywhere: ``board:<id>``, ``spi:<bus>.<device>`` and ``gpio:<BCM
number>``. The one place that knows these names, and what each kind of place accepts. Must not know which key of the
configuration has which place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from taptable.schema.problems import Check, listed, refuse

SPI_DEVICES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
"""The (bus, device) pairs that the Pi brings out on its header."""

PINS = range(2, 28)
"""The BCM numbers on the header; 0 and 1 belong to the memory of add-on boards."""


@dataclass(frozen=True, slots=True)
class OnBoard:
    """On the seat board with this id, which may be at another pad than a seat's."""

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


_KINDS: Mapping[type[Place], tuple[str, Callable[[str], Place], str]] = {
    OnBoard: (
        "board:([A-Za-z0-9._-]{1,32})",  # the id is what the wire to a seat board calls a name
        OnBoard,
        '"board:<id>" with up to 32 letters, digits, dots, hyphens and underscores',
    ),
    OnSpi: (
        f"spi:({'|'.join(f'{bus}[.]{device}' for bus, device in SPI_DEVICES)})",
        lambda name: OnSpi(*map(int, name.split("."))),
        listed((f'"{OnSpi(*device)}"' for device in SPI_DEVICES), "or"),
    ),
    OnGpio: (
        f"gpio:({'|'.join(map(str, PINS))})",
        lambda name: OnGpio(int(name)),
        f'"gpio:<number>" with a BCM number from {PINS[0]} to {PINS[-1]}',
    ),
}
"""The names of each kind of place, how one is read, and what a sentence says that a key takes."""


def read_place(text: object, kinds: Collection[type[Place]] = tuple(_KINDS)) -> Place | None:
    """Return the place that a value names, if it is of one of these kinds; None if it names none."""
    for pattern, read, _ in map(_KINDS.__getitem__, kinds):
        if isinstance(text, str) and (found := re.fullmatch(pattern, text)):
            return read(found[1])
    return None


def place(*kinds: type[Place]) -> Check:
    """Return the check of a key that takes a place of these kinds."""

    def check(value: Any) -> Place:
        found = read_place(value, kinds)
        if found is None:
            raise refuse(value, ", or ".join(_KINDS[kind][2] for kind in kinds))
        return found

    return check
