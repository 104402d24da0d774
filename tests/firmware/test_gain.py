"""The gain of the reader on a board: the Pi tells it, it arrives in the chip and stays there, and the board answers how
it has heard since."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tapshared.rc522 import GAIN_DB, GAINS
from taptable.config import load_config
from taptable.daemon.game_options import check_game

from firmware.alone import Board, S
from firmware.rig import MET_S, SEAT, at_vm_board, vm_table

CARD = "04a2b3c4d5e680"


def pass_tenths(board: Board, count: int) -> list[tuple[int, int, int]]:
    """What the board answers of how it hears while so many tenths of a second pass: gain, looks, reads."""
    said = [message.fields for message in board.pass_us(count * S // 10) if message.verb == "hears"]
    return [(int(fields["db"]), int(fields["looks"]), int(fields["read"])) for fields in said]


def gain_in_chip(board: Board) -> int:
    """What the register says."""
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
def test_it_stays_in_a_chip_that_is_started_anew(board: Board, fault: tuple[str, int, int | None]) -> None:
    board.hear("gain", db="48")
    pass_tenths(board, 1)
    action, begin, end = fault
    board.vm.do(0, action, begin)
    pass_tenths(board, 5)
    board.vm.do(0, action, end)
    pass_tenths(board, 5)
    assert gain_in_chip(board) == 48


def test_one_that_is_told_while_the_reader_is_deaf_is_there_when_it_answers(board: Board) -> None:
    board.vm.do(0, "unplug", 1)
    pass_tenths(board, 5)
    board.hear("gain", db="23")
    assert pass_tenths(board, 1) == [(23, 0, 0)]
    board.vm.do(0, "unplug", 0)
    pass_tenths(board, 5)
    assert gain_in_chip(board) == 23


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


def test_a_faint_card_is_read_in_fewer_looks_with_less_gain(board: Board) -> None:
    board.vm.do(0, "faint", 43, 1)
    board.vm.do(0, "put", CARD)
    shares: dict[int, float] = {}
    for gain_db in sorted(GAINS):
        board.hear("gain", db=str(gain_db))
        pass_tenths(board, 1)
        board.hear("gain", db=str(gain_db))
        [(_, looks, reads)] = pass_tenths(board, 10)
        board.hear("gain", db=str(gain_db))
        [(_, later_looks, later_reads)] = pass_tenths(board, 1)
        shares[gain_db] = (later_reads - reads) / (later_looks - looks)
    assert shares[18] == 0
    assert 0 < shares[33] < shares[38] < 0.9
    assert shares[43] == shares[48] == 1


def test_a_pad_is_still_looked_at_as_often(board: Board) -> None:
    board.hear("gain", db="23")
    pass_tenths(board, 1)
    board.hear("gain", db="23")
    [(_, looks, _)] = pass_tenths(board, 10)
    board.hear("gain", db="23")
    [(_, later, _)] = pass_tenths(board, 1)
    assert 200 < later - looks <= 275


async def test_the_daemon_tells_it_and_tells_it_again_after_the_board_began_anew(tmp_path: Path) -> None:
    config = vm_table(tmp_path)
    text = config.file.read_text(encoding="utf-8")
    config.file.write_text(text.replace("[[seats]]\n", "[[seats]]\ngain_db = 43\n", 1), encoding="utf-8")
    config = load_config(config.file, check_game)
    async with at_vm_board(tmp_path, config=config) as here:
        assert {message.fields["db"] for message in here.wire.said("hears")} == {"43"}
        began_s = here.at.loop.time()
        here.board.reset()
        await asyncio.sleep(MET_S)
        assert {message.fields["db"] for message in here.wire.said("hears", since_s=began_s)} == {"43"}
        await here.at.tap("online#1", SEAT)
        assert here.at.taps() == [("online#1", SEAT, "Accepted")]
