"""A seat board at the far end of the emulated USB cable: the firmware's own files in the MicroPython VM, whose serial
port is the gadget's. Runs on the emulated computer, under the table's Python: board.py MICROPYTHON BOARD-ID"""

from __future__ import annotations

import os
import sys
import tempfile
import tty
from pathlib import Path

from firmware.vm.process import Vm, make_flash


def main() -> None:
    """Run until killed; the board is under power as long."""
    program, board = sys.argv[1:]
    gadget = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY)
    tty.setraw(gadget)
    with tempfile.TemporaryDirectory() as folder:
        setup: dict[str, int | str] = {"begin_us": 0, "first_ticks": 0, "ppm": 0, "id": board, "given": 0}
        vm = Vm(Path(program), make_flash(Path(folder) / "flash", pixels=12), setup, gadget)
        print("the board is under power", flush=True)
        while os.read(vm.descriptor, 65536):
            pass
        print(vm.output.read_text(errors="replace"))


main()
