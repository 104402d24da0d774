"""Games are replayed from the table's journal, a few entries at a time, while somebody waits for them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from cli.evenings import play_evening, write_script
from page_server.direct import InProcessLink
from table.rig import a_table
from taptable.api.errors import RequestError
from taptable.api.requests import Entries
from taptable.config.model import PageSettings
from taptable.core.errors import JournalError
from taptable.core.game_options import GameOptions
from taptable.core.observations import CardTapped, ControlUsed
from taptable.daemon.api.context import ApiContext
from taptable.daemon.api.local_api import LocalApi
from taptable.history.course import Course
from taptable.history.playback import verify
from taptable.memory.game_export import export_text, transcript_in
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.members import MemberStore, members_file_of
from taptable.page.messages import Requester
from taptable.page.past_games import ENTRIES_AT_A_TIME, PastGames, ReplayedGame
from taptable.words import Words

S = 1_000_000
TWO = GameOptions(2, "de", {}, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@asynccontextmanager
async def asking(path: Path, most_steps: int = 0) -> AsyncGenerator[PastGames]:
    """Yield the past games of a table with this journal, as its page requests them."""
    with JournalReader.open(path) as journal:
        yield PastGames(a_table_with(journal), most_steps)


def a_table_with(journal: JournalReader, *, network: bool = False) -> InProcessLink:
    """Return a link to a table that has nothing but this journal."""
    config = replace(a_table(journal.path.parent), page=PageSettings(8000, network))
    nothing: Any = Mock()
    nothing.now_us = lambda: 0
    any_journal: Any = journal
    members = MemberStore(members_file_of(journal.path))
    around = ApiContext(config, lambda: 0, nothing, any_journal, nothing, nothing, nothing, members, nothing)
    return InProcessLink(LocalApi(around, nothing, nothing, None))


def requester(client: str = "ada", *, paired: bool = True) -> Requester:
    return Requester("page", paired, Words("en"), client)


async def the_game(played: PastGames, game_id: int, client: str = "ada") -> ReplayedGame:
    return await played._load_game(game_id, requester(client))


async def begins_to_wait(played: PastGames, game_id: int) -> tuple[asyncio.Task[ReplayedGame], ReplayedGame, Course]:
    """Start to wait for a game that is partly replayed."""
    asked = asyncio.create_task(the_game(played, game_id))
    while (begun := played._cache.get(game_id)) is None or begun.course is None or begun.course.lines == 0:
        await asyncio.sleep(0)
    assert not asked.done()
    return asked, begun, begun.course


def steps_of(recorded: ReplayedGame) -> int:
    assert recorded.course is not None
    return len(recorded.course.steps)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(statement).rowcount == 1


def said(key: str) -> str:
    return Words("en").text("history", key)


async def test_between_two_turns_of_the_loop_a_few_entries_are_played_and_no_more(path: Path) -> None:
    play_evening(path, games=2)

    async with asking(path, 10_000) as played:
        lines = [0]

        async def others() -> None:
            while True:
                courses = [kept.course for kept in played._cache.values() if kept.course is not None]
                lines.append(sum(course.lines for course in courses))
                await asyncio.sleep(0)

        going_on = asyncio.create_task(others())
        await asyncio.gather(the_game(played, 1), the_game(played, 2, "bo"))
        going_on.cancel()
        assert lines[-1] > 10 * ENTRIES_AT_A_TIME
        assert max(later - before for before, later in pairwise(lines)) <= ENTRIES_AT_A_TIME


async def test_what_nobody_waits_for_any_more_is_given_up_and_goes_on_when_it_is_asked_for_again(path: Path) -> None:
    play_evening(path)

    async with asking(path) as played:
        asked, begun, course = await begins_to_wait(played, 1)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        lines = course.lines
        for _ in range(50):
            await asyncio.sleep(0)
        assert course.lines == lines
        assert await the_game(played, 1) is begun
        assert course.board.over


async def test_a_client_waits_for_one_game_the_last_it_asked_for(path: Path) -> None:
    play_evening(path, games=2)

    async with asking(path) as played:
        first, second = await asyncio.gather(the_game(played, 1), the_game(played, 2), return_exceptions=True)
        assert isinstance(first, RequestError)
        assert first.key == "not-waited-for"
        assert isinstance(second, ReplayedGame)
        assert second.summary.id == 2
        kept = played._cache.get(1)
        assert kept is None or kept.course is None or not kept.course.board.over


async def test_whoever_asks_for_the_same_game_gets_the_same(path: Path) -> None:
    play_evening(path)

    async with asking(path) as played:
        one, other, again = await asyncio.gather(*(the_game(played, 1, client) for client in ("ada", "bo", "ada")))
        assert one is other is again


async def test_so_many_steps_are_kept_beside_the_game_asked_for_last(path: Path) -> None:
    play_evening(path, games=3)

    async with asking(path) as played:
        steps = {game_id: steps_of(await the_game(played, game_id)) for game_id in (1, 2, 3)}
        assert [*played._cache] == [3]
        roomy = PastGames(played._table, steps[2] + steps[3] - 1)
        for game_id in (2, 3, 1, 2):
            await the_game(roomy, game_id)
        assert {*roomy._cache} == {1, 2}


async def test_of_the_last_games_it_is_kept_who_played_and_it_is_looked_up_of_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_evening(path, games=4)
    monkeypatch.setattr("taptable.daemon.api.recorded_games.MAX_CACHED_GAMES", 2)
    with JournalReader.open(path) as journal:
        table = a_table_with(journal)
        once, again = [await PastGames(table).ask("games", {}, requester()) for _ in range(2)]
        assert once == again
        assert len(once["games"]) == 4
        assert len(table._api._recorded._players) == 2


async def test_games_that_nobody_waited_for_to_their_ends_are_not_kept_beside_the_last_either(path: Path) -> None:
    play_evening(path, games=3)

    async with asking(path) as played:
        for game_id in (1, 2, 3):
            asked, *_ = await begins_to_wait(played, game_id)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        assert [*played._cache] == [3]


@pytest.mark.parametrize(
    ("statement", "trouble"),
    [
        ("UPDATE entries SET line = '[1]' WHERE id = 40", "damaged"),
        ("UPDATE entries SET line = '{\"at\": 0}' WHERE id = 40", "departure"),
    ],
)
async def test_a_game_with_an_impossible_line_is_told_up_to_there(path: Path, statement: str, trouble: str) -> None:
    play_evening(path)
    change(path, statement)

    async with asking(path) as played:
        for _ in range(2):
            recorded = await the_game(played, 1)
            assert recorded.trouble is not None
            assert recorded.trouble.key == trouble
            assert recorded.last_entry_id == 39
            assert recorded.course is not None
            assert recorded.course.lines == 39
        if trouble == "damaged":
            with pytest.raises(RequestError, match="is damaged"):
                await played.file("game-1", requester())


async def test_a_journal_that_cannot_be_read_just_now_is_reported_and_the_game_is_told_at_the_next_request(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_evening(path)

    def fail(*_: object) -> None:
        raise JournalError("the disk doesn't answer")

    async with asking(path) as played:
        asked, begun, course = await begins_to_wait(played, 1)
        with monkeypatch.context() as patch:
            patch.setattr(JournalReader, "entries_after", fail)
            with pytest.raises(RequestError, match="Try again"):
                await asked
        assert await the_game(played, 1) is begun
        assert course.board.over


async def test_the_file_of_a_game_is_the_export_and_without_tags_it_can_be_proved_too(path: Path) -> None:
    play_evening(path)

    async with asking(path) as played:
        with JournalReader.open(path) as journal:
            transcript = transcript_of(journal, 1)
        assert await played.file("game-1", requester()) == export_text(transcript)
        told = await played.file("game-1", requester(paired=False))
        assert "04c0ffee" in export_text(transcript)
        assert "04c0ffee" not in told
        without = transcript_in(told.encode(), "game.json")
        assert without.game == transcript.game
        assert len(without.entries) == len(transcript.entries)
        assert verify(without).table == verify(transcript).table


async def test_a_table_tells_the_numbers_of_tags_to_nobody_who_is_not_paired_and_its_games_can_be_played_all_the_same(
    path: Path,
) -> None:
    play_evening(path)

    with JournalReader.open(path) as journal:
        table = a_table_with(journal, network=True)
        told: list[Any] = []
        while found := (await table.call(Entries(1, told[-1][0] if told else 0)))["entries"]:
            told += found
        assert len(told) == len(transcript_of(journal, 1).entries)
        assert "04c0ffee" not in str(told)
        recorded = await the_game(PastGames(table), 1)
        assert recorded.trouble is None
        assert recorded.course is not None
        assert recorded.course.board.over


async def test_a_game_that_was_left_by_new_game_is_over_where_it_was(path: Path) -> None:
    write_script(path, TWO, [CardTapped(1 * S, "online#1", 1), ControlUsed(2 * S, "new-game")])

    async with asking(path) as played:
        listed = (await played.ask("games", {}, requester()))["games"]
        assert [(each["id"], each["running"]) for each in listed] == [(2, True), (1, False)]
        assert steps_of(await the_game(played, 1)) == 2
        assert steps_of(await the_game(played, 2)) == 1
