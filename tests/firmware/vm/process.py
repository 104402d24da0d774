"""A board's flash, and one power-up of it: a process with the VM, and our end of the channel to it. In given time the
board runs as far as it is allowed; otherwise it runs by itself, and its cable is a terminal."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deadline import DEADLINE_S
from taptable.core.errors import DeviceError

ROOT = Path(__file__).resolve().parents[3]
FIRMWARE = ROOT / "firmware"
FINDS = ROOT / "scripts" / "setup-micropython"
BOARD = "e6614103e7a2b3c4"
"""Its id, where it has no other."""
_START = Path(__file__).with_name("inside") / "start.py"
_ENDS = ("reached", "ended")


def find_program() -> Path | None:
    """The MicroPython that scripts/setup-micropython finds; None where there is none."""
    found = subprocess.run([FINDS, "--find"], capture_output=True, text=True, check=False).stdout.strip()
    return Path(found) if found else None


def make_flash(folder: Path, pixels: int | None = None, firmware: Path = FIRMWARE) -> Path:
    """Lay out a new flash in `folder`: the firmware's own files, and what is set when a board is flashed; without
    `pixels` nothing was."""
    folder.mkdir(parents=True)
    for name in ("main.py", "seatboard", "lib"):
        (folder / name).symlink_to(firmware / name)
    if pixels is not None:
        (folder / "board.json").write_text(json.dumps({"pixels": pixels}))
    return folder


@dataclass(frozen=True, slots=True)
class VmReport:
    """A report of a VM, at the table's time: a truth, a sentence of the board, or how far it has run."""

    what: str
    at_us: int
    about: tuple[str | int | None, ...] = ()


class Vm:
    """A board under power, until it ends or is killed. `cable`: the descriptor of the board's end of it, None in given
    time; `setup`: what differs from the default, see `inside/world.py`. Raises DeviceError if the VM doesn't start, or
    doesn't follow its instructions."""

    def __init__(self, program: Path, flash: Path, cable: int | None = None, **setup: int | str) -> None:
        self.output = flash.with_name(flash.name + ".out")
        """The file with the firmware's output if there is no cable: a traceback."""
        to_vm, self._to_vm = os.pipe()
        self._from_vm, from_vm = os.pipe()
        self._unread = b""
        self.ended: VmReport | None = None
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                [program, _START, flash, ROOT, str(to_vm), str(from_vm)],
                stdin=subprocess.DEVNULL if cable is None else cable,
                stdout=output if cable is None else cable,
                stderr=output,
                pass_fds=(to_vm, from_vm),
            )
        os.close(to_vm)
        os.close(from_vm)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._from_vm, selectors.EVENT_READ)
        usual = {"begin_us": 0, "id": BOARD, "given": int(cable is None), "first_ticks": 0, "ppm": 0}
        self._send({**usual, **setup})

    @property
    def descriptor(self) -> int:
        """The descriptor that becomes readable when the VM has sent a report."""
        return self._from_vm

    def do(self, at_us: int, action: str, *about: str | int | float | None) -> None:
        """An action at the board, at that time, or at once if that has passed; see `inside/actions.py`."""
        self._send(["do", at_us, action, *about])

    def hear(self, said: bytes) -> None:
        """In given time: this comes over the cable now."""
        self._send(["hear", said.hex()])

    def until(self, at_us: int) -> list[VmReport]:
        """In given time: let the board run until then, or until it has sent something or has ended; return its reports,
        with that last."""
        if self.ended is not None:
            return [self.ended]
        self._send(["until", at_us])
        told = [self._next()]
        while told[-1].what not in _ENDS:
            told.append(self._next())
        return told

    def wait(self, what: str) -> VmReport:
        """Wait until the board reports this, and forget earlier reports."""
        while True:
            told = self._next()
            if told.what == what:
                return told
            if told.what == "ended":
                raise DeviceError(f"the board in the VM has ended: {told.about}, before {what}")

    def kill(self) -> None:
        """Take the power from it."""
        self._process.kill()
        self._process.wait()
        self._selector.close()
        for descriptor in (self._to_vm, self._from_vm):
            with suppress(OSError):
                os.close(descriptor)

    def _send(self, message: object) -> None:
        try:
            os.write(self._to_vm, json.dumps(message).encode() + b"\n")
        except BrokenPipeError as error:
            raise self._lost() from error

    def _next(self) -> VmReport:
        while b"\n" not in self._unread:
            if not self._selector.select(DEADLINE_S):
                raise DeviceError(f"the VM has hung for {DEADLINE_S:.0f} s")
            read = os.read(self._from_vm, 65536)
            if not read:
                raise self._lost()
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        what, at_us, *about = json.loads(line)
        told = VmReport(what, at_us, tuple(about))
        if what == "ended":
            self.ended = told
        return told

    def _lost(self) -> DeviceError:
        return DeviceError(f"the VM is gone: {self.output.read_text(errors='replace')}")
