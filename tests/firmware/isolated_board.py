"""A board in the VM whose Pi is the test itself, and whose clock shows the table's time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD

from firmware.needs_vm import vm_program
from firmware.vm.process import Vm, VmReport, make_flash

BOOT = 6
S = 1_000_000


class Board:
    """A board without a daemon: `run` returns what it sends, and `told` holds the truth that the VM reports beside
    it."""

    def __init__(self, vm: Vm) -> None:
        self.vm = vm
        self.told: list[VmReport] = []
        self.now_us = 0
        self._lines = Lines(BOARD)

    @property
    def falls_us(self) -> list[int]:
        """The times at which the button closed, until now."""
        return [told.at_us for told in self.told if told.what == "contact" and told.about == (1,)]

    def run(self, until_us: int) -> list[Message]:
        """Let the board run until then; return its messages."""
        said: list[Message] = []
        reached_us = 0
        while reached_us < until_us:
            for told in self.vm.until(until_us):
                reached_us = told.at_us
                if told.what == "said":
                    said += self._lines.feed(bytes.fromhex(str(told.about[0])))
                self.told.append(told)
            assert self.vm.ended is None, self.vm.output.read_text()
        self.now_us = until_us
        return said

    def pass_us(self, span_us: int) -> list[Message]:
        """Let the board run for `span_us`; return its messages."""
        return self.run(self.now_us + span_us)

    def hear(self, verb: str, **fields: int | str) -> None:
        """Send the board a message from the Pi now."""
        self.vm.hear(encode(Message(verb, dict(fields))))


@contextmanager
def isolated_board(folder: Path) -> Generator[Board]:
    """In its boot BOOT, known for a second at the time 2 S."""
    flash = make_flash(folder / "flash")
    (flash / "boots").write_text(str(BOOT - 1))
    board = Board(Vm(vm_program(), flash))
    board.run(1 * S)
    board.hear("ack", boot=BOOT, upto=0)
    board.run(2 * S)
    yield board
    board.vm.kill()
