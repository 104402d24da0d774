"""The journal has no room: nothing counts, and the table says so. With room again all of it counts, once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from memory.processes import no_file_larger_than
from taptable import __version__
from taptable.api.requests import Role
from taptable.core.announcements import Paused, WindowClosed
from taptable.core.notices import Notice, PlayersNamed
from taptable.core.observations import ButtonPressed
from taptable.core.part_notices import ButtonStuck, PartBack, PartLost
from taptable.cues.scene import Refusal, Scene, render
from taptable.daemon.daemon import screen_style_of
from taptable.games.online.announcements import TurnEnded
from taptable.memory.database import wal_file_of
from taptable.referee.session import Decision

from table.faulty import an_evening
from table.hal import Passage, watched
from table.rig import GameNight, a_table, running_table

AGAIN_S = 4.0
"""Within this all that could not be written down has been tried again, by the boards too."""


@contextmanager
def no_room(evening: GameNight) -> Iterator[None]:
    """The system lets no file grow beyond what is in the journal's WAL now."""
    with no_file_larger_than(wal_file_of(evening.config.table.journal).stat().st_size):
        yield


@pytest.fixture
def passed() -> list[Passage]:
    return []


@pytest.fixture
async def at(tmp_path: Path, passed: list[Passage]) -> AsyncIterator[GameNight]:
    """An evening at which seat 1 is online; `passed` is what passed below the drivers."""
    with watched(passed.append) as below:
        async with an_evening(tmp_path, hardware=below) as evening:
            await evening.tap("online#1", 1)
            await asyncio.sleep(2)
            yield evening


async def test_a_board_is_not_acknowledged_and_its_card_counts_once_when_there_is_room(
    at: GameNight, passed: list[Passage]
) -> None:
    before, written = at.state, at.entries()
    with no_room(at):
        passed.clear()
        await at.tap_in_vain("email#1", 1)
        await asyncio.sleep(30)
        assert (at.state, at.entries()) == (before, written)
        assert [each for each in passed if each.what == "ack"] == []
    await asyncio.sleep(AGAIN_S)
    assert at.taps() == [("online#1", 1, "Accepted"), ("email#1", 1, "Accepted")]
    assert [each for each in passed if each.what == "ack"] != []


async def test_a_card_on_the_pi_s_own_reader_counts_once_when_there_is_room(at: GameNight) -> None:
    before = at.state
    with no_room(at):
        await at.tap_in_vain("email#1", "discard")
        await at.tap_in_vain("email#1", "discard")
        assert at.state == before
    await asyncio.sleep(AGAIN_S)
    assert at.taps()[1:] == [("email#1", "discard", "Accepted"), ("email#1", "discard", "Ignored")]


async def test_a_press_counts_once_when_there_is_room_and_the_button_is_free_for_the_next(at: GameNight) -> None:
    with no_room(at):
        at.table.press(1)
        await asyncio.sleep(20)
        assert at.all_told(TurnEnded) == []
    await asyncio.sleep(AGAIN_S)
    assert [said.seat for said in at.all_told(TurnEnded)] == [1]
    assert at.all_told(ButtonStuck) == []
    heard = await at.press(1)
    assert isinstance(heard, Decision)
    assert isinstance(heard.observation, ButtonPressed)


async def test_what_is_asked_for_while_a_press_can_t_be_written_down_is_answered_at_once_and_stays_behind_it(
    at: GameNight,
) -> None:
    with no_room(at):
        at.table.press(1)
        await asyncio.sleep(1)
        asked_s = at.loop.time()
        for name in ("Ada", "Bob"):
            params = json.dumps({"names": [name, "", "", ""]}).encode()
            assert await at.daemon.api.call(Role.ADMIN, "name-players", params) == {}
        assert at.loop.time() == asked_s
        await asyncio.sleep(5)
    await asyncio.sleep(AGAIN_S)
    after = [h.names[0] if isinstance(h, PlayersNamed) else "Stop" for h in at.all_told(PlayersNamed | TurnEnded)]
    assert after == ["Stop", "Ada", "Bob"]


