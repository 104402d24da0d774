"""The live connection: the live tables follow the tables with one query to the database for all listeners, and a game
is told and replayed as by its table's own page."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from random import Random

import pytest
from deadline import DEADLINE_S
from league.sending import Clock, League
from league.simulated_games import simulate_game
from page_server.rig import Client, a_client
from sqlalchemy import Engine
from taptable.league import live_tables
from taptable.words import LANGUAGES

from league_web.rig import LeaguePage, serve_league_page
from league_web.seeds import begin, seats


def tables_of(client: Client) -> dict[str, dict[str, object]]:
    """The tables on the wall, by their names."""
    return {told["name"]: told for told in (client.parts[f"wall {each}"] for each in client.parts["wall"]["tables"])}


async def test_the_wall_shows_all_tables_those_that_play_first(league: LeaguePage) -> None:
    async with a_client(league.port) as client:
        assert await client.hello() == client.messages[0]
        tables = tables_of(client)
        assert list(tables) == ["Fireplace", "Kitchen", "Long table in the hall", "Window", "Attic", "Cellar"]
        assert client.parts["wall"]["of"] == 6
        fireplace = tables["Fireplace"]
        assert (fireplace["game"], fireplace["unit"], fireplace["over"]) == ("online", "MB", False)
        assert [team["seats"] for team in fireplace["teams"]] == [[1, 3], [2, 4]]  # type: ignore[attr-defined]
        assert tables["Attic"]["proof"] == "not-proved"
        assert "teams" not in tables["Attic"]


async def test_the_wall_speaks_every_language(league: LeaguePage) -> None:
    said: set[object] = set()
    async with a_client(league.port) as client:
        for language in LANGUAGES:
            await client.hello(language=language)
            said.add(tables_of(client)["Fireplace"]["said"])
    assert len(said) == len(LANGUAGES)


async def test_all_who_watch_hear_of_what_is_played_by_one_question(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    changes = live_tables.live_table_changes

    def counted(*args: object) -> object:
        nonlocal asked
        asked += 1
        return changes(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(live_tables, "live_table_changes", counted)
    async with serve_league_page(engine) as league, AsyncExitStack() as watching:
        watchers = [await watching.enter_async_context(a_client(league.port)) for _ in range(20)]
        for watcher in watchers:
            await watcher.hello()
        before = tables_of(watchers[0])["Attic"]
        polls, beforehand = asked, [len(watcher.messages) for watcher in watchers]
        await asyncio.to_thread(plays_on, engine)
        async with asyncio.timeout(DEADLINE_S):
            for watcher in watchers:
                await watcher.until(lambda it: tables_of(it).get("New table", {}).get("game") == "xnet")
        assert asked - polls < 20
        assert tables_of(watchers[0])["Attic"] == before
        for watcher, count in zip(watchers, beforehand, strict=True):
            assert "wall" in watcher.messages[count]["parts"]
            assert len(watcher.messages[count]["parts"]) < 4  # what hasn't changed isn't said again


def plays_on(engine: Engine) -> None:
    """Another table comes and begins a game."""
    table = League(engine, Clock(time.time_ns() // 1_000_000)).table("New table", "Harbour club")
    begin(table, simulate_game(7, "xnet", 4), seats(Random(1), 0, 4), 0.2)


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_game_is_replayed_with_the_names_of_its_members(league: LeaguePage, number: int) -> None:
    told = await league.get_data("game", id=number)
    async with a_client(league.port) as client:
        await client.hello(language="de")
        game = (await client.ask("game", id=number))["game"]
        assert (game["trouble"], game["running"], game["game"]) == (None, False, told["game"])
        names = [(seat["member"] or {"name": ""})["name"] for seat in told["seats"]]
        assert [*game["names"], *[""] * (len(names) - len(game["names"]))] == names
        places = {seat["seat"]: seat["place"] for seat in told["seats"]}
        assert {seat: team["place"] for team in game["teams"] for seat in team["seats"]} == places
        steps = (await client.ask("steps", id=number))["steps"]
        last = await client.ask("position", id=number, number=game["steps"] - 1)
        assert len(steps) == 60
        assert last["parts"]["turn"]["over"]
        assert last["parts"]["table"]["game"] == told["game"]


async def test_a_game_that_runs_says_so_and_one_that_went_otherwise_is_told_up_to_there(league: LeaguePage) -> None:
    games = {game["table_name"]: game["id"] for game in reversed((await league.get_data("games"))["games"])}
    async with a_client(league.port) as client:
        await client.hello()
        running = (await client.ask("game", id=games["Fireplace"]))["game"]
        assert running["running"]
        assert "Ada" in running["names"]
        attic = (await client.ask("game", id=games["Attic"]))["game"]
        assert attic["trouble"].startswith("From a certain step on")
        assert attic["steps"] > 10
        assert not attic["running"]
        cellar = (await client.ask("game", id=games["Cellar"]))["game"]
        assert cellar["steps"] == 0
        assert "other rules" in cellar["trouble"]


@pytest.mark.parametrize(
    ("verb", "fields", "why"),
    [
        ("game", {}, "“id” can’t be that."),
        ("game", {"id": 99999}, "There is no game 99999 in the journal of this table."),
        ("game", {"id": 0}, "“id” can’t be that."),
        ("game", {"id": "1"}, "“id” can’t be that."),
        ("position", {"id": 1, "number": 10**6}, "This game has the steps 0 to"),
        ("games", {}, "Nobody here knows what to do for “games”."),
        ("new-game", {}, "Nobody here knows what to do for “new-game”."),
        ("show-code", {}, "Nobody here knows what to do for “show-code”."),
    ],
)
async def test_what_can_not_be_asked_for_says_so(
    league: LeaguePage, verb: str, fields: dict[str, object], why: str
) -> None:
    async with a_client(league.port) as client:
        await client.hello()
        answer = await client.ask(verb, **fields)
        assert not answer["ok"]
        assert answer["why"].startswith(why)


async def test_a_database_that_is_away_for_a_while_costs_nobody_the_wall(league: LeaguePage) -> None:
    async with a_client(league.port) as client:
        await client.hello()
        with league.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE live RENAME TO elsewhere")
        for _ in range(2):
            with pytest.raises(Exception, match="no such table"):
                await league.site.page.live_tables.refresh()
        assert (await client.ask("echo"))["ok"]
        with league.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO live")
        await asyncio.to_thread(plays_on, league.engine)
        async with asyncio.timeout(DEADLINE_S):
            await client.until(lambda it: "New table" in tables_of(it))
