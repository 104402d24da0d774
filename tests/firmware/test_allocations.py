"""What a board takes from its heap while nothing happens, counted in the VM."""

from __future__ import annotations

from contextlib import chdir
from typing import Any

import pytest

from firmware.needs_vm import run_in_vm
from firmware.vm.process import FIRMWARE

A_LOOK_WORDS = 100


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with chdir(tmp_path_factory.mktemp("flash")):
        [counted] = run_in_vm("allocations_in_vm.py", FIRMWARE)
    return counted


def test_a_look_at_an_empty_pad_takes_little(counted: dict[str, Any]) -> None:
    assert counted["looks"] > 100
    assert 0 < sum(counted["turns"]) <= A_LOOK_WORDS * counted["word_bytes"]


def test_a_turn_in_which_nothing_is_due_takes_nothing(counted: dict[str, Any]) -> None:
    assert counted["between"] == 0


def test_nothing_of_it_is_kept(counted: dict[str, Any]) -> None:
    before, after = counted["kept"]
    assert after <= before
