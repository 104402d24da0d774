"""The flash of a board in the VM: a folder with the firmware's own files, what was set when it was flashed, and what
the board writes there itself."""

from __future__ import annotations

import json
from pathlib import Path

HOST = Path(__file__).resolve().parents[3]
FIRMWARE = HOST.parent / "firmware"
FILES = ("main.py", "seatboard", "lib")


def make_flash(folder: Path, pixels: int | None = None, firmware: Path = FIRMWARE) -> Path:
    """Lay out a new flash in `folder`; without `pixels` nothing was set."""
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).symlink_to(firmware / name)
    if pixels is not None:
        (folder / "board.json").write_text(json.dumps({"pixels": pixels}))
    return folder
