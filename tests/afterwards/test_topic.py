"""Past games, requested from a running table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli.evenings import play_evening
from page_server.rig import Client, Table, a_client, a_table_with_a_page, at_table, get
from taptable.config import Config
from taptable.core.errors import JournalError
from taptable.core.notices import PlayersNamed
from taptable.memory.game_export import transcript_in
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader
from taptable.page.past_games import GAMES_AT_A_TIME, STEPS_AT_A_TIME
from taptable.page.view import parts_of
from taptable.words import LANGUAGES

from afterwards.recorded_games import FOUR, course_in, play_a_game, write_a_long_game
from afterwards.test_history import change

S = 1_000_000


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return a_table_with_a_page(tmp_path)


@asynccontextmanager
async def at_the_page(config: Config) -> AsyncGenerator[tuple[Table, Client]]:
    """Yield a table with this journal and a client of its page."""
    async with at_table(config) as table, a_client(table.port) as client:
        await client.hello()
        yield table, client


def a_card_was_laid(client: Client) -> bool:
    return any(item["type"] == "card-laid" for item in client.items.get("log", {}).values())


async def the_game(client: Client, **more: Any) -> dict[str, Any]:
    answer = await client.ask("game", **more)
    assert answer["ok"], answer
    return answer["game"]


async def test_the_list_has_the_last_game_first_and_says_what_is_known_of_each(config: Config) -> None:
    play_evening(config.table.journal, FOUR, games=2)

    async with at_the_page(config) as (_, client):
        answer = await client.ask("games")
        assert not answer["more"]
        running, second, first = answer["games"]
        assert (running["id"], running["running"], running["winner"]) == (3, True, None)
        assert (second["id"], second["running"], len(second["winner"])) == (2, False, 2)
        assert first["begun_utc"] == "2025-11-20T19:30:00+00:00"
        assert (first["game"], first["edition"], first["players"]) == ("online", "de", 4)
        assert first["length_us"] > 60 * S
        assert first["trouble"] is None


async def test_damaged_journals_that_were_kept_aside_are_named_beside_the_list(config: Config) -> None:
    journal = config.table.journal
    said: list[str] = []
    for damaged in (False, True, True):
        if damaged:
            journal.write_bytes(b"not written by a table")
        async with at_the_page(config) as (_, client):
            said.append((await client.ask("games"))["aside"])
        journal.with_name(f"{journal.name}.damaged-by-me").touch()
    named = [sentence.partition("is kept in the table’s folder as: ")[2] for sentence in said]
    assert named == ["", f"{journal.name}.damaged-1.", f"{journal.name}.damaged-1, {journal.name}.damaged-2."]


async def test_a_long_list_comes_in_pages(config: Config) -> None:
    play_evening(config.table.journal, FOUR)
    with Journal.open(config.table.journal) as journal:
        header = replace(journal.game(1).header, at_us=journal.last_at_us())
        journal.append(*[header] * (GAMES_AT_A_TIME + 1))

    async with at_the_page(config) as (_, client):
        page = await client.ask("games")
        assert page["more"]
        before = page["games"][-1]["id"]
        rest = await client.ask("games", before=before)
        assert not rest["more"]
        assert [each["id"] for each in page["games"] + rest["games"]] == list(range(GAMES_AT_A_TIME + 3, 0, -1))


async def test_a_game_is_told_by_its_result_its_course_and_what_each_did(config: Config) -> None:
    play_a_game(config.table.journal)
    course = course_in(config.table.journal)

    async with at_the_page(config) as (_, client):
        told = await the_game(client, id=1)
        assert [team["seats"] for team in told["teams"]] == [[1, 3], [2, 4]]
        assert sorted(team["place"] for team in told["teams"]) == [1, 2]
        assert [team["score"] for team in told["teams"]] == list(course.standings[-1].scores)
        assert told["standings"] == [
            [each.played_us, list(each.scores), list(each.places)] for each in course.standings
        ]
        assert (told["played_us"], told["steps"]) == (course.played_us, len(course.steps))
        assert [each["type"] for each in told["milestones"]][-1] == "game-ended"
        assert told["end"] == told["milestones"][-1]["text"]
        for milestone in told["milestones"]:
            answer = await client.ask("position", id=1, number=milestone["step"])
            assert milestone["text"] in answer["step"]["text"]
            assert milestone["at_us"] == answer["step"]["at_us"]
        named = {figure["key"]: figure for figure in told["figures"]}
        assert named["downloads"]["values"] == [course.tally.counts["downloads", seat] for seat in range(1, 5)]
        assert named["turn-time"]["values"] == [course.tally.mean_turn_us(seat) for seat in range(1, 5)]
        assert named["fastest-buzz"]["kind"] == "press"
        assert all(figure["name"] != figure["key"] for figure in told["figures"])


async def test_steps_and_positions_are_those_of_the_game_in_the_language_of_who_asks(config: Config) -> None:
    play_a_game(config.table.journal)
    course = course_in(config.table.journal)

    async with at_the_page(config) as (_, client):
        steps: list[dict[str, Any]] = []
        of = 1
        while len(steps) < of:
            answer = await client.ask("steps", id=1, **{"from": len(steps)})
            of = answer["of"]
            assert 0 < len(answer["steps"]) <= STEPS_AT_A_TIME
            steps += answer["steps"]
        assert [step["n"] for step in steps] == list(range(len(course.steps)))
        assert [step["at_us"] for step in steps] == [step.played_us for step in course.steps]
        await client.ask("language", language="de")
        for number in (0, len(steps) // 2, len(steps) - 1):
            answer = await client.ask("position", id=1, number=number)
            state = course.steps[number].table.state
            lying = [list(row) for team in state.teams for row in team.rows]
            assert [row["cards"] for team in answer["parts"]["teams"] for row in team["rows"]] == lying
            assert [zone["cards"] for zone in answer["parts"]["piles"]["zones"]] == [list(state.discard)]
            assert answer["step"]["n"] == number
            assert answer["step"]["text"] != steps[number]["text"]
        assert (await client.ask("position", id=1, number=len(steps)))["why"].startswith("Diese Partie hat")


async def test_a_position_has_the_parts_of_the_running_table(config: Config) -> None:
    async with at_the_page(config) as (table, client):
        table.put("online#1", 1)
        await client.until(a_card_was_laid)
        told = await the_game(client)
        assert told["running"]
        answer = await client.ask("position", id=told["id"], number=told["steps"] - 1)
        session = table.daemon.controller.session
        assert answer["parts"].keys() == parts_of(session, "x").keys()
        same = ("table", "turn", "teams", "piles", "window")
        assert {name: answer["parts"][name] for name in same} == {name: client.parts[name] for name in same}
        assert answer["step"]["type"] == "card-laid"
        assert answer["at_us"] == session.table.at_us


async def test_the_running_game_goes_on_and_says_who_plays(config: Config) -> None:
    async with at_the_page(config) as (table, client):
        before = await the_game(client)
        table.daemon.controller.note(PlayersNamed(table.daemon.clock.now_us(), ("Ada", "Bo")))
        table.put("online#1", 1)
        await client.until(a_card_was_laid)
        after = await the_game(client)
        assert after["steps"] > before["steps"]
        assert after["names"] == ["Ada", "Bo"]
        assert (await client.ask("games"))["games"][0]["names"] == ["Ada", "Bo"]


async def test_the_page_learns_which_game_runs(config: Config) -> None:
    play_evening(config.table.journal, FOUR)

    async with at_the_page(config) as (table, client):
        assert client.parts["course"] == {"id": 2}
        table.daemon.controller.use_control("new-game", "discard")
        await client.until(lambda client: client.parts["course"] == {"id": 3})


async def test_a_game_that_cannot_be_told_is_named_in_every_language_and_hurts_nothing_else(config: Config) -> None:
    path = config.table.journal
    play_evening(path, FOUR)
    with Journal.open(path) as journal:
        header = replace(journal.game(1).header, at_us=journal.last_at_us())
        journal.append(replace(header, rules_version="online/0"), header, header)
    change(path, "UPDATE games SET settings = 'x' WHERE id = 3")
    change(path, "UPDATE entries SET line = '[1]' WHERE id = 40")

    async with at_the_page(config) as (_, client):
        said: set[str] = set()
        for language in LANGUAGES:
            await client.ask("language", language=language)
            listed = {each["id"]: each["trouble"] for each in (await client.ask("games"))["games"]}
            damaged = (await the_game(client, id=1))["trouble"]
            other_rules = await the_game(client, id=2)
            assert (other_rules["steps"], other_rules["trouble"]) == (0, listed[2])
            for refused in (await client.ask("game", id=3), await client.ask("position", id=2, number=0)):
                assert not refused["ok"]
            nobody = await client.ask("game", id=99)
            assert "99" in nobody["why"]
            said |= {damaged, listed[2], listed[3], nobody["why"]}
            assert listed[4] is None
        assert len(said) == len(LANGUAGES) * 3
        assert (await client.ask("position", id=1, number=3))["ok"]


async def test_a_number_that_is_none_is_answered_with_a_sentence(config: Config) -> None:
    wrong: list[Any] = ["x", 0, -1, 1.5, 2**53 - 1, [1], True]

    async with at_the_page(config) as (_, client):
        for verb in ("game", "steps", "position"):
            for each in wrong:
                answer = await client.ask(verb, id=each, number=0, **{"from": 0})
                assert not answer["ok"]
                assert answer["why"]


async def test_a_journal_that_cannot_be_read_is_a_sentence(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise JournalError("the disk doesn't answer")

    async with at_the_page(config) as (_, client):
        for reading in ("game_ids", "game", "entries_after"):
            monkeypatch.setattr(JournalReader, reading, fail)
        for verb in ("games", "game", "steps", "position"):
            answer = await client.ask(verb, id=1, number=0, **{"from": 0})
            assert answer["why"].startswith("The journal can’t be read"), answer
        assert not (await client.ask("game"))["ok"]


async def test_taps_are_judged_while_a_game_of_thousands_of_moves_is_played_again(config: Config) -> None:
    lines = write_a_long_game(config.table.journal, 3000)

    async with at_the_page(config) as (table, client), a_client(table.port) as other:
        await other.hello()
        asked = asyncio.create_task(other.ask("game", id=1))
        table.put("online#1", 1)
        await client.until(a_card_was_laid)
        assert not asked.done()
        told = (await asked)["game"]
        assert told["steps"] == lines + 1
        assert told["trouble"] is None


async def test_the_file_can_be_taken_and_is_the_game(config: Config) -> None:
    play_a_game(config.table.journal)

    async with at_the_page(config) as (table, _):
        answer = await get(table.port, "/games/game-1.json")
        assert answer.status == 200
        assert answer.headers["content-disposition"] == 'attachment; filename="game-1.json"'
        assert transcript_in(answer.body, "1.json").game.outcome is not None
        missing = await get(table.port, "/games/game-7.json?language=de")
        assert missing.status == 404
        assert "Partie 7" in json.loads(missing.body)["why"]
        for name in ("1", "game-0", "game-x", "game-99999999999999999999"):
            assert (await get(table.port, f"/games/{name}.json")).status == 404
