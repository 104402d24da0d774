"""Options that name the real parts, and the table of the measurements at the end, on the models and on the parts.
tests/conftest.py loads this module, since options have to exist before tests are collected."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from taptable.drivers.i2c_places import I2cPlace, parse_place
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.led.driver import LedDriver

MODEL, REAL = "model", "real"
MEASURED = "measured"
"""The name of a figure among a report's properties, which also come from other processes of pytest-xdist."""
UID_BYTES = (4, 7)


@dataclass(frozen=True, slots=True)
class SpiPlace:
    """The place of a reader: `spi:<bus>.<device>`, and the BCM number of its reset pin, None if that is wired to
    3V3."""

    bus: int
    device: int
    pin_rst: int | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement: of which part, which figure, its text with the unit, and on which target."""

    part: str
    what: str
    value: str
    on: str


def spi_place(text: str) -> SpiPlace:
    """``0.0,25`` or ``0.0``; ArgumentTypeError for anything else."""
    place, _, reset = text.partition(",")
    bus, _, device = place.partition(".")
    if not (bus.isdecimal() and device.isdecimal() and (reset.isdecimal() or "," not in text)):
        raise ArgumentTypeError(f"{text!r} is no place of a reader; say BUS.DEVICE or BUS.DEVICE,RESET-BCM, as 0.0,25")
    return SpiPlace(int(bus), int(device), int(reset) if reset else None)


def i2c_place(text: str) -> I2cPlace:
    """``1.0x28`` or ``1.0x70/3``; ArgumentTypeError for anything else."""
    place = parse_place(text)
    if place is None:
        raise ArgumentTypeError(f"{text!r} is no place of a reader; say BUS.ADDRESS or BUS.SWITCH/CHANNEL, as 1.0x70/3")
    return place


def controller_key(text: str) -> str:
    """``1-1.3/BTN_TRIGGER``; ArgumentTypeError for anything else."""
    if not InputDriver().accepts_name(text):
        raise ArgumentTypeError(f"{text!r} is no key of a controller; say PORT/KEY, as 1-1.3/BTN_TRIGGER")
    return text


def controller_lamp(text: str) -> str:
    """``1-1.3/buzz1``; ArgumentTypeError for anything else."""
    if not LedDriver().accepts_name(text):
        raise ArgumentTypeError(f"{text!r} is no lamp of a controller; say PORT/NAME, as 1-1.3/buzz1")
    return text


def pytest_addoption(parser: pytest.Parser) -> None:
    """The parts that are there; without them only their models are tested."""
    group = parser.getgroup("hardware", "real parts, for tests/hardware (docs/on-real-parts.md)")
    group.addoption("--seat-port", metavar="PATH", help="serial port of a flashed seat board: /dev/serial/by-id/…")
    group.addoption("--spi", type=spi_place, metavar="BUS.DEVICE[,RESET-BCM]", help="a reader on this Pi's SPI: 0.0,25")
    group.addoption(
        "--i2c-reader",
        type=i2c_place,
        metavar="BUS.ADDRESS",
        help="a reader on I2C: 1.0x28, or 1.0x70/3",
    )
    group.addoption(
        "--controller", type=controller_key, metavar="PORT/KEY", help="a button of a controller on USB; you press it"
    )
    group.addoption("--controller-lamp", type=controller_lamp, metavar="PORT/NAME", help="a lamp of one: 1-1.3/buzz1")
    group.addoption("--i2c-display", metavar="OPTIONS", help='luma\'s options in one: "--display=ssd1309 --i2c-port=1"')
    group.addoption("--button", type=int, metavar="BCM", help="a button between this pin and ground; you press it")
    group.addoption("--press", action="store_true", help="you press the seat board's button when you are asked")
    group.addoption(
        "--card",
        type=int,
        action="append",
        choices=UID_BYTES,
        default=[],
        help="you lay a card with a UID of so many bytes when you are asked; may be said twice",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the measurements, models beside parts."""
    figures = list(_figures(terminalreporter))
    if not figures:
        return
    terminalreporter.section("measured (nothing here is asserted)")
    values = {(figure.part, figure.what, figure.on): figure.value for figure in figures}
    rows = dict.fromkeys((figure.part, figure.what) for figure in figures)
    terminalreporter.write_line(f"{'':12}{'':46}{MODEL:>16}{REAL:>16}")
    for part, what in sorted(rows):
        model, real = (values.get((part, what, on), "-") for on in (MODEL, REAL))
        terminalreporter.write_line(f"{part:12}{what:46}{model:>16}{real:>16}")


def _figures(terminalreporter: pytest.TerminalReporter) -> Iterator[Figure]:
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                yield from (Figure(*value) for name, value in report.user_properties if name == MEASURED)
