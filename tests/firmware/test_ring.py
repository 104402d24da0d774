"""The ring of a seat board in the VM: the bits on its wire, the frames in their time, and nothing in between."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from tapshared.ring_frames import RingFrames
from tapshared.ticks import ticks_diff

from firmware.needs_vm import run_in_vm
from firmware.vm.process import FIRMWARE

RESET_US = 280
"""As long must the line be quiet until the pixels take what they were sent (WS2812B-V5)."""
BIT_US, BITS = 1.3, 24
LIMITS_US = {  # (least, most) for a zero and a one, up and down, where WS2812B and its V5 agree
    0: ((0.25, 0.38), (0.70, 1.0)),
    1: ((0.65, 0.95), (0.58, 0.60)),
}


@pytest.fixture(scope="module", params=[8, 12, 16])
def told(request: pytest.FixtureRequest) -> tuple[int, list[dict[str, Any]]]:
    """The number of pixels, and what the ring did with them."""
    return request.param, run_in_vm("ring_in_vm.py", FIRMWARE, request.param)


def shows(told: tuple[int, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [line for line in told[1] if "show" in line]


def levels(program: list[Any], labels: dict[str, int], bits: list[int]) -> Iterator[tuple[int, int]]:
    """The level of the line and for how many cycles, instruction by instruction, until a bit more is wanted."""
    at, x, left = 0, 0, list(bits)
    while True:
        (name, *words), side, delay = program[at % len(program)]
        at = at % len(program) + 1
        if name == "out":
            if not left:
                return
            x = left.pop(0)
        elif name == "jmp" and (words[0] != "not_x" or x == 0):
            at = labels[words[-1]]
        yield side, 1 + delay


def test_bits_on_the_wire_are_as_both_kinds_of_pixels_take_them(told: tuple[int, list[dict[str, Any]]]) -> None:
    said = {key: value for line in told[1] for key, value in line.items()}
    assert said["options"] == {"autopull": True, "pull_thresh": 8, "out_shiftdir": 0, "fifo_join": 1, "sideset_init": 0}
    assert said["dma"] == {"size": 0, "inc_write": False, "treq_sel": 0}
    for bit, limits in LIMITS_US.items():
        spans: list[list[float]] = []  # of the same level
        for level, cycles in levels(said["program"], said["labels"], [bit] * 3):
            if not spans or spans[-1][0] != level:
                spans.append([level, 0.0])
            spans[-1][1] += cycles * 1_000_000 / said["hz"]
        assert [level for level, _ in spans[:6]] == [0, 1, 0, 1, 0, 1]
        up, down = spans[1][1], spans[2][1]
        for lasts, (least, most) in zip((up, down), limits, strict=True):
            assert least <= round(lasts, 3) <= most, bit
        assert up + down == pytest.approx(BIT_US)


def test_the_dma_gets_the_address_of_the_fifo_as_a_number_for_every_micropython(
    told: tuple[int, list[dict[str, Any]]],
) -> None:
    txf0 = 0x50200000 + 0x010  # PIO0, first state machine: RP2040 data sheet, 2.2 and 3.7
    assert [line["fifo"] for line in told[1] if "fifo" in line] == [txf0]


def test_every_frame_is_the_one_of_its_moment(told: tuple[int, list[dict[str, Any]]]) -> None:
    pixels = told[0]
    for line in shows(told):
        name, left_ms, whole_ms, at = line["show"]
        frames = RingFrames(pixels)
        frames.show(name, left_ms, whole_ms, at)
        for ticks, sent in line["frames"]:
            # drawn a few pixels at a time, all of them for the moment at which the first was
            frames.advance(ticks - 500 * (pixels // 4 - 1))
            wanted = bytearray(3 * pixels)
            for pixel in range(pixels):
                frames.draw_pixel(pixel, wanted)
            assert sent == wanted.hex(), (name, ticks - at)


def test_frames_are_sent_only_when_they_differ_at_most_40_times_a_second_with_quiet_between(
    told: tuple[int, list[dict[str, Any]]],
) -> None:
    every = [frame for line in shows(told) for frame in line["frames"]]
    for (before, one), (after, other) in pairwise(every):
        assert one != other
        assert ticks_diff(after, before) >= told[0] * BITS * BIT_US + RESET_US
    for line in shows(told):
        seconds = ticks_diff(line["until"], line["show"][3]) / 1_000_000
        assert 1 <= len(line["frames"]) <= 40 * seconds + 1
    assert [len(line["frames"]) for line in shows(told) if line["show"][0] in ("off", "idle")] == [1, 1]
    moved = [len(line["frames"]) for line in shows(told) if line["show"][0] in ("your-turn", "window")]
    assert min(moved) > 30


def test_something_new_is_shown_within_three_milliseconds(told: tuple[int, list[dict[str, Any]]]) -> None:
    for line in shows(told):
        assert ticks_diff(line["frames"][0][0], line["show"][3]) <= 3_000, line["show"][0]


def test_the_ring_allocates_nothing_while_it_shows(told: tuple[int, list[dict[str, Any]]]) -> None:
    assert {line["show"][0]: line["allocated"] for line in shows(told)} == {line["show"][0]: 0 for line in shows(told)}
