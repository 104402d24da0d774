"""Faults on the way between board and Pi, from both sides: what the firmware in the VM says, and what the daemon makes
of it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from choosing import long_params
from tapshared.ticks import PERIOD
from taptable.core.notices import CardLying
from taptable.core.observations import ButtonPressed
from taptable.referee.session import Decision

from firmware.rig import SEAT, AtBoard, at_vm_board
from firmware.vm.board import Clock

RESENT_S = 4.0
"""Within this a board that is heard again has said all it kept."""
PRESS_US = 100_000
RELEASED_S = 0.2


def stamps(here: AtBoard) -> list[tuple[float, int]]:
    """For each press on the board that the table has judged: its time in the loop's seconds, and its uncertainty in ±
    µs."""
    found: list[tuple[float, int]] = []
    for _, event in here.at.events:
        observation = getattr(event, "observation", None) if isinstance(event, Decision) else None
        if isinstance(observation, ButtonPressed):
            found.append((here.at.loop_s(observation.pressed_at_us), observation.uncertainty_us))
    return found


def presses(here: AtBoard) -> list[float]:
    """The truth at the contact."""
    return [action.at_s for action in here.board.actions if action.kind == "press"]


async def pressed(here: AtBoard) -> None:
    """Press and release the button."""
    here.board.press()
    here.board.do("press", 0, after_us=PRESS_US)
    await asyncio.sleep(PRESS_US / 1_000_000 + RELEASED_S)


def assert_bounds_hold(here: AtBoard, count: int) -> None:
    """Each press was judged once, and was within what its stamp says it may have been."""
    assert len(stamps(here)) == len(presses(here)) == count
    for (stamp_s, uncertainty_us), truth_s in zip(stamps(here), presses(here), strict=True):
        assert abs(stamp_s - truth_s) * 1_000_000 <= uncertainty_us + 1


@pytest.mark.parametrize("count", long_params([45, 30, 15]))
async def test_a_board_whose_power_fails_in_mid_sentence_comes_back_and_nothing_counts_twice(
    count: int, here: AtBoard
) -> None:
    board = here.board
    first = board.boot
    board.do("fail", "tag", count)
    here.at.put("online#1", SEAT)
    await here.until(lambda: board.ends, within_s=6)
    assert [end.about[0] for end in board.ends] == ["failed"]
    await asyncio.sleep(RESENT_S)
    assert board.boot == first + 1
    uid = here.at.tags["online#1"]
    assert set(here.wire.events()) == {f"tag {uid} lying", f"tag {uid} again"}
    assert [(n.card, n.pad) for n in here.at.all_told(CardLying)] == [("online#1", SEAT)]
    here.at.lift("online#1", SEAT)
    await asyncio.sleep(1)
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


WRAPS_S = 5.5
"""Seconds after power-up at which the board's clock wraps."""


@pytest.mark.parametrize("ppm", [-100, 100])
async def test_presses_on_both_sides_of_the_wrap_of_the_boards_clock_are_where_they_were(
    ppm: int, tmp_path: Path
) -> None:
    async with at_vm_board(tmp_path, clock=Clock(PERIOD - round(WRAPS_S * 1_000_000), ppm)) as here:
        while here.at.loop.time() < WRAPS_S + 1.5:
            await pressed(here)
            await asyncio.sleep(0.8)  # or the button would be deaf, since its meaning may have changed
        ticks = [int(message.fields["ticks"]) for message in here.wire.messages("press")]
        assert any(late < early for early, late in pairwise(ticks)), "the clock hasn't wrapped"
        assert_bounds_hold(here, len(presses(here)))
