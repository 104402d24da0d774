"""A board that starts anew: when the watchdog bites, when it is told to, with a boot count or settings that came to
harm."""

from __future__ import annotations

import asyncio

import pytest
from choosing import mostly_long

from firmware.rig import SEAT, AtBoard
from firmware.vm.board import START_S

WATCHDOG_S = 8.4
"""The longest that the RP2040's can wait."""


async def test_a_loop_that_hangs_is_bitten_by_the_watchdog_and_comes_back_with_the_next_boot(here: AtBoard) -> None:
    first = here.board.boot
    hung_s = here.at.loop.time()
    lost = here.at.lost(f"board {SEAT}")
    here.board.do("hang")
    await lost
    await here.at.back(f"board {SEAT}", within_s=WATCHDOG_S)
    [end] = here.board.ends
    assert end.about[0] == "bitten"
    assert end.at_us / 1_000_000 - hung_s <= WATCHDOG_S
    assert here.board.boot == first + 1
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


async def test_a_board_that_is_told_to_starts_anew(here: AtBoard) -> None:
    first = here.board.boot
    boards = here.at.daemon.devices.boards
    assert boards is not None
    boards._boards[SEAT].link.reset()  # no table asks for it, and so it is sent with the next ping
    await here.until(lambda: here.board.ends)
    await asyncio.sleep(START_S + 2)
    assert [end.about[0] for end in here.board.ends] == ["reset"]
    assert here.board.boot == first + 1
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


@pytest.mark.parametrize("harmed", mostly_long([b"", b"12a", b"\xff\xfe", b"-3", b"99999999999999", None], 2))
async def test_a_boot_count_that_came_to_harm_begins_at_random_and_goes_on_from_there(
    harmed: bytes | None, here: AtBoard
) -> None:
    board = here.board
    board.boot = 41
    await here.at.tap("online#1", SEAT)
    board.pull_out()
    if harmed is None:
        (board.flash / "boots").unlink()
    else:
        (board.flash / "boots").write_bytes(harmed)
    (board.flash / "board.json").write_bytes(b'{"pixels": ')
    await asyncio.sleep(3)
    back = here.at.back(f"board {SEAT}")
    board.plug_in()
    await back
    begun = board.boot
    assert begun != 42
    assert here.wire.said("hello")[-1].fields["pixels"] == 12
    await here.at.tap("email#1", SEAT)
    board.reset()
    await asyncio.sleep(START_S + 2)
    assert board.boot == begun + 1
    await here.at.tap("email#2", SEAT)
    assert [tap[0] for tap in here.at.taps()] == ["online#1", "email#1", "email#2"]


async def test_the_interrupt_of_who_flashes_the_board_leaves_it_at_the_prompt(here: AtBoard) -> None:
    here.board.do("interrupt")
    await here.until(lambda: here.board.ends)
    await asyncio.sleep(WATCHDOG_S + 1)
    assert [end.about[0] for end in here.board.ends] == ["prompt"]
    assert here.at.parts() == [f"-board {SEAT}"]
