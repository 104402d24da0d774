"""A board restarts when the watchdog bites or on request, also with a damaged boot count or damaged settings."""

from __future__ import annotations

import asyncio

from firmware.rig import SEAT, AtBoard
from firmware.vm.board import START_S

WATCHDOG_S = 8.4
"""The longest that the RP2040's can wait."""


async def test_a_loop_that_hangs_is_bitten_by_the_watchdog_and_comes_back_with_the_next_boot(here: AtBoard) -> None:
    first = here.board.boot
    hung_s = here.at.loop.time()
    lost = here.at.next_lost(f"board {SEAT}")
    here.board.do("hang")
    await lost
    await here.at.next_returned(f"board {SEAT}", within_s=WATCHDOG_S)
    [end] = here.board.ends
    assert end.about[0] == "bitten"
    assert end.at_us / 1_000_000 - hung_s <= WATCHDOG_S
    assert here.board.boot == first + 1
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


async def test_a_board_restarts_on_request(here: AtBoard) -> None:
    first = here.board.boot
    boards = here.at.daemon.devices.parts_by_kind["board"]
    assert boards is not None
    boards._boards[SEAT].link.reset()  # no table asks for it, and so it is sent with the next ping
    await here.until(lambda: here.board.ends)
    await asyncio.sleep(START_S + 2)
    assert [end.about[0] for end in here.board.ends] == ["reset"]
    assert here.board.boot == first + 1
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]


async def test_the_interrupt_of_who_flashes_the_board_leaves_it_at_the_prompt(here: AtBoard) -> None:
    here.board.do("interrupt")
    await here.until(lambda: here.board.ends)
    await asyncio.sleep(WATCHDOG_S + 1)
    assert [end.about[0] for end in here.board.ends] == ["prompt"]
    assert here.at.parts() == [f"-board {SEAT}"]
