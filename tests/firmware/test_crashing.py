"""Firmware that fails: it prints the exception, the Pi has time to get in, and the board restarts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.needs_vm import vm_program
from firmware.vm.process import FIRMWARE, Vm, make_flash

PAUSE_US = 3_000_000
PATIENT_US = 20_000_000
FAILS_AT_ONCE = 'raise ValueError("spoilt")\n'
FAILS_IN_A_TURN = """
class ButtonLamp:
    def __init__(self, pin):
        self.due = 0
        self.turns = 0

    def step(self, now):
        self.turns += 1
        if self.turns > 100:
            raise ValueError("spoilt")
        self.due = now
"""


@pytest.fixture(params=[FAILS_AT_ONCE, FAILS_IN_A_TURN], ids=["at once", "in a turn"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vm]:
    flash = make_flash(tmp_path / "flash")
    modules = flash / "seatboard"
    modules.unlink()
    modules.mkdir()
    for module in (FIRMWARE / "seatboard").iterdir():
        (modules / module.name).symlink_to(module)
    (modules / "lamp.py").unlink()
    (modules / "lamp.py").write_text(request.param)
    board = Vm(vm_program(), flash)
    yield board
    board.kill()


def run(board: Vm, until_us: int) -> None:
    """Let it run until then, or until it ends."""
    while board.ended is None and board.until(until_us)[-1].at_us < until_us:
        pass


def test_it_is_printed_and_the_board_restarts_after_a_pause(board: Vm) -> None:
    run(board, PATIENT_US)
    assert board.ended is not None
    assert board.ended.about[0] == "reset"
    assert board.ended.at_us >= PAUSE_US
    assert "ValueError: spoilt" in board.output.read_text()


def test_in_the_pause_the_pi_gets_in_and_stays_as_long_as_it_likes(board: Vm) -> None:
    run(board, PAUSE_US - 500_000)
    board.do(0, "interrupt")
    run(board, PATIENT_US)
    assert board.ended is not None
    assert board.ended.about[0] == "prompt"


@pytest.mark.parametrize("chip", ["RP2040", "RP2350"])
def test_an_interrupt_stops_the_watchdog_of_a_pico_and_of_a_pico_2(tmp_path: Path, chip: str) -> None:
    board = Vm(vm_program(), make_flash(tmp_path / "flash"), chip=chip)
    run(board, 500_000)
    board.do(0, "interrupt")
    run(board, PATIENT_US)
    assert board.ended is not None
    assert board.ended.about[0] == "prompt"
    board.kill()
