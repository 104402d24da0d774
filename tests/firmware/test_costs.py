"""The cost of the firmware's code on a board, in instructions of the VM, which stand for a time on a Pico (see
`bench.board_costs`). The bounds are a quarter above the present cost, and notice if a former cost returns."""

from __future__ import annotations

import shutil

import pytest
from tapshared.pad import LOOK_EVERY_US

from bench.board_costs import BoardCosts, measure_board
from firmware.needs_vm import vm_program

BOUNDS = {
    "empty poll": 48_000,  # 96,000 in version 1.0.0
    "empty look, all its turns": 102_000,  # 293,000
    "turn": 19_500,  # 86,000
    "first read": 585_000,  # 773,000
    "first read, until it is heard": 480_000,
    "known card": 410_000,  # 480,000
    "ping read, pong written": 112_500,  # 685,000
    "ping read, pong out": 97_000,
    "tag told": 53_000,  # 145,000
    "light heard": 108_000,  # 197,000
    "hello said": 79_000,  # 424,000
    "40 bytes sent": 20_500,  # 268,000; 16,400 without filling up packets
    "40 bytes read": 72_000,
    "frame drawn": 250_000,
}
PROCESSORS = 1.04
"""The C library below the VM goes other ways on other processors: up to 3.1 % more was counted on one. New
names of attributes change the counts by up to 3 % in both directions, as they move in the VM's tables."""
LONGEST_TURN_MS = 8  # but for a collection of memory


@pytest.fixture(scope="module")
def costs() -> BoardCosts:
    program = vm_program()
    if shutil.which("valgrind") is None:
        pytest.skip("instructions are counted by Valgrind, which isn't here: scripts/packages valgrind:valgrind")
    return measure_board(program)


@pytest.mark.parametrize("what", BOUNDS)
def test_it_costs_no_more_than_it_did(costs: BoardCosts, what: str) -> None:
    assert BOUNDS[what] / 4 < costs.counts[what] < PROCESSORS * BOUNDS[what]


def test_nothing_else_was_counted_but_a_collection(costs: BoardCosts) -> None:
    assert costs.counts.keys() - BOUNDS.keys() == {"memory collected"}


def test_an_empty_pad_can_be_looked_at_250_times_a_second(costs: BoardCosts) -> None:
    assert costs.looks["empty poll"].model_us + costs.pico_us("empty look, all its turns") < LOOK_EVERY_US


def test_what_a_board_says_in_one_turn_is_made_within_the_longest(costs: BoardCosts) -> None:
    a_turn = ("40 bytes read", "light heard", "tag told", "40 bytes sent", "turn")
    assert sum(costs.pico_us(what) for what in a_turn) < 1000 * LONGEST_TURN_MS
