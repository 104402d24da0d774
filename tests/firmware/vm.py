"""The VM that the firmware runs on: found by `scripts/setup-micropython`, which says what to do where there is none."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

import pytest

FINDS = Path(__file__).resolve().parents[2] / "scripts" / "setup-micropython"


@functools.cache
def vm_program() -> Path:
    """Where it is; without one the test is skipped."""
    found = subprocess.run([FINDS, "--find"], capture_output=True, text=True, check=False)
    if not found.stdout.strip():
        pytest.skip("there is no MicroPython: scripts/setup-micropython finds or fetches one")
    return Path(found.stdout.strip())
