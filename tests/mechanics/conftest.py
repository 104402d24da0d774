"""The modules in hardware/ aren't installed anywhere: they are found from here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "hardware"))


@pytest.fixture(scope="session")
def openscad() -> None:
    subprocess.run([ROOT / "scripts" / "packages", "openscad:openscad"], check=True)
