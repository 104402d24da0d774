"""The cost of the firmware's code: the transfers and time of a look by the model, the time until a ring shows something
else, and the VM's instructions for each operation, counted by Valgrind. A count is the same on every machine, and
stands for a time on a Pico."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from firmware.vm.process import FIRMWARE, ROOT, Vm, VmReport
from taptable.core.errors import DeviceError

PICO_NS = 21.5
"""Nanoseconds on a Pico at 125 MHz for an instruction of this VM (of 64 bits). The firmware of version 1.0.0 was
measured with MicroPython 1.28 on an emulated RP2040; the VM's instructions for the same seven operations gave 18.6 to
24.2 ns. Misses of the flash cache weren't modelled, so a real Pico is somewhat slower *(bench)*."""

_LOOKS = ROOT / "tests" / "firmware" / "looks_in_vm.py"
_COUNTED = ROOT / "tests" / "firmware" / "counts_in_vm.py"
_LONG_US = 60_000_000


@dataclass(frozen=True, slots=True)
class LookCost:
    """The cost of one look by the firmware's code: transfers and bytes over SPI, and the model's time without the
    interpreter's, to its end and until a new card was read (0 if none was)."""

    transfers: int
    moved_bytes: int
    model_us: int
    read_us: int


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """The board's costs: the clock of its SPI; looks by case; samples of the wait for a ring's next frame; and
    instructions of the VM by purpose."""

    spi_hz: int
    looks: dict[str, LookCost]
    ring_us: list[int]
    counts: dict[str, int]

    def pico_us(self, what: str) -> float:
        """The time on a Pico in µs, by PICO_NS."""
        return self.counts[what] * PICO_NS / 1000


def measure_board(program: Path) -> BoardCosts:
    """Measure the cost of the firmware's code with this VM. Raises DeviceError if it doesn't run, or can't be
    counted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = _run(program, folder)
        looks = {str(each.about[0]): LookCost(*map(_number, each.about[1:])) for each in told if each.what == "look"}
        records = {str(each.about[0]): each.about[1:] for each in told if each.what == "read"}
        ring_us = [_number(each.about[0]) for each in told if each.what == "ring"]
        [spi_hz] = [_number(each.about[0]) for each in told if each.what == "spi"]
        return BoardCosts(spi_hz, looks, ring_us, _count(program, folder, records))


def _run(program: Path, folder: Path) -> list[VmReport]:
    """Run a program in the VM and return the board's reports about its looks and its ring."""
    flash = folder / "flash"
    flash.mkdir()
    (flash / "main.py").symlink_to(_LOOKS)
    for part in ("seatboard", "lib"):
        (flash / part).symlink_to(FIRMWARE / part)
    told: list[VmReport] = []
    vm = Vm(program, flash)
    try:
        while vm.ended is None:
            told += vm.until(_LONG_US)
    finally:
        vm.kill()
    if vm.ended.about[0] != "prompt":
        raise DeviceError(f"the firmware's code doesn't run in {program}: {vm.output.read_text(errors='replace')}")
    return told


def _count(program: Path, folder: Path, records: dict[str, tuple[str | int | None, ...]]) -> dict[str, int]:
    """The instructions of each operation once, without those of the loop that repeated it and of the stand-ins for the
    board's parts. Callgrind writes a part at each call of `localtime`; for each operation the second part is the
    operation, and the fourth the share of it that isn't ours."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise DeviceError("instructions are counted by Valgrind, which isn't installed here")
    (folder / "records.json").write_text(json.dumps(records))
    counting = [valgrind, "-q", "--trace-children=yes", "--tool=callgrind", "--dump-before=localtime"]
    # as much memory as a board has, since a collection goes through all of it; its words are half as long
    counted = [program, "-X", "heapsize=480K", _COUNTED, FIRMWARE, folder / "records.json"]
    (folder / "boots").write_text("0")  # or it begins at random
    done = subprocess.run(
        [*counting, f"--callgrind-out-file={folder}/calls", *counted],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DeviceError(f"the firmware's code can't be counted in {program}: {done.stderr}")
    counts: dict[str, int] = {}
    for place, line in enumerate(done.stdout.splitlines()):
        what, times = json.loads(line)
        counts[what] = (_total(folder, 4 * place + 2) - _total(folder, 4 * place + 4)) // times
    return counts


def _total(folder: Path, part: int) -> int:
    """Instructions of one part that Callgrind has written down."""
    lines = (folder / f"calls.{part}").read_text().splitlines()
    [total] = [line.split()[1] for line in lines if line.startswith("totals:")]
    return int(total)


def _number(about: str | int | None) -> int:
    return int(about or 0)
