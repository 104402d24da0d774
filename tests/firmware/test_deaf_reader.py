"""A reader on a board that answers and hears nothing, or nothing right, and a card that can't be selected: what the
firmware in the VM does about it, and what it tells a Pi that asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from choosing import mostly_long
from tapshared import rc522
from tapshared.sentences import Message, encode
from tapshared.upkeep import CHECK_US, UNPROVEN_CHECKS

from firmware.alone import Board, S, board_alone

CARD = "04a2b3c4d5e680"
LOST = {
    "TxASK": (rc522.TX_ASK_REG, 0),
    "the crypto bit": (rc522.STATUS_2_REG, rc522.CRYPTO_ON),
    "the gain": (rc522.RF_CFG_REG, 0x08),
    "the CRC's preset": (rc522.MODE_REG, 0x3F),
    "the prescaler": (rc522.T_PRESCALER_REG, 0),
    "half of the antenna": (rc522.TX_CONTROL_REG, 0x81),
}
NOTHING = {"setups": 0, "wrong": 0, "healed": 0, "unread": 0, "now": ""}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with board_alone(tmp_path) as board:
        yield board


class Time:
    """Goes on by seconds."""

    def __init__(self, board: Board) -> None:
        self.now_us = 2 * S
        self._board = board

    def pass_us(self, span_us: int) -> list[str]:
        """The verbs of the events that the board tells meanwhile."""
        self.now_us += span_us
        return [message.verb for message in self._board.run(self.now_us) if message.number]

    def counts(self) -> dict[str, Any]:
        """What it answers to ``reader?``."""
        self._board.hear("reader?")
        self.now_us += S // 10
        [fields] = [message.fields for message in self._board.run(self.now_us) if message.verb == "reader"]
        return fields


def show(board: Board, number: int, pattern: str) -> None:
    """The Pi has the board show this."""
    fields: dict[str, int | str] = {"pattern": pattern, "left_ms": 200_000, "whole_ms": 200_000, "lamp": "off"}
    board.vm.hear(encode(Message("light", fields, number)))


@pytest.mark.parametrize("lost", mostly_long(LOST, 2))
def test_a_lost_register_is_right_again_within_seconds_and_counted(lost: str, board: Board) -> None:
    time = Time(board)
    board.vm.do(0, "spoil", *LOST[lost])
    assert time.pass_us(CHECK_US + S) == []
    assert time.counts() == {**NOTHING, "setups": 1, "wrong": 1}
    board.vm.do(0, "put", CARD)
    assert "tag" in time.pass_us(S // 2)


def test_a_register_that_stays_wrong_is_a_deaf_reader(board: Board) -> None:
    board.vm.do(0, "spoil", rc522.TX_ASK_REG, 0, 1)
    said = board.run(2 * S + CHECK_US + S)
    assert [message.fields["reader"] for message in said if message.verb == "health"][-1] == "deaf"


def test_a_receiver_that_hangs_hears_again_after_two_minutes_without_a_card_and_that_is_counted(board: Board) -> None:
    time = Time(board)
    board.vm.do(0, "latch")
    board.vm.do(0, "put", CARD)
    assert "tag" in time.pass_us((UNPROVEN_CHECKS + 1) * CHECK_US)
    assert time.counts() == {**NOTHING, "setups": 1, "healed": 1}


@pytest.mark.long
def test_it_isnt_reset_while_the_ring_counts_a_time(board: Board) -> None:
    time = Time(board)
    show(board, 1, "window")
    time.pass_us((UNPROVEN_CHECKS + 1) * CHECK_US)
    assert time.counts() == NOTHING
    show(board, 2, "idle")
    time.pass_us(CHECK_US)
    assert time.counts() == {**NOTHING, "setups": 1}


@pytest.mark.parametrize("fault", ["bcc", "crc", "nonsense"])
def test_a_card_that_cant_be_selected_is_told_and_hides_no_other(fault: str, board: Board) -> None:
    time = Time(board)
    board.vm.do(0, "put_unselectable", "5e21c0a7", fault)
    assert time.pass_us(3 * S) == []
    assert time.counts() == {**NOTHING, "unread": 1, "now": "unread"}
    board.vm.do(0, "put", CARD)
    assert "tag" in time.pass_us(S // 2)
    board.vm.do(0, "lift", "5e21c0a7")
    time.pass_us(S)
    assert time.counts() == {**NOTHING, "unread": 1}
