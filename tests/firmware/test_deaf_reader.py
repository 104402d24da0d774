"""A reader on a board that answers and hears nothing, or nothing right, and a card that can't be selected: what the
firmware in the VM does about it, and what it tells a Pi that asks."""

from __future__ import annotations

from typing import Any

import pytest
from choosing import long_params
from tapshared import rc522
from tapshared.sentences import Message, encode
from tapshared.upkeep import CHECK_US, CHECKS_WITHOUT_CARD

from firmware.isolated_board import Board, S

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


def events(said: list[Message]) -> list[str]:
    """The verbs of the events among what the board says."""
    return [message.verb for message in said if message.number]


def counts(board: Board) -> dict[str, Any]:
    """The board's answer to ``reader?``."""
    board.hear("reader?")
    [fields] = [message.fields for message in board.pass_us(S // 10) if message.verb == "reader"]
    return fields


def show(board: Board, number: int, pattern: str) -> None:
    """The Pi has the board show this."""
    fields: dict[str, int | str] = {"pattern": pattern, "left_ms": 200_000, "whole_ms": 200_000, "lamp": "off"}
    board.vm.hear(encode(Message("light", fields, number)))


@pytest.mark.parametrize("lost", long_params(LOST, 2))
def test_a_lost_register_is_right_again_within_seconds_and_counted(lost: str, board: Board) -> None:
    board.vm.do(0, "spoil", *LOST[lost])
    assert events(board.pass_us(CHECK_US + S)) == []
    assert counts(board) == {**NOTHING, "setups": 1, "wrong": 1}
    board.vm.do(0, "put", CARD)
    assert "tag" in events(board.pass_us(S // 2))


def test_a_register_that_stays_wrong_is_a_deaf_reader(board: Board) -> None:
    board.vm.do(0, "spoil", rc522.TX_ASK_REG, 0, 1)
    said = board.pass_us(CHECK_US + S)
    assert [message.fields["reader"] for message in said if message.verb == "health"][-1] == "deaf"


@pytest.mark.long
def test_a_receiver_that_hangs_hears_again_after_two_minutes_without_a_card_and_that_is_counted(board: Board) -> None:
    board.vm.do(0, "latch")
    board.vm.do(0, "put", CARD)
    assert "tag" in events(board.pass_us((CHECKS_WITHOUT_CARD + 1) * CHECK_US))
    assert counts(board) == {**NOTHING, "setups": 1, "healed": 1}


@pytest.mark.long
def test_it_isnt_reset_while_the_ring_counts_a_time(board: Board) -> None:
    show(board, 1, "window")
    board.pass_us((CHECKS_WITHOUT_CARD + 1) * CHECK_US)
    assert counts(board) == NOTHING
    show(board, 2, "idle")
    board.pass_us(CHECK_US)
    assert counts(board) == {**NOTHING, "setups": 1}


@pytest.mark.parametrize("fault", ["bcc", "crc", "nonsense"])
def test_a_card_that_cant_be_selected_is_reported_and_hides_no_other(fault: str, board: Board) -> None:
    board.vm.do(0, "put_unselectable", "5e21c0a7", fault)
    assert events(board.pass_us(3 * S)) == []
    assert counts(board) == {**NOTHING, "unread": 1, "now": "unread"}
    board.vm.do(0, "put", CARD)
    assert "tag" in events(board.pass_us(S // 2))
    board.vm.do(0, "lift", "5e21c0a7")
    board.pass_us(S)
    assert counts(board) == {**NOTHING, "unread": 1}
