"""The result of an exchange as the MFRC522's registers report it, as a table."""

from __future__ import annotations

import pytest
from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENT
from tapshared.rc522_exchange import Status

# ComIrqReg, ErrorReg, FIFOLevelReg, ControlReg, CollReg and VersionReg of a chip with version 0x92, and what they mean.
STATUS = {
    "still sending": ("04 00 00 10 20 92", Status.WAITING),
    "sent, and nothing heard yet": ("44 00 00 10 20 92", Status.WAITING),
    "the timer has run out": ("45 00 00 10 20 92", SILENT),
    "an answer": ("64 00 05 10 20 92", ANSWERED),
    "an answer, and the timer of the frame before": ("65 00 05 10 20 92", ANSWERED),
    "cards differ": ("66 08 05 10 0d 92", COLLIDED),
    "cards differ, and parity with them": ("66 0a 05 10 0d 92", COLLIDED),
    "cards differ where no bit can be named": ("66 08 05 10 20 92", COLLIDED),
    "wrong parity": ("66 02 05 10 20 92", GARBLED),
    "wrong framing": ("66 01 05 10 20 92", GARBLED),
    "wrong CRC": ("66 04 05 10 20 92", GARBLED),
    "more than the FIFO holds": ("66 10 40 10 20 92", GARBLED),
    "another version": ("64 00 05 10 20 91", Status.LOST),
    "more in the FIFO than it holds": ("64 00 41 10 20 92", Status.LOST),
    "a bit that reads as 0": ("e4 00 05 10 20 92", Status.LOST),
    "all high": ("ff ff ff ff ff ff", Status.LOST),
    "all low": ("00 00 00 00 00 00", Status.LOST),
}


def status(values: bytes) -> Status:
    """The status of a chip of version 0x92 with these values."""
    said = Status(0x92)
    said.update(values)
    return said


@pytest.mark.parametrize("name", STATUS)
def test_the_registers_mean(name: str) -> None:
    values, outcome = STATUS[name]
    assert status(bytes.fromhex(values)).outcome == outcome


@pytest.mark.parametrize(("position", "bit"), [(1, 0), (8, 7), (31, 30), (0, 31), (0x20, 32)])
def test_a_collision_is_counted_from_1_the_32nd_is_0_and_later_ones_are_not_distinguished(
    position: int, bit: int
) -> None:
    answer = status(bytes((0x66, 0x08, 5, 0x10, position, 0x92))).answer(bytes(5))
    assert (answer.status, answer.collision) == (COLLIDED, bit)


def test_an_unfinished_last_byte_is_reported() -> None:
    assert status(bytes((0x64, 0, 5, 0x13, 0x20, 0x92))).answer(bytes(5)).last_bits == 3
