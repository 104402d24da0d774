"""What doesn't fit together although each value by itself is right: a pin, an SPI device or a board used twice (the
display's by luma.core's own parser), a pin of a bus in use, more seats than the Pi's SPI carries, more players than
seats, half a proxy. Looks at what the file says, so that nothing is left unsaid because another value is wrong."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn, TypeAlias, cast

from taptable.config.model import MOST_SEATS, REFERENCE_DISPLAY
from taptable.config.places import PINS, SPI_DEVICES, OnBoard, OnGpio, OnSpi, Place, read_place
from taptable.schema.problems import Key, Problem, listed, spell_key


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


Section: TypeAlias = Mapping[str, Any]

BUS_LINES: Mapping[int, tuple[int, int, int]] = {0: (9, 10, 11), 1: (19, 20, 21)}
BUS_SELECTS: Mapping[int, tuple[int, ...]] = {0: (8, 7), 1: (18, 17, 16)}
"""BCM numbers of MISO, MOSI and SCK of each SPI bus, and of its select lines by device."""

_LAST_CHOICE = (2, 3, 14, 15)
"""Pins with pull-ups of their own, and those of the serial console: never suggested."""

_SUGGESTED = 3


@dataclass(frozen=True, slots=True)
class _Use:
    """A key that puts something at a place."""

    key: Key
    place: Place

    @property
    def refusal(self) -> str:
        """The rest of a sentence that began with the key, up to the reason."""
        verb = "can't put the display on" if self.key[0] == "scoreboard" else "can't be"
        return f'{verb} "{self.place}"'


def misfits(data: Section) -> Iterator[Problem]:
    """Everything in a configuration that doesn't fit together."""
    seats = _seats(data)
    discard = _section(data, "discard")
    yield from _too_many(_section(data, "game"), seats, isinstance(_place(discard, "pad"), OnSpi))
    yield from _half_a_proxy(_section(data, "page"))
    for name in ("mqtt", "league"):
        yield from _half_an_account(name, _section(data, name))
    for index, seat in seats:
        yield from _parts_of_one_seat(index, seat)
    for key, parts in ((("discard",), discard), *_extra_pads(data)):
        yield from _reset_of_a_board(key, parts)
    display = DisplayWires(None, (), ())
    if "scoreboard" in data:
        try:
            display = read_display(_options(data))
        except ValueError as error:
            yield Problem(("scoreboard", "options"), f"can't make a display: {error}.")
    uses = [*_part_uses(data, seats), *_display_uses(display)]
    buses = _bus_pins(uses, display)
    yield from _twice(uses, buses)


def _section(data: Section, name: str) -> Section:
    """A section, empty if it is none."""
    value = data.get(name)
    return cast("Section", value) if isinstance(value, dict) else {}


def _seats(data: Section) -> list[tuple[int, Section]]:
    """The seats that are sections, each with its place in the list."""
    value = data.get("seats")
    seats = cast("list[Any]", value) if isinstance(value, list) else []
    return [(index, cast("Section", seat)) for index, seat in enumerate(seats) if isinstance(seat, dict)]


def _extra_pads(data: Section) -> list[tuple[Key, Section]]:
    """The pads that games have of their own, as far as they are sections."""
    pads = [(("pads", name), parts) for name, parts in _section(data, "pads").items()]
    return [(key, cast("Section", parts)) for key, parts in pads if isinstance(parts, dict)]


def _options(data: Section) -> Sequence[str]:
    """The options of the display, or those of the reference part where the file has none that could be."""
    options = _section(data, "scoreboard").get("options")
    if not isinstance(options, list) or not all(isinstance(word, str) for word in cast("list[Any]", options)):
        return REFERENCE_DISPLAY
    return cast("list[str]", options)


def _place(section: Section, name: str) -> Place | None:
    return read_place(section.get(name))


def _too_many(game: Section, seats: list[tuple[int, Section]], discard_on_spi: bool) -> Iterator[Problem]:
    """More than there is room for."""
    on_spi = [index for index, seat in seats if isinstance(_place(seat, "pad"), OnSpi)]
    room = len(SPI_DEVICES) - discard_on_spi
    for index in on_spi[room:]:
        says = f'can\'t be on SPI: there is room for {room} seats; it takes a seat board, "board:<id>".'
        yield Problem(("seats", index, "pad"), says)
    if not seats:
        return
    players = game.get("players", len(seats))
    starter = game.get("starter")
    if not isinstance(players, int) or not 2 <= players <= MOST_SEATS:
        return
    if players > len(seats):
        says = f"can't be {players} at {len(seats)} [[seats]]: it takes at most one for each seat."
        yield Problem(("game", "players"), says)
    elif isinstance(starter, int) and players < starter <= MOST_SEATS:
        yield Problem(("game", "starter"), f"can't be {starter}: it takes a seat from 1 to {players}.")


