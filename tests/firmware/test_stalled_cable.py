"""A Pi that doesn't read: the board continues, and doesn't send later what is no longer true."""

from __future__ import annotations

import pytest

from firmware.isolated_board import Board, S

CARD = "04a2b3c4d5e680"
CHIP_KEEPS, PACKET = 256, 64  # bytes; a sentence of a health has a packet of its own
LATE_US = 30_000  # from a card put down to its stamp


@pytest.fixture
def board(board: Board) -> Board:
    board.run(3 * S)
    return board


def test_what_the_pi_didnt_take_is_not_sent_when_it_is_no_longer_true(board: Board) -> None:
    board.vm.do(0, "stall", True)
    board.vm.do(0, "unplug", True)
    board.run(6 * S)
    board.vm.do(0, "unplug", False)
    board.run(10 * S)
    board.vm.do(0, "stall", False)
    said = board.run(16 * S)
    del said[: CHIP_KEEPS // PACKET]  # kept by the chip when the Pi began not to read: that can't be taken back
    readers = [message.fields["reader"] for message in said if message.verb == "health"]
    assert readers
    assert set(readers) == {"ok"}


def test_events_from_meanwhile_are_sent_with_their_times(board: Board) -> None:
    board.vm.do(0, "stall", True)
    board.vm.do(5 * S, "press", 1)
    board.vm.do(6 * S, "press", 0)
    board.vm.do(7 * S, "put", CARD)
    board.run(12 * S)
    board.vm.do(0, "stall", False)
    ticks = {m.verb: int(m.fields["ticks"]) for m in reversed(board.run(16 * S)) if m.number}
    assert {verb: round(ticks[verb] / S, 1) for verb in ("press", "release")} == {"press": 5.0, "release": 6.0}
    assert 7 * S <= ticks["tag"] <= 7 * S + LATE_US


def test_the_board_never_waits_for_room_and_misses_no_card(board: Board) -> None:
    board.vm.do(0, "stall", True)
    puts_us = [4 * S + half * S // 2 for half in range(5)]  # three events each, and the oldest 16 are told
    for put_us in puts_us:
        board.vm.do(put_us, "put", CARD)
        board.vm.do(put_us + S // 8, "lift", CARD)
    board.run(7 * S)
    board.vm.do(0, "stall", False)
    seen = {m.number: int(m.fields["ticks"]) for m in board.run(16 * S) if m.verb == "tag" and m.fields["how"] == ""}
    late_us = [ticks - put_us for ticks, put_us in zip(seen.values(), puts_us, strict=True)]
    assert 0 <= min(late_us) <= max(late_us) <= LATE_US
