"""The VM that the firmware runs on; a test that asks for it is skipped where there is none."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S

from firmware.vm.process import find_program


@functools.cache
def vm_program() -> Path:
    """The path of the VM."""
    program = find_program()
    if program is None:
        pytest.skip("there is no MicroPython: scripts/setup-micropython finds or fetches one")
    return program


def run_in_vm(script: str, *arguments: object) -> list[Any]:
    """Run a script of this folder in the VM and return its output, a line of JSON each."""
    command = [vm_program(), Path(__file__).with_name(script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
