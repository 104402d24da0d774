"""What the firmware's code costs, weighed in the VM by `board_costs_in_vm.py`: the transfers and time of a look by the
model, how long a ring takes to show something else, and the time that the interpreter takes on this machine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from firmware.vm.process import FIRMWARE, Told, Vm
from taptable.core.errors import DeviceError

PICO_LOOP_NS = 1_000
"""What once round an empty `for` loop takes on a Pico at 125 MHz, by what others measured of such boards; still to be
measured for this one *(bench)*."""

_PROGRAM = Path(__file__).with_name("board_costs_in_vm.py")
_LOOP = 20_000  # times round the yardstick
_LONG_US = 60_000_000


@dataclass(frozen=True, slots=True)
class LookCost:
    """One look by the firmware's code: transfers and bytes over SPI, and the model's time without the interpreter's."""

    transfers: int
    moved_bytes: int
    model_us: int


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """The clock of the board's SPI; looks by case; samples of the wait for a ring's next frame; and µs of the
    interpreter on a Pico by what it does: those of the VM here, times `slower`.
    """

    spi_hz: int
    looks: dict[str, LookCost]
    ring_us: list[int]
    pico_us: dict[str, float]
    slower: float


def measure_board(program: Path) -> BoardCosts:
    """Weigh the firmware's code with this VM; DeviceError where it doesn't run."""
    with tempfile.TemporaryDirectory() as folder:
        flash = Path(folder) / "flash"
        flash.mkdir()
        (flash / "main.py").symlink_to(_PROGRAM)
        for name in ("seatboard", "lib"):
            (flash / name).symlink_to(FIRMWARE / name)
        vm = Vm(program, flash, {"begin_us": 0, "id": "e66118604b5c2f2b", "given": 1, "first_ticks": 0, "ppm": 0})
        try:
            told = vm.until(_LONG_US)
        finally:
            vm.kill()
        output = vm.output.read_text(errors="replace")
    looks = {name: LookCost(*costs) for name, costs in _numbers(told, "look").items()}
    times_ns = {name: cost for name, [cost] in _numbers(told, "interpreter").items()}
    ring_us = [int(each.about[0] or 0) for each in told if each.what == "ring"]
    if "loop" not in times_ns:
        raise DeviceError(f"the firmware's code can't be weighed in {program}: {output}")
    [spi_hz] = [int(each.about[0] or 0) for each in told if each.what == "spi"]
    slower = PICO_LOOP_NS / (times_ns.pop("loop") / _LOOP)
    return BoardCosts(spi_hz, looks, ring_us, {what: ns * slower / 1000 for what, ns in times_ns.items()}, slower)


def _numbers(told: list[Told], what: str) -> dict[str, list[int]]:
    """What was told by name, in numbers."""
    return {str(each.about[0]): [int(number or 0) for number in each.about[1:]] for each in told if each.what == what}
