"""People at a simulated table: what virtual players do that no game asks of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from taptable.core.check_notices import CheckDone
from taptable.core.game_options import GameOptions
from taptable.core.notices import CorrectionAsked
from taptable.core.observations import ControlUsed, TableCorrected
from taptable.core.player import TapControl
from taptable.games.registry import GAMES, find_game
from taptable.narration.updates import Update
from taptable.referee.session import Decision, TableEvent
from taptable.sim.harness import SimulationHarness, running_harness
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.people import NO_SLIPS
from taptable.sim.setting_up import set_up
from taptable.sim.touching import is_accepted

PATIENCE_S = 600.0


def at_a_table(
    folder: Path,
    evening: Callable[[SimulationHarness, asyncio.Queue[TableEvent]], Coroutine[Any, Any, None]],
    game: str = "online",
) -> None:
    """Four virtual players at a table in given time, and all that happens there."""

    async def sit() -> None:
        config = set_up(folder, game, GameOptions(4, find_game(game).editions[0], {}, 1), "en")
        told: asyncio.Queue[TableEvent] = asyncio.Queue()

        def on_update(update: Update) -> None:
            for event in update.events:
                told.put_nowait(event)

        async with running_harness(config, seed=3, slips=NO_SLIPS, subscriber=on_update) as room:
            room.people.start_players()
            await asyncio.wait_for(evening(room, told), PATIENCE_S)

    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.run(sit())


async def hear(told: asyncio.Queue[TableEvent], wanted: type[TableEvent]) -> Any:
    while not isinstance(heard := await told.get(), wanted):
        pass
    return heard


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if TableCorrected in game.arrangements])
def test_virtual_players_check_the_table_and_find_it_as_it_is(game: str, tmp_path: Path):
    async def evening(room: SimulationHarness, told: asyncio.Queue[TableEvent]) -> None:
        await asyncio.sleep(30)
        await room.people.use_control(1, "check")
        done = await hear(told, CheckDone)
        assert done.corrections == 0
        assert room.people.disagreements == []

    at_a_table(tmp_path, evening, game)


def test_virtual_players_count_what_is_asked_for_in_a_game_that_tells_its_cards_apart(tmp_path: Path):
    async def evening(room: SimulationHarness, told: asyncio.Queue[TableEvent]) -> None:
        truth = room.people.truth
        red = truth.cards_by_back(2, red=True)[0]
        hands = [tuple(card for card in hand if card != red) for hand in truth.hands]
        hands[2] = (*hands[2], red)
        room.people.truth = replace(truth, hands=tuple(hands))
        await room.people.use_control(1, "check")
        assert (await hear(told, CheckDone)).corrections == 2
        table = room.session.table
        assert table.game.players.disagreement(table.state, room.people.truth) is None

    at_a_table(tmp_path, evening, "cyber-siege")


def test_a_control_is_used_by_the_control_card_that_stands_for_it_and_its_fields(tmp_path: Path):
    used = TapControl(1, "buy-users", (("users", 2),))

    async def evening(room: SimulationHarness, _: object) -> None:
        await room.people.stop_players()
        heard = await room.people.do(used)
        assert isinstance(heard, Decision)
        assert isinstance(heard.observation, ControlUsed)
        assert (heard.observation.control, heard.observation.fields) == (used.control, used.fields)

    at_a_table(tmp_path, evening, "xnet")


def test_a_control_that_has_no_card_is_asked_for_at_the_page(tmp_path: Path):
    async def evening(room: SimulationHarness, told: asyncio.Queue[TableEvent]) -> None:
        await room.people.stop_players()
        assert is_accepted(await room.people.do(TapControl(1, "end-game")))
        assert (await hear(told, CorrectionAsked)).by == "page"
        assert room.people.game_over.is_set()

    at_a_table(tmp_path, evening)


def test_virtual_players_end_a_pause_unless_that_is_left_to_others(tmp_path: Path):
    async def evening(room: SimulationHarness, _: object) -> None:
        room.people.ends_pauses = False
        await room.people.use_control(1, "pause")
        await asyncio.sleep(120)
        assert room.people.paused
        room.people.ends_pauses = True
        # somebody moves, and the others look up
        await room.people.use_control(1, "check")
        await room.people.use_control(1, "check")
        while room.people.paused:
            await asyncio.sleep(1)

    at_a_table(tmp_path, evening)


def test_an_error_of_a_virtual_player_is_reported_to_the_loop_at_once(tmp_path: Path):
    async def evening(room: SimulationHarness, _: object) -> None:
        trouble: list[BaseException] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context["exception"]))
        truth, room.people.truth = room.people.truth, None
        while not trouble:
            await asyncio.sleep(1)
        room.people.truth = truth
        assert isinstance(trouble[0], AttributeError | TypeError)  # of holdings that are none

    at_a_table(tmp_path, evening)
