"""The options of the command line for real parts: they lead to the parts, and a mistake in one is named."""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from firmware.needs_vm import vm_program
from firmware.vm.process import Vm, make_flash
from taptable.drivers.board.usb_model import Plug
from taptable.sim import spi_bus as spi

from hardware.options import SpiPlace, controller_key, controller_lamp, i2c_place, pytest_addoption, spi_place
from hardware.person import Person
from hardware.seat_board import RealSeatBoard
from hardware.spi_reader import real_reader

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "on-real-parts.md"
SEAT_BOARD = "tests/hardware/test_seat_board.py"
LONGEST_S = 120


def run_tests(where: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Tests in a process of their own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", where, *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False)


@contextmanager
def a_board_at_a_terminal(folder: Path) -> Iterator[str]:
    """The firmware in the VM, in real time; where its port is."""
    plug = Plug()
    vm = Vm(vm_program(), make_flash(folder / "flash"), plug.descriptor)
    try:
        yield plug.path
    finally:
        vm.kill()
        plug.close()


def test_a_board_that_is_given_is_spoken_with_in_real_time_and_measured_beside_its_model(tmp_path: Path) -> None:
    with a_board_at_a_terminal(tmp_path) as port:
        ran = run_tests(SEAT_BOARD, "-k", "says_hello or names_the_light", "--seat-port", port)
    assert "4 passed" in ran.stdout, ran.stdout
    assert re.search(r"^seat board +light said to light named, median +\d+ µs +\d+ µs$", ran.stdout, re.MULTILINE)


def test_a_port_that_is_not_there_fails_at_once_with_what_may_be_wrong(tmp_path: Path) -> None:
    with pytest.raises(
        pytest.fail.Exception, match=r"nowhere.*Is the board flashed and plugged in, and the table stop"
    ):
        RealSeatBoard(tmp_path / "nowhere", Person(print))


def test_a_reader_is_not_tested_through_the_stand_in_of_its_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = ModuleType("spidev")
    vars(stand_in)["SpiDev"] = spi.SpiDev
    monkeypatch.setitem(sys.modules, "spidev", stand_in)
    with pytest.raises(pytest.fail.Exception, match="run tests/hardware in a process of its own"):
        real_reader(SpiPlace(0, 0, None), Person(print))


@pytest.mark.parametrize(
    ("text", "place"),
    [("0.0", SpiPlace(0, 0, None)), ("1.2,25", SpiPlace(1, 2, 25))],
)
def test_a_place_on_spi_is_read_with_its_reset_pin_or_without(text: str, place: SpiPlace) -> None:
    assert spi_place(text) == place


@pytest.mark.parametrize("text", ["", "0", "0.", ".0", "0.0,", "0.0,x", "0.0,25,3", "spi:0.0", "-1.0"])
def test_a_place_on_spi_that_is_none_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=re.escape("0.0,25")):
        spi_place(text)


@pytest.mark.parametrize(
    ("parse", "text", "example"),
    [
        (i2c_place, "1.40", "1.0x70/3"),
        (i2c_place, "0x28", "1.0x70/3"),
        (controller_key, "1-1.3", "1-1.3/BTN_TRIGGER"),
        (controller_key, "event3/BTN_TRIGGER", "1-1.3/BTN_TRIGGER"),
        (controller_lamp, "buzz1", "1-1.3/buzz1"),
    ],
)
def test_another_address_that_is_none_is_refused_with_an_example(
    parse: Callable[[str], object], text: str, example: str
) -> None:
    parse(example)
    with pytest.raises(ArgumentTypeError, match=re.escape(example)):
        parse(text)


def test_a_mistake_in_an_option_is_reported_before_any_test_runs() -> None:
    ran = run_tests("tests/test_readme.py", "--spi", "0.0,RST")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "'0.0,RST' is no place of a reader; say BUS.DEVICE or BUS.DEVICE,RESET-BCM, as 0.0,25" in ran.stderr


class Noted:
    """Takes options as pytest's parser and its groups do."""

    def __init__(self) -> None:
        self.options: set[str] = set()

    def getgroup(self, *_: str) -> Noted:
        return self

    def addoption(self, option: str, **_: object) -> None:
        self.options.add(option)


def test_the_page_has_a_row_for_every_option_and_for_no_other() -> None:
    noted = Noted()
    pytest_addoption(cast(pytest.Parser, noted))
    rows = re.findall(r"^\| (`--.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`(--[a-z0-9-]+)", " ".join(rows))) == noted.options
