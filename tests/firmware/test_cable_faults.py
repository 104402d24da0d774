"""Faults on the way between board and Pi, from both sides: what the firmware in the VM says, and what the daemon makes
of it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from choosing import mostly_long
from tapshared.outbox import KEPT
from tapshared.ticks import PERIOD
from taptable.core.announcements import ClaimGiven
from taptable.core.notices import CardLying, PartLost
from taptable.core.observations import ButtonPressed
from taptable.referee.session import Judged

from firmware.rig import SEAT, AtBoard, at_vm_board, vm_table
from firmware.vm.board import Clock

RESENT_S = 4.0
"""Within this a board that is heard again has said all it kept."""
PRESS_US = 100_000
RELEASED_S = 0.2


def stamps(here: AtBoard) -> list[tuple[float, int]]:
    """Of each press on the board that the table has judged: when it was, in the loop's seconds, and ± how many µs."""
    found: list[tuple[float, int]] = []
    for _, event in here.at.heard:
        observation = getattr(event, "observation", None) if isinstance(event, Judged) else None
        if isinstance(observation, ButtonPressed):
            found.append((here.at.loop_s(observation.pressed_at_us), observation.uncertainty_us))
    return found


def presses(here: AtBoard) -> list[float]:
    """The truth at the contact."""
    return [action.at_s for action in here.board.actions if action.what == "press"]


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


@pytest.mark.parametrize("count", mostly_long([45, 30, 15]))
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
    assert [(n.card, n.pad) for n in here.at.told(CardLying)] == [("online#1", SEAT)]
    here.at.lift("online#1", SEAT)
    await asyncio.sleep(1)
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


@pytest.mark.long
async def test_an_outbox_that_is_full_tells_how_much_was_lost_and_keeps_the_oldest(here: AtBoard) -> None:
    here.board.pull_out(powered=True)
    for _ in range(KEPT // 2 + 8):
        await pressed(here)
    lost = here.at.lost(f"board {SEAT}", within_s=RESENT_S)
    here.board.plug_in()
    told = await lost
    assert isinstance(told, PartLost)
    assert "16 events" in told.reason
    await asyncio.sleep(RESENT_S)
    kept = sorted(here.wire.said("press", "release"), key=lambda message: message.number)
    assert [message.verb for message in kept] == ["press", "release"] * (KEPT // 2)
    assert here.wire.said("health")[-1].fields["lost"] == 16
    before = len(stamps(here))
    await asyncio.sleep(1)
    await here.at.press(SEAT)
    assert len(stamps(here)) == before + 1


async def test_nothing_is_lost_while_nobody_reads_at_the_other_end(here: AtBoard) -> None:
    here.board.do("stall", 1)
    await here.at.tap_in_vain("online#1", SEAT)
    await asyncio.sleep(1)
    assert here.wire.events() == []
    here.board.do("stall", 0)
    await asyncio.sleep(RESENT_S)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


WRAPS_S = 5.5
"""So long after power-up the board's clock begins anew."""


@pytest.mark.parametrize("ppm", [-100, 100])
async def test_presses_on_both_sides_of_the_wrap_of_the_boards_clock_are_where_they_were(
    ppm: int, tmp_path: Path
) -> None:
    async with at_vm_board(tmp_path, clock=Clock(PERIOD - round(WRAPS_S * 1_000_000), ppm)) as here:
        while here.at.loop.time() < WRAPS_S + 1.5:
            await pressed(here)
            await asyncio.sleep(0.8)  # or the button would be deaf, since its meaning may have changed
        ticks = [int(message.fields["ticks"]) for message in here.wire.said("press")]
        assert any(late < early for early, late in pairwise(ticks)), "the clock hasn't wrapped"
        assert_bounds_hold(here, len(presses(here)))


@pytest.mark.long
@pytest.mark.parametrize("after_ms", mostly_long([-6.0, 6.0]))
@pytest.mark.parametrize("first_ms", [-10.0, 10.0])
async def test_who_buzzed_first_is_told_though_the_clock_wraps_in_the_middle_of_the_window(
    after_ms: float, first_ms: float, tmp_path: Path
) -> None:
    config = vm_table(tmp_path, 4, starter=2, teams="solo", time_limit_s="1000")
    async with at_vm_board(tmp_path, config=config, clock=Clock(PERIOD - round(WRAPS_S * 1_000_000))) as here:
        await here.at.tap("hacker#1", 2)
        until_s = WRAPS_S + after_ms / 1000 - here.at.loop.time()
        here.board.do("press", 1, after_us=round(until_s * 1_000_000))
        await asyncio.sleep(until_s + first_ms / 1000)
        here.at.table.press(4)
        await asyncio.sleep(0.7)
        [claim] = here.at.told(ClaimGiven)
        assert (claim.seat, claim.tied) == (SEAT if first_ms > 0 else 4, ())
        assert abs(claim.margin_us - abs(first_ms) * 1000) <= claim.uncertainty_us <= 1_000


@pytest.mark.long
async def test_a_ping_that_is_answered_late_leaves_the_bound_true(tmp_path: Path) -> None:
    async with at_vm_board(tmp_path, clock=Clock(0, 100)) as here:
        for late_us in (5_000, 300_000, 900_000):
            here.board.do("busy", late_us)
            await asyncio.sleep(2)
            await here.at.press(SEAT)
            await asyncio.sleep(1)
        assert_bounds_hold(here, 3)
        assert here.at.parts() == []
