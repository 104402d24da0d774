"""How long the loop of a board is held up, what that means for a ping, and how often it looks at its pad: the real loop
in the VM, each part of which takes as long as counted (`test_costs`) or measured on an emulated RP2040."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware.needs_vm import vm_program
from firmware.vm.process import FIRMWARE, Vm

COSTS_US = {
    "collect": 14_600,
    "mem_free": 8_700,
    "turn": 400,
    "ping": 1_700,
    "press": 100,
    "read": 350,
    "hunt": 1_200,
    "say": 1_200,
    "send": 300,
    "lamp": 50,
    "ring": 1_300,
}
A_CARD_LOOK_BYTES = 3_000  # in the VM, whose words are as long as a Pico's
SPAN_S = 40
USB_US = 1_500  # both ways
LONGEST_TURN_US = 16_000
PING_P99_US = 12_000
LONG_US = 200_000_000


@dataclass(frozen=True)
class Turns:
    """The turns of one case, over SPAN_S."""

    turns: int
    looks: int
    longest_us: int
    ping_us: int
    ping_p99_us: int
    collections: int
    weighed: int


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Turns]:
    flash = tmp_path_factory.mktemp("flash")
    (flash / "main.py").symlink_to(Path(__file__).with_name("turns_in_vm.py"))
    for part in ("seatboard", "lib"):
        (flash / part).symlink_to(FIRMWARE / part)
    (flash / "costs.json").write_text(json.dumps(COSTS_US))
    vm = Vm(vm_program(), flash)
    told = []
    try:
        while vm.ended is None:
            told += vm.until(LONG_US)
    finally:
        vm.kill()
    assert vm.ended.about[0] == "prompt", vm.output.read_text()
    found = {str(each.about[0]): Turns(*map(int, each.about[1:])) for each in told if each.what == "turns"}
    print(found)
    return found


@pytest.mark.parametrize("case", ["empty", "card"])
def test_no_turn_is_longer_than_a_collection_and_pings_don_t_wait(cases: dict[str, Turns], case: str) -> None:
    assert cases[case].longest_us <= LONGEST_TURN_US
    assert cases[case].ping_p99_us + USB_US < PING_P99_US


def test_memory_is_collected_seldom_and_weighed_as_often_as_it_is_reported(cases: dict[str, Turns]) -> None:
    assert cases["empty"].collections <= SPAN_S / 5 + 1
    assert 1 <= cases["card"].weighed <= SPAN_S / 5 + 1
    # before 170 kB are used up, or it would be collected in the middle of something
    assert cases["card"].looks / cases["card"].collections * A_CARD_LOOK_BYTES < 160_000


def test_an_empty_pad_is_looked_at_250_times_a_second(cases: dict[str, Turns]) -> None:
    assert cases["empty"].looks >= 248 * SPAN_S  # collections cost some
    assert cases["empty"].turns < 2.5 * cases["empty"].looks
