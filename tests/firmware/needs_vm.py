"""The VM that the firmware runs on; a test that asks for it is skipped where there is none."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from firmware.vm.process import find_program


@functools.cache
def vm_program() -> Path:
    """Where it is."""
    program = find_program()
    if program is None:
        pytest.skip("there is no MicroPython: scripts/setup-micropython finds or fetches one")
    return program
