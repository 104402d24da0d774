"""The board's own regulator: what feeds the reader is smooth before the first look."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.needs_vm import vm_program
from firmware.vm.process import Vm, VmReport, make_flash


def started(folder: Path, board: str, chip: str) -> list[VmReport]:
    """The reports of a board's first second."""
    vm = Vm(vm_program(), make_flash(folder / "flash"), board=board, chip=chip)
    told = vm.until(1_000_000)
    assert vm.ended is None, vm.output.read_text()
    vm.kill()
    return told


@pytest.mark.parametrize(("board", "chip"), [("Raspberry Pi Pico", "RP2040"), ("Raspberry Pi Pico2", "RP2350")])
def test_the_supply_is_quiet_from_the_start(tmp_path: Path, board: str, chip: str) -> None:
    (supply,) = [told for told in started(tmp_path, board, chip) if told.what == "supply"]
    assert supply.about == (1,)


@pytest.mark.parametrize(("board", "chip"), [("Raspberry Pi Pico W", "RP2040"), ("Raspberry Pi Pico 2 W", "RP2350")])
def test_the_radio_of_a_pico_w_is_not_switched_on(tmp_path: Path, board: str, chip: str) -> None:
    assert not [told for told in started(tmp_path, board, chip) if told.what == "supply"]