async def test_a_window_closes_when_that_can_be_written_down(at: GameNight) -> None:
    await at.tap("hacker#1", 1)
    with no_room(at):
        await asyncio.sleep(20)
        assert at.all_told(WindowClosed) == []
        assert at.state.window is not None
    await asyncio.sleep(AGAIN_S)
    assert len(at.all_told(WindowClosed)) == 1
    assert at.state.window is None


async def test_a_part_that_fails_and_one_that_returns_are_reported_when_there_is_room(at: GameNight) -> None:
    with no_room(at):
        at.table.stand_in("board").boards[2].pull_out(powered=True)
        await asyncio.sleep(5)
        at.table.stand_in("board").boards[2].plug_in()
        await asyncio.sleep(5)
        assert at.all_told(Notice) == []
    await asyncio.sleep(AGAIN_S)
    assert [(type(notice), notice.part) for notice in at.all_told(Notice)] == [
        (PartLost, "board 2"),
        (PartBack, "board 2"),
    ]


async def test_the_table_says_that_nothing_counts_and_why(
    at: GameNight, passed: list[Passage], caplog: pytest.LogCaptureFixture
) -> None:
    with no_room(at):
        passed.clear()
        await at.tap_in_vain("email#1", "discard")
        shown, look, now_us = at.table.picture(), screen_style_of(at.config), at.daemon.clock.now_us()
        refusal = Refusal(
            look.words.text("notice", "journal-stuck"), caplog.messages[-1].partition(": ")[2], now_us + 1
        )
        scene = Scene(__version__, at.referee_table.game.scoreboard(at.state), refusal=refusal)
        assert shown.tobytes() == render(scene, now_us, at.table.display.size, look).tobytes()
        assert any(each.what == "tone" for each in passed)
    await asyncio.sleep(AGAIN_S)


async def test_nothing_counts_until_something_is_written_down_that_says_nothing_too(at: GameNight) -> None:
    def is_stuck() -> bool:
        return at.daemon.api.topics["journal"]().stuck

    at.put("email#1", 1)
    await asyncio.sleep(3)  # and its hold has been judged
    with no_room(at):
        at.lift("email#1", 1)
        await asyncio.sleep(2)
        assert is_stuck()
    await asyncio.sleep(AGAIN_S)
    assert not is_stuck()


async def test_nothing_counts_any_longer_once_a_board_has_forgotten_what_could_not_be_written_down(
    at: GameNight,
) -> None:
    with no_room(at):
        await at.tap_in_vain("email#1", 1)
        at.table.stand_in("board").boards[1].reset()
        await asyncio.sleep(5)
        written = at.entries()
        assert at.daemon.api.topics["journal"]().stuck
    await asyncio.sleep(AGAIN_S)
    assert not at.daemon.api.topics["journal"]().stuck
    assert at.entries() == written


async def test_a_game_that_comes_back_without_room_is_paused_as_soon_as_that_can_be_written_down(
    tmp_path: Path,
) -> None:
    config, full = a_table(tmp_path), ExitStack()

    def before_the_first_commit(passed: Passage) -> None:
        if passed.what == "before BEGIN" and starting:
            starting.clear()
            full.enter_context(no_file_larger_than(0))

    starting: list[bool] = []

    with watched(before_the_first_commit) as below:
        async with running_table(config, hardware=below) as at:
            await at.tap("online#1", 1)
            await at.tap("hacker#1", 1)
            await at.stop()
            starting.append(True)
            with full:
                await at.start()
                await asyncio.sleep(60)
                assert at.all_told(Paused) == []
            await asyncio.sleep(AGAIN_S)
            assert len(at.all_told(Paused)) == 1
            assert at.state.window is not None
