"""The cost of the firmware's code on a board, in instructions of the VM, which stand for a time on a Pico (see
`bench.board_costs`). The test notices if a former cost returns."""

from __future__ import annotations

import shutil

import pytest
from tapshared.pad import LOOK_EVERY_US

from bench.board_costs import BoardCosts, measure_board
from firmware.needs_vm import vm_program

COSTS = {
    "empty poll": 48_700,  # 96,000 in version 1.0.0
    "empty look, all its turns": 103_700,  # 293,000
    "turn": 19_600,  # 86,000
    "first read": 580_700,  # 773,000
    "first read, until it is heard": 492_800,
    "known card": 402_500,  # 480,000
    "ping read, pong written": 114_600,  # 685,000
    "ping read, pong out": 97_800,
    "tag told": 54_300,  # 145,000
    "light heard": 99_700,  # 197,000
    "hello said": 75_800,  # 424,000
    "40 bytes sent": 20_100,  # 268,000; 16,400 without filling up packets
    "40 bytes read": 71_700,
    "frame drawn": 236_600,
}
ALLOWED = 1.1
"""How much more than in `COSTS` is allowed. Two causes change a count without a change of the code's work: the C
library below the VM goes other ways on other processors (up to 3.1 % more was counted on one), and new names of
attributes move in the VM's tables (up to 3 % in both directions). They can come together. All former costs in the
comments are further away."""
LONGEST_TURN_MS = 8  # but for a collection of memory


@pytest.fixture(scope="module")
def costs() -> BoardCosts:
    program = vm_program()
    if shutil.which("valgrind") is None:
        pytest.skip("instructions are counted by Valgrind, which isn't here: scripts/packages valgrind:valgrind")
    return measure_board(program)


@pytest.mark.parametrize("what", COSTS)
def test_it_costs_no_more_than_it_did(costs: BoardCosts, what: str) -> None:
    assert COSTS[what] / 4 < costs.counts[what] < ALLOWED * COSTS[what]


def test_nothing_else_was_counted_but_a_collection(costs: BoardCosts) -> None:
    assert costs.counts.keys() - COSTS.keys() == {"memory collected"}


def test_an_empty_pad_can_be_looked_at_250_times_a_second(costs: BoardCosts) -> None:
    assert costs.looks["empty poll"].model_us + costs.pico_us("empty look, all its turns") < LOOK_EVERY_US


def test_what_a_board_says_in_one_turn_is_made_within_the_longest(costs: BoardCosts) -> None:
    a_turn = ("40 bytes read", "light heard", "tag told", "40 bytes sent", "turn")
    assert sum(costs.pico_us(what) for what in a_turn) < 1000 * LONGEST_TURN_MS
