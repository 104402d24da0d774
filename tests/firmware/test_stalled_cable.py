"""A Pi that doesn't read: the board goes on, and doesn't tell later what is no longer so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD

from firmware.needs_vm import vm_program
from firmware.vm.process import Vm, make_flash

BOOT = 6
CARD = "04a2b3c4d5e680"
S = 1_000_000


class Board:
    """A board whose Pi is this test."""

    def __init__(self, vm: Vm) -> None:
        self.vm = vm
        self._lines = Lines(BOARD)

    def run(self, until_us: int) -> list[Message]:
        """Let it run until then; what it said."""
        said: list[Message] = []
        reached_us = 0
        while reached_us < until_us:
            for told in self.vm.until(until_us):
                reached_us = told.at_us
                if told.what == "said":
                    said += self._lines.feed(bytes.fromhex(str(told.about[0])))
            assert self.vm.ended is None
        return said


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    flash = make_flash(tmp_path / "flash")
    (flash / "boots").write_text(str(BOOT - 1))
    vm = Vm(vm_program(), flash)
    board = Board(vm)
    board.run(1 * S)
    vm.hear(encode(Message("ack", {"boot": BOOT, "upto": 0})))
    board.run(3 * S)
    yield board
    vm.kill()


def test_what_the_pi_didnt_take_is_not_told_when_it_is_no_longer_so(board: Board) -> None:
    board.vm.do(0, "stall", True)
    board.vm.do(0, "unplug", True)
    board.run(6 * S)
    board.vm.do(0, "unplug", False)
    board.run(10 * S)
    board.vm.do(0, "stall", False)
    readers = [message.fields["reader"] for message in board.run(16 * S) if message.verb == "health"]
    assert set(readers) == {"ok"}


def test_what_happened_meanwhile_is_told_with_the_time_at_which_it_did(board: Board) -> None:
    board.vm.do(0, "stall", True)
    board.vm.do(5 * S, "press", 1)
    board.vm.do(6 * S, "press", 0)
    board.vm.do(7 * S, "put", CARD)
    board.run(12 * S)
    board.vm.do(0, "stall", False)
    ticks = {m.verb: int(m.fields["ticks"]) for m in reversed(board.run(16 * S)) if m.number}
    assert {verb: round(at / S, 1) for verb, at in ticks.items()} == {"press": 5.0, "release": 6.0, "tag": 7.0}
