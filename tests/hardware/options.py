"""Options that name the real parts, and the table of the measurements at the end, on the models and on the parts.
tests/conftest.py loads this module, since options have to exist before tests are collected."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """The parts that are there; without them only their models are tested."""
    group = parser.getgroup("hardware", "real parts, for tests/hardware (docs/on-real-parts.md)")
    group.addoption("--seat-port", metavar="PATH", help="serial port of a flashed seat board: /dev/serial/by-id/…")
    group.addoption("--spi", type=spi_place, metavar="BUS.DEVICE[,RESET-BCM]", help="a reader on this Pi's SPI: 0.0,25")
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
