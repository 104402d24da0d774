"""The kind ``oled``: the display, described by the options of luma.core's command line."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from taptable.core.device_events import DeviceEvent
from taptable.drivers.header_lines import I2C_LINES, line_address, spi_address
from taptable.drivers.i2c_places import I2C_FAST, I2C_ON, I2cPlace, i2c_address
from taptable.drivers.interface import Address, Display, Driver, Part, PartRole


class _QuietParser(ArgumentParser):
    """A parser that neither prints nor ends the program. Raises ValueError."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


class OledDriver(Driver):
    """Displays that luma.oled drives, on I2C or SPI."""

    kind = "oled"
    roles = frozenset({PartRole.DISPLAY})
    rank = 40

    def accepts_name(self, name: str) -> bool:
        """Return whether this is its only address, which stands in no configuration: [scoreboard] has options
        instead."""
        return name == ""

    def occupied(self, part: Part) -> Sequence[Part]:
        """Return the place on I2C, or the device on SPI and the pins of a display. Raises ValueError if its options are
        wrong, mostly in the words of luma.core's parser."""
        args = _parse_options(part)
        if args.interface == "i2c":
            if not re.fullmatch(r"0[xX][0-7][0-9a-fA-F]", args.i2c_address):
                raise ValueError(f"argument --i2c-address: it takes 0x03 to 0x77, not {args.i2c_address!r}")
            place = I2cPlace(int(args.i2c_port), int(args.i2c_address, 16))
            return [Part(part.key, part.role, i2c_address(place))]
        if args.interface != "spi":
            return ()
        places = (
            spi_address(args.spi_port, args.spi_device),
            line_address(args.gpio_data_command),
            line_address(args.gpio_reset),
        )
        return [Part(part.key, part.role, place) for place in places]

    def bus_lines(self, parts: Sequence[Part]) -> Mapping[Address, str]:
        """Return the lines of its I2C bus."""
        ports = [port for part in parts if (port := i2c_port(part)) is not None]
        return {line_address(bcm): "the display's I2C" for port in ports for bcm in I2C_LINES.get(port, ())}

    def boot_lines(self, parts: Sequence[Part]) -> Iterator[str]:
        """Return the lines that switch I2C on, and make it fast enough for whole pictures."""
        if any(i2c_port(part) is not None for part in parts):
            yield from (I2C_ON, I2C_FAST)

    def check(self, part: Part) -> None:
        """Raise ConfigError if luma.oled has no such display, or the scores don't fit on it."""
        from taptable.drivers.oled.oled import read_display_options

        read_display_options(part.options["options"])

    def open_display(self, part: Part, report: Callable[[DeviceEvent], object], now_us: Callable[[], int]) -> Display:
        """Return the display."""
        from taptable.drivers.oled.oled import Oled

        return Oled(part.options["options"], report, now_us, is_optional=part.options.get("optional", False))


def _parse_options(part: Part) -> Any:
    """Parse the options with luma.core's parser. Raises ValueError like `occupied`."""
    # imported only for a table that has a display; untyped
    create_parser: Any = import_module("luma.core.cmdline").create_parser
    parser = create_parser("display", parser=_QuietParser(add_help=False, allow_abbrev=False), autocomplete=False)
    return parser.parse_args(list(part.options["options"]))


def i2c_port(part: Part) -> int | None:
    """Return the number of the display's I2C bus; None if it isn't on I2C."""
    args = _parse_options(part)
    return int(args.i2c_port) if args.interface in ("i2c", "pcf8574") else None
