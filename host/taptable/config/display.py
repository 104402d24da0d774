"""What the options of the scoreboard's display mean for the wiring, read by luma.core's own command-line parser.
Opens nothing."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from taptable.config.places import OnGpio, OnSpi


@dataclass(frozen=True, slots=True)
class DisplayWires:
    """What a display is on: a device on SPI or none, pins of its own, and those of its I2C bus."""

    spi: OnSpi | None
    pins: tuple[OnGpio, ...]
    i2c: tuple[OnGpio, ...]


class _Parser(ArgumentParser):
    """A parser that neither prints nor ends the program."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def read_display(options: Sequence[str]) -> DisplayWires:
    """The wires of a display; ValueError says what is wrong, mostly in the words of luma.core's parser."""
    # imported for a table that has a display, and untyped
    create_parser: Any = import_module("luma.core.cmdline").create_parser
    parser = create_parser("display", parser=_Parser(add_help=False, allow_abbrev=False), autocomplete=False)
    given = parser.parse_args(list(options))
    match given.interface:
        case "i2c" | "pcf8574":
            if not re.fullmatch(r"0[xX][0-7][0-9a-fA-F]", given.i2c_address):
                raise ValueError(f"argument --i2c-address: it takes 0x03 to 0x77, not {given.i2c_address!r}")
            pins = {0: (0, 1), 1: (2, 3)}.get(given.i2c_port, ())
            return DisplayWires(None, (), tuple(map(OnGpio, pins)))
        case "spi":
            own = (OnGpio(given.gpio_data_command), OnGpio(given.gpio_reset))
            return DisplayWires(OnSpi(given.spi_port, given.spi_device), own, ())
        case _:
            return DisplayWires(None, (), ())