def _half_a_proxy(page: Section) -> Iterator[Problem]:
    """A proxy has an address and a name, and opens the page to a network."""
    for name, other, example in (("https", "proxy", "taptable.local"), ("proxy", "https", "127.0.0.1")):
        if other in page and name not in page:
            says = f'is missing beside {other}: write, for example, {name} = "{example}".'
            yield Problem(("page", name), says, at=("page", other))
    if "proxy" in page and page.get("network") in (None, False):
        says = "is for a page that is open to the network: it takes network = true, or nobody would be paired."
        yield Problem(("page", "proxy"), says)


def _half_an_account(name: str, broker: Section) -> Iterator[Problem]:
    """A password has a name, and certificates are for TLS."""
    if "password_file" in broker and "user" not in broker:
        says = 'is missing beside password_file: write, for example, user = "table".'
        yield Problem((name, "user"), says, at=(name, "password_file"))
    if "ca" in broker and broker.get("tls", name == "league") is False:
        yield Problem((name, "ca"), "is for a broker that speaks TLS: it takes tls = true.")


def _parts_of_one_seat(index: int, seat: Section) -> Iterator[Problem]:
    """A button or a lamp on a board is on that of the pad."""
    yield from _reset_of_a_board(("seats", index), seat)
    pad = _place(seat, "pad")
    for name in ("button", "lamp"):
        place = _place(seat, name)
        if isinstance(place, OnBoard) and pad is not None and place != pad:
            own = f'"{pad}", where the pad is, or ' if isinstance(pad, OnBoard) else ""
            says = f'can\'t be "{place}": it takes {own}a pin, "gpio:<number>".'
            yield Problem(("seats", index, name), says)


def _reset_of_a_board(key: Key, parts: Section) -> Iterator[Problem]:
    """A reset is for a pad on SPI."""
    pad = _place(parts, "pad")
    if isinstance(pad, OnBoard) and "reset" in parts:
        yield Problem((*key, "reset"), f'is for a pad on SPI, and this one is "{pad}": leave it out.')


def _part_uses(data: Section, seats: list[tuple[int, Section]]) -> Iterator[_Use]:
    """What is on which place, in the order of the file. What a seat has on its own board is one use of the board."""
    for index, seat in seats:
        for name in ("pad", "reset", "button", "lamp"):
            place = _place(seat, name)
            if place is not None and (name == "pad" or isinstance(place, OnGpio)):
                yield _Use(("seats", index, name), place)
    for section, name in (("discard", "pad"), ("discard", "reset"), ("sounder", "pin"), ("power", "button")):
        place = _place(_section(data, section), name)
        if place is not None:
            yield _Use((section, name), place)
    for key, parts in _extra_pads(data):
        for name in ("pad", "reset"):
            place = _place(parts, name)
            if place is not None:
                yield _Use((*key, name), place)


def _display_uses(display: DisplayWires) -> Iterator[_Use]:
    for place in (*((display.spi,) if display.spi else ()), *display.pins):
        yield _Use(("scoreboard", "options"), place)


def _bus_pins(uses: list[_Use], display: DisplayWires) -> dict[int, str]:
    """The pins of every bus in use, and who needs them."""
    pins = {pin.bcm: "the display's I2C" for pin in display.i2c}
    for bus, lines in BUS_LINES.items():
        devices = [use.place.device for use in uses if isinstance(use.place, OnSpi) and use.place.bus == bus]
        if devices:
            # the system's overlays switch select lines on from the first: all of them on bus 0, on bus 1 up to the
            # last used
            selects = BUS_SELECTS[bus] if bus == 0 else BUS_SELECTS[bus][: max(devices) + 1]
            pins |= dict.fromkeys((*lines, *selects), f"SPI bus {bus}")
    return pins


def _twice(uses: list[_Use], buses: Mapping[int, str]) -> Iterator[Problem]:
    """Places that are taken already, and what is free instead. Readers may share a reset."""
    first: dict[Place, _Use] = {}
    for use in uses:
        taken_by = first.setdefault(use.place, use)
        if isinstance(use.place, OnGpio) and use.place.bcm in buses:
            yield Problem(
                use.key, f"{use.refusal}: {buses[use.place.bcm]} needs that pin; {_free(use.place, uses, buses)}."
            )
        elif taken_by is not use and not use.key[-1] == taken_by.key[-1] == "reset":
            says = f"{use.refusal}: {spell_key(taken_by.key)} is on it already; {_free(use.place, uses, buses)}."
            yield Problem(use.key, says)


def _free(place: Place, uses: list[_Use], buses: Mapping[int, str]) -> str:
    """What could be taken instead of a place."""
    used = {use.place for use in uses}
    match place:
        case OnBoard():
            return "each pad has a board of its own"
        case OnSpi():
            free = [OnSpi(*device) for device in SPI_DEVICES if OnSpi(*device) not in used]
        case OnGpio():
            free = [OnGpio(pin) for pin in PINS if OnGpio(pin) not in used and pin not in (*buses, *_LAST_CHOICE)]
    if not free:
        return "and nothing of the kind is free"
    return f"{listed(free[:_SUGGESTED])} {'is' if len(free) == 1 else 'are'} free"
