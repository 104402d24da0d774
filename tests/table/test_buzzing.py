"""*Clocks and the window*, at the hardware: who pressed first wins, by the time of the press and not of its arrival,
with a margin that is true."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Collection, Coroutine
from pathlib import Path
from typing import Any

import pytest
from taptable.api.requests import Role
from taptable.core.announcements import ClaimGiven
from taptable.core.device_events import TagCame
from taptable.core.notices import ButtonAdvised, PlayersNamed
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise
from taptable.drivers.gpio.buttons import EDGE_WAIT_S
from taptable.games.online.announcements import HackerStopped
from taptable.sim.setting_up import PART_ADDRESSES

from table.rig import GameNight, a_table, run_in_given_time, running_table, with_buttons_on_boards

BUTTON_PINS = [int(place.partition(":")[2]) for place in PART_ADDRESSES["full"]["buttons"]]

SILENT = CableNoise(lost=1.0)
CLAIM_S = 10.0


def in_a_window(
    folder: Path, evening: Callable[[GameNight], Coroutine[Any, Any, None]], *, on_boards: Collection[int] = ()
) -> None:
    """Four players, each alone, some with their button on a board; seat 1 has just shown a hacker."""
    config = a_table(folder, 4, teams="solo", time_limit_s="1000")

    async def whole() -> None:
        async with running_table(with_buttons_on_boards(config, on_boards)) as at:
            await asyncio.sleep(3)  # the boards' clocks are known
            await at.tap("hacker#1", 1)
            await asyncio.sleep(1)
            await evening(at)

    run_in_given_time(whole)


async def claims(at: GameNight) -> list[ClaimGiven]:
    """All claims so far, after the one that is due."""
    await asyncio.sleep(0.5)
    found: list[ClaimGiven] = at.all_told(ClaimGiven)
    return found


@pytest.mark.parametrize("apart_ms", [0.3, 2.0, 29.0])
def test_of_two_presses_on_the_pi_the_first_wins_by_what_was_between_them(apart_ms: float, tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.press(4)
        await asyncio.sleep(apart_ms / 1000)
        at.table.press(2)
        (claim,) = await claims(at)
        assert (claim.seat, claim.tied) == (4, ())
        assert claim.margin_us is not None
        assert abs(claim.margin_us - apart_ms * 1000) <= claim.uncertainty_us <= 100

    in_a_window(tmp_path, evening)


def test_of_presses_on_boards_the_first_made_wins_although_it_arrives_later(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.stand_in("board").boards[4].line.noise = SILENT
        at.table.press(4)
        await asyncio.sleep(0.02)
        at.table.press(2)
        await asyncio.sleep(0.03)
        at.table.stand_in("board").boards[4].line.noise = NO_NOISE
        (claim,) = await claims(at)
        assert (claim.seat, claim.tied) == (4, ())
        assert claim.margin_us is not None
        assert abs(claim.margin_us - 20_000) <= claim.uncertainty_us < 10_000

    in_a_window(tmp_path, evening, on_boards=(1, 2, 3, 4))


@pytest.mark.parametrize(("first", "second"), [(4, 2), (2, 4)])
def test_of_a_press_on_a_pin_and_one_on_a_board_the_first_made_wins_whichever_arrives_first(
    first: int, second: int, tmp_path: Path
) -> None:
    async def evening(at: GameNight) -> None:
        at.table.stand_in("board").boards[4].line.noise = SILENT
        at.table.press(first)
        await asyncio.sleep(0.02)
        at.table.press(second)
        await asyncio.sleep(0.03)
        at.loop.stall(0.05)
        at.table.stand_in("board").boards[4].line.noise = NO_NOISE
        (claim,) = await claims(at)
        assert (claim.seat, claim.tied) == (first, ())
        assert claim.margin_us is not None
        assert abs(claim.margin_us - 20_000) <= claim.uncertainty_us < 10_000

    in_a_window(tmp_path, evening, on_boards=(4,))


def test_a_card_at_a_reader_without_stamps_ties_with_a_press_and_a_restart_finds_it_the_same(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.press(4)
        await asyncio.sleep(0.01)
        known_us = at.daemon.clock.now_us()
        at.daemon.controller.report(
            TagCame(known_us, 3, at.tags["cyber-patrol#1"], identity="cyber-patrol#1", uncertainty_us=500_000)
        )
        await asyncio.sleep(0.5)
        assert [told.seat for told in at.all_told(HackerStopped)] == [3]  # by the order of seats
        assert [told.pad for told in at.all_told(ButtonAdvised)] == [3]
        (line,) = [entry.line for entry in at.entries() if entry.line and entry.line.get("tap") == "cyber-patrol#1"]
        assert line["uncertainty_s"] == 0.5
        state = at.state
        await at.restart()
        assert at.state == state

    in_a_window(tmp_path, evening)


def test_a_press_that_arrives_after_the_naming_queues(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.stand_in("board").boards[4].line.noise = SILENT
        at.table.press(4)
        await asyncio.sleep(0.02)
        at.table.press(2)
        await asyncio.sleep(0.4)
        at.table.stand_in("board").boards[4].line.noise = NO_NOISE
        assert [claim.seat for claim in await claims(at)] == [2]
        await asyncio.sleep(CLAIM_S)
        assert [claim.seat for claim in await claims(at)] == [2, 4]

    in_a_window(tmp_path, evening, on_boards=(1, 2, 3, 4))


def test_static_is_no_buzz_whatever_else_comes_while_its_last_edge_is_under_way(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        tag_lines: list[bytes] = []

        def overheard(line: bytes, to_pi: bool) -> None:
            if to_pi and b"tag" in line and not tag_lines:
                tag_lines.append(line)
                at.table.stand_in("gpio").pins.spark(BUTTON_PINS[1])  # its first edge is heard beside the tag
                at.loop.stall(0.03)

        at.table.stand_in("board").boards[3].line.on_line = overheard
        said = await at.tap("online#1", 3)
        assert tag_lines
        assert said.observation.at_us - at.table.stand_in("gpio").pins.truth[-1].began_s * 1_000_000 < 100_000
        at.table.stand_in("gpio").pins.spark(BUTTON_PINS[1])
        await asyncio.sleep(0.0001)
        at.loop.stall(0.03)
        await at.daemon.api.call(Role.ADMIN, "name-players", json.dumps({"names": ["Ada", "", "", ""]}).encode())
        assert at.all_told(PlayersNamed)
        assert await claims(at) == []

    in_a_window(tmp_path, evening)


@pytest.mark.parametrize("heard_s", [0.0, 0.000_1])
def test_a_press_in_time_counts_although_the_table_is_held_up_past_the_window_and_hears_of_something_else_first(
    heard_s: float, tmp_path: Path
) -> None:
    async def evening(at: GameNight) -> None:
        await asyncio.sleep(at.loop_s(at.state.window.closes_at_us) - at.loop.time() - 0.1)
        at.table.press(2)
        await asyncio.sleep(heard_s)
        at.loop.stall(0.4)  # the button is up again, and the time to press is over
        await at.daemon.api.call(Role.ADMIN, "name-players", json.dumps({"names": ["Ada", "", "", ""]}).encode())
        assert at.all_told(PlayersNamed)
        assert [claim.seat for claim in await claims(at)] == [2]

    in_a_window(tmp_path, evening)


def test_an_edge_that_never_comes_holds_nothing_up_for_long(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.press(2)
        await asyncio.sleep(0.0001)
        pin = at.table.stand_in("gpio").pins.factory.pin(BUTTON_PINS[1])
        pin.edges = "none"  # the kernel has no room for the next one
        at.loop.stall(0.2)
        began_s = time.monotonic()
        await at.daemon.api.call(Role.ADMIN, "name-players", json.dumps({"names": ["Ada", "", "", ""]}).encode())
        assert at.all_told(PlayersNamed)
        assert time.monotonic() - began_s >= EDGE_WAIT_S
        assert [claim.seat for claim in await claims(at)] == [2]

    in_a_window(tmp_path, evening)


def test_what_comes_while_an_edge_is_under_way_is_kept_when_the_table_stops(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        at.table.stand_in("gpio").pins.spark(BUTTON_PINS[1])
        await asyncio.sleep(0.0001)
        at.loop.stall(0.03)
        at.daemon.controller.report(TagCame(at.daemon.clock.now_us(), 3, at.tags["online#1"], identity="online#1"))
        await at.stop()
        assert await claims(at) == []
        assert any(entry.line is not None and entry.line.get("tap") == "online#1" for entry in at.entries())
        await at.start()

    in_a_window(tmp_path, evening)
