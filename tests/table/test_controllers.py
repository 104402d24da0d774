"""A table whose buttons and lamps are those of controllers on USB: who was first, plugs that are pulled out in the
middle of a game, and whole games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from taptable.core.announcements import ClaimGiven
from taptable.core.game_options import GameOptions
from taptable.core.part_notices import PartBack, PartLost
from taptable.daemon.game_options import game_options_at
from taptable.drivers.interface import PartRole
from taptable.narration.updates import Update
from taptable.sim.harness import running_harness
from taptable.sim.people import NO_SLIPS
from taptable.sim.setting_up import set_up

from table.on_controllers import buzz_set, with_buttons_on_controllers
from table.rig import GameNight, a_table, run_in_given_time, running_table

SET, OTHER_SET = buzz_set("1-1.3"), buzz_set("1-1.4")
LONGEST_S = 3 * 3600.0


def in_a_window(folder: Path, evening: Callable[[GameNight], Coroutine[Any, Any, None]]) -> None:
    """Four players, each alone; seats 1 to 3 have Buzz! buttons of two sets, seat 4 one on a pin. Seat 1 has just shown
    a hacker."""
    config = with_buttons_on_controllers(
        a_table(folder, 4, teams="solo", time_limit_s="1000"), [*SET[:2], OTHER_SET[0]]
    )
    assert game_options_at(config).settings["settle_s"] == "0.25"

    async def whole() -> None:
        async with running_table(config) as at:
            await asyncio.sleep(3)
            await at.tap("hacker#1", 1)
            await asyncio.sleep(1)
            await evening(at)

    run_in_given_time(whole)


@pytest.mark.parametrize(
    ("first", "apart_ms", "then", "tied"),
    [
        (2, 40, 3, False),
        (2, 40, 4, False),
        (4, 40, 2, False),
        (2, 3, 3, True),
        (4, 3, 3, True),
        (3, 3, 4, True),
    ],
)
def test_a_press_wins_only_if_it_is_certainly_first(
    first: int, apart_ms: int, then: int, tied: bool, tmp_path: Path
) -> None:
    async def evening(at: GameNight) -> None:
        at.table.press(first)
        await asyncio.sleep(apart_ms / 1000)
        at.table.press(then)
        await asyncio.sleep(0.5)
        (claim,) = at.all_told(ClaimGiven)
        assert claim.tied == (tuple(sorted((first, then))) if tied else ())
        if not tied:
            assert claim.seat == first
            assert abs(claim.margin_us - apart_ms * 1000) <= claim.uncertainty_us <= 17_000

    in_a_window(tmp_path, evening)


def test_a_set_that_is_pulled_out_is_missed_and_plays_on_when_it_is_back(tmp_path: Path) -> None:
    async def evening(at: GameNight) -> None:
        for kind in ("input", "led"):
            at.table.stand_in(kind).plug(2, False)
        await asyncio.sleep(1.2)
        assert {"button 1", "button 2", "lamp 1", "lamp 2"} == {event.part for event in at.all_told(PartLost)}
        for kind in ("input", "led"):
            at.table.stand_in(kind).plug(2, True)
        await asyncio.sleep(1.2)
        assert {"button 1", "button 2", "lamp 1", "lamp 2"} == {event.part for event in at.all_told(PartBack)}
        at.table.press(2)
        await asyncio.sleep(0.5)
        (claim,) = at.all_told(ClaimGiven)
        assert claim.seat == 2
        assert at.table.is_lamp_lit(2)

    in_a_window(tmp_path, evening)


@pytest.mark.long
@pytest.mark.parametrize(("build", "readers"), [("compact", "spi"), ("ready", "i2c")])
def test_a_whole_game_of_four_with_patrols(tmp_path: Path, build: str, readers: str) -> None:
    game_options = GameOptions(4, "de", {"teams": "solo", "time_limit_s": "3000"}, 1)
    config = with_buttons_on_controllers(set_up(tmp_path, "online", game_options, "en", build=build), SET)
    assert {part.address.kind for part in config.parts if part.role is PartRole.PAD} == {readers}

    async def whole() -> None:
        ended, lost = asyncio.Event(), list[str]()

        def on_update(update: Update) -> None:
            table = update.session.table
            lost.extend(event.part for event in update.events if isinstance(event, PartLost))
            if table.game.outcome(table.state) is not None:
                ended.set()

        async with running_harness(config, seed=1, slips=NO_SLIPS, subscriber=on_update) as room:
            room.people.start_players()
            await asyncio.wait_for(ended.wait(), LONGEST_S)
            assert lost == []
            assert room.people.disagreements == []

    run_in_given_time(whole)
