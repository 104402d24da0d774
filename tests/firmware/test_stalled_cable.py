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
CHIP_KEEPS = 256  # bytes
WAITS_US = 500_000  # MicroPython for room, once
LATE_US = 30_000  # from a card put down to its stamp


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
    said = board.run(16 * S)
    kept = b""  # by the chip, when the Pi began not to read: that can't be taken back
    while said and len(kept) + len(encode(said[0])) <= CHIP_KEEPS:
        kept += encode(said.pop(0))
    readers = [message.fields["reader"] for message in said if message.verb == "health"]
    assert readers
    assert set(readers) == {"ok"}


def test_what_happened_meanwhile_is_told_with_the_time_at_which_it_did(board: Board) -> None:
    board.vm.do(0, "stall", True)
    board.vm.do(5 * S, "press", 1)
    board.vm.do(6 * S, "press", 0)
    board.vm.do(7 * S, "put", CARD)
    board.run(12 * S)
    board.vm.do(0, "stall", False)
    ticks = {m.verb: int(m.fields["ticks"]) for m in reversed(board.run(16 * S)) if m.number}
    assert {verb: round(ticks[verb] / S, 1) for verb in ("press", "release")} == {"press": 5.0, "release": 6.0}
    assert 7 * S <= ticks["tag"] <= 7 * S + WAITS_US + LATE_US


def test_the_board_waits_once_for_room_and_then_goes_on(board: Board) -> None:
    board.vm.do(0, "stall", True)
    for second in range(5, 60):
        board.vm.do(second * S, "put", CARD)
        board.vm.do(second * S + S // 2, "lift", CARD)
    board.run(60 * S)
    board.vm.do(0, "stall", False)
    tags = [m for m in board.run(70 * S) if m.verb == "tag" and m.fields["how"] == ""]  # of the oldest 16 events
    seen = {int(tag.fields["ticks"]) // S for tag in tags if int(tag.fields["ticks"]) % S <= LATE_US}
    assert len(seen) == max(seen) - min(seen)  # all but the card that lay there while it waited
    assert len(seen) >= 5
