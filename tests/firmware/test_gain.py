"""The gain of the reader on a board: the Pi tells it, it arrives in the chip and stays there, and the board answers how
it has heard since."""

from __future__ import annotations

import pytest
from tapshared.rc522 import GAIN_DB, GAINS

from firmware.isolated_board import Board, S

CARD = "04a2b3c4d5e680"


def pass_tenths(board: Board, count: int) -> list[tuple[int, int, int]]:
    """The board's reports about its reader during `count` tenths of a second: gain, looks, reads."""
    said = [message.fields for message in board.pass_us(count * S // 10) if message.verb == "hears"]
    return [(int(fields["db"]), int(fields["looks"]), int(fields["read"])) for fields in said]


def gain_in_chip(board: Board) -> int:
    """The gain in the chip's register."""
    board.vm.do(0, "gain")
    pass_tenths(board, 1)
    return [int(told.about[0] or 0) for told in board.told if told.what == "gain"][-1]


def test_the_chip_has_33_db_until_the_pi_tells_another(board: Board) -> None:
    assert gain_in_chip(board) == GAIN_DB == 33
    for gain_db in sorted(GAINS, key=lambda gain_db: gain_db % 10):
        board.hear("gain", db=str(gain_db))
        answers = pass_tenths(board, 1)
        assert [answer[0] for answer in answers] == [gain_db]
        assert gain_in_chip(board) == gain_db


@pytest.mark.parametrize("fault", [("unplug", 1, 0), ("hold", 0, None)], ids=["replugged", "MISO held down"])
def test_it_stays_in_a_chip_that_is_restarted(board: Board, fault: tuple[str, int, int | None]) -> None:
    board.hear("gain", db="48")
    pass_tenths(board, 1)
    action, begin, end = fault
    board.vm.do(0, action, begin)
    pass_tenths(board, 5)
    board.vm.do(0, action, end)
    pass_tenths(board, 5)
    assert gain_in_chip(board) == 48


def test_asked_again_it_answers_how_often_it_looked_and_read_since(board: Board) -> None:
    board.hear("gain", db="38")
    assert pass_tenths(board, 1) == [(38, 0, 0)]
    board.vm.do(0, "put", CARD)
    pass_tenths(board, 1)
    board.hear("gain", db="38")
    [(_, looks, reads)] = pass_tenths(board, 10)
    board.hear("gain", db="38")
    [(_, later_looks, later_reads)] = pass_tenths(board, 1)
    assert later_looks - looks == later_reads - reads > 30
    board.hear("gain", db="43")
    assert pass_tenths(board, 1) == [(43, 0, 0)]
