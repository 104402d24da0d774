"""Games are played again out of the journal a few lines at a time, for as long as somebody waits for them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from cli.evenings import of_other_rules, play_evening, write_script
from page_server.rig import on_a_loop
from taptable.core.agreed import Agreed
from taptable.core.errors import JournalError
from taptable.core.notices import PlayersNamed
from taptable.core.observations import CardTapped, ControlUsed
from taptable.history.playback import OtherRules
from taptable.memory.faults import JournalDamaged
from taptable.memory.journal import Journal
from taptable.memory.reading import JournalReader, NoSuchGame, transcript_of
from taptable.memory.records import Entry
from taptable.memory.transcript import text_of, transcript_in
from taptable.page.history import LINES_AT_A_TIME, History, NotWaitedFor, Recorded
from taptable.referee.replaying import Departure

S = 1_000_000
TWO = Agreed(2, "de", {}, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def asking(path: Path, evening: Callable[[History], Awaitable[None]], most_steps: int = 0) -> None:
    """What a history of this journal is asked for, on a loop."""

    async def run() -> None:
        await evening(History(path, most_steps))

    on_a_loop(run)


def steps_of(recorded: Recorded) -> int:
    assert recorded.course is not None
    return len(recorded.course.steps)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(statement).rowcount == 1


def test_between_two_turns_of_the_table_a_few_lines_are_played_and_no_more(path: Path) -> None:
    play_evening(path, games=2)

    async def evening(history: History) -> None:
        played = [0]

        async def table() -> None:
            while True:
                for game_id in (1, 2):
                    kept = history.kept(game_id)
                    played.append(0 if kept is None or kept.course is None else kept.course.lines)
                await asyncio.sleep(0)

        playing_on = asyncio.create_task(table())
        await asyncio.gather(history.game(1, "ada"), history.game(2, "bo"))
        playing_on.cancel()
        ones, twos = played[1::2], played[2::2]
        both = [one + two for one, two in zip(ones, twos, strict=False)]
        assert both[-1] > 10 * LINES_AT_A_TIME
        assert max(later - before for before, later in pairwise(both)) <= LINES_AT_A_TIME

    asking(path, evening, 10_000)


def test_what_nobody_waits_for_any_more_is_given_up_and_goes_on_when_it_is_asked_for_again(path: Path) -> None:
    play_evening(path)

    async def evening(history: History) -> None:
        asked = asyncio.create_task(history.game(1, "ada"))
        while (begun := history.kept(1)) is None or begun.course is None or begun.course.lines == 0:
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        lines = begun.course.lines
        for _ in range(50):
            await asyncio.sleep(0)
        assert begun.course.lines == lines
        whole = await history.game(1, "ada")
        assert whole is begun
        assert whole.course is not None
        assert whole.course.board.over

    asking(path, evening)


def test_a_client_waits_for_one_game_the_last_it_asked_for(path: Path) -> None:
    play_evening(path, games=2)

    async def evening(history: History) -> None:
        first, second = await asyncio.gather(history.game(1, "ada"), history.game(2, "ada"), return_exceptions=True)
        assert isinstance(first, NotWaitedFor)
        assert isinstance(second, Recorded)
        assert second.summary.id == 2
        kept = history.kept(1)
        assert kept is None or kept.course is None or not kept.course.board.over

    asking(path, evening)


def test_whoever_asks_for_the_same_game_gets_the_same(path: Path) -> None:
    play_evening(path)

    async def evening(history: History) -> None:
        one, other, again = await asyncio.gather(*(history.game(1, client) for client in ("ada", "bo", "ada")))
        assert one is other is again

    asking(path, evening)


def test_a_running_game_goes_on(path: Path) -> None:
    write_script(path, TWO, [CardTapped(1 * S, "online#1", 1)])

    async def evening(history: History) -> None:
        assert steps_of(await history.game(1, "ada")) == 2
        line = {"at": 2.0, "control": "pause"}
        answer = {"at": 2.0, "verdict": "accepted", "announcements": [{"type": "paused"}]}
        with Journal.open(path) as journal:
            journal.append(Entry(2 * S, "observation", line, answer))
            assert steps_of(await history.game(1, "ada")) == 3

    asking(path, evening)


def test_so_many_steps_are_kept_beside_the_game_asked_for_last(path: Path) -> None:
    play_evening(path, games=3)

    async def evening(history: History) -> None:
        steps = {game_id: steps_of(await history.game(game_id, "ada")) for game_id in (1, 2, 3)}
        assert [history.kept(game_id) is not None for game_id in steps] == [False, False, True]
        roomy = History(path, steps[2] + steps[3] - 1)
        for game_id in (2, 3, 1, 2):
            await roomy.game(game_id, "ada")
        assert [roomy.kept(game_id) is not None for game_id in steps] == [True, True, False]

    asking(path, evening)


def test_games_that_nobody_waited_for_to_their_ends_are_not_kept_beside_the_last_either(path: Path) -> None:
    play_evening(path, games=3)

    async def evening(history: History) -> None:
        for game_id in (1, 2, 3):
            asked = asyncio.create_task(history.game(game_id, "ada"))
            while (begun := history.kept(game_id)) is None or begun.course is None or begun.course.lines == 0:
                await asyncio.sleep(0)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        assert [history.kept(game_id) is not None for game_id in (1, 2, 3)] == [False, False, True]

    asking(path, evening)


def test_the_list_names_what_cannot_be_told_and_shows_the_others(path: Path) -> None:
    write_script(path, TWO, [PlayersNamed(1, ("Ada", "Bo")), CardTapped(1 * S, "online#1", 1)])
    with Journal.open(path) as journal:
        header = replace(journal.game(1).header, at_us=1 * S)
        journal.append(replace(header, rules_version="online/0"), header)
    change(path, "UPDATE games SET settings = 'x' WHERE id = 3")

    async def evening(history: History) -> None:
        third, second, first = await history.games(None, 20)
        assert (third.id, third.summary) == (3, None)
        assert isinstance(third.trouble, JournalDamaged)
        assert second.summary is not None
        assert isinstance(second.trouble, OtherRules)
        assert (first.names, first.trouble) == (("Ada", "Bo"), None)
        assert [each.id for each in await history.games(3, 1)] == [2]

    asking(path, evening)


def test_a_game_of_other_rules_has_no_course(path: Path) -> None:
    of_other_rules(path)

    async def evening(history: History) -> None:
        recorded = await history.game(1, "ada")
        assert recorded.course is None
        assert isinstance(recorded.trouble, OtherRules)

    asking(path, evening)


@pytest.mark.parametrize(
    ("statement", "trouble"),
    [
        ("UPDATE entries SET line = '[1]' WHERE id = 40", JournalDamaged),
        ("UPDATE entries SET line = '{\"at\": 0}' WHERE id = 40", Departure),
    ],
)
def test_a_game_with_a_line_that_cannot_be_is_told_up_to_there(
    path: Path, statement: str, trouble: type[Exception]
) -> None:
    play_evening(path)
    change(path, statement)

    async def evening(history: History) -> None:
        for _ in range(2):
            recorded = await history.game(1, "ada")
            assert isinstance(recorded.trouble, trouble)
            assert recorded.last_id == 39
            assert recorded.course is not None
            assert recorded.course.lines == 39

    asking(path, evening)


def test_a_game_that_is_not_there_and_a_journal_that_is_not_there_are_named(path: Path) -> None:
    async def nothing(history: History) -> None:
        with pytest.raises(JournalError, match="there is no journal"):
            await history.game(1, "ada")

    asking(path, nothing)
    write_script(path, TWO, [])

    async def evening(history: History) -> None:
        with pytest.raises(NoSuchGame):
            await history.game(2, "ada")
        with pytest.raises(NoSuchGame):
            await history.text(2, tags=True)

    asking(path, evening)


def test_the_file_of_a_game_is_the_export_and_without_tags_it_can_be_proved_too(path: Path) -> None:
    play_evening(path)

    async def evening(history: History) -> None:
        with JournalReader.open(path) as journal:
            transcript = transcript_of(journal, 1)
        assert await history.text(1, tags=True) == text_of(transcript)
        told = await history.text(1, tags=False)
        assert "04c0ffee" in text_of(transcript)
        assert "04c0ffee" not in told
        without = transcript_in(told.encode(), "game.json")
        assert without.game == transcript.game
        assert len(without.entries) == len(transcript.entries)

    asking(path, evening)


def test_a_game_that_was_left_by_new_game_is_over_where_it_was(path: Path) -> None:
    write_script(path, TWO, [CardTapped(1 * S, "online#1", 1), ControlUsed(2 * S, "new-game")])

    async def evening(history: History) -> None:
        assert history.last_id() == 2
        assert steps_of(await history.game(1, "ada")) == 2
        assert steps_of(await history.game(2, "ada")) == 1

    asking(path, evening)
