"""What a board takes from its heap while nothing happens, counted in the VM."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware.needs_vm import vm_program
from firmware.vm.process import FIRMWARE

A_LOOK_WORDS = 100


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    script = Path(__file__).with_name("allocations_in_vm.py")
    done = subprocess.run(
        [vm_program(), script, FIRMWARE],
        cwd=tmp_path_factory.mktemp("flash"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)


def test_a_look_at_an_empty_pad_takes_little(counted: dict[str, Any]) -> None:
    assert counted["looks"] > 100
    assert 0 < sum(counted["turns"]) <= A_LOOK_WORDS * counted["word_bytes"]


def test_a_turn_in_which_nothing_is_due_takes_nothing(counted: dict[str, Any]) -> None:
    assert counted["between"] == 0


def test_nothing_of_it_is_kept(counted: dict[str, Any]) -> None:
    before, after = counted["kept"]
    assert after <= before
