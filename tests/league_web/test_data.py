"""The league's data over HTTP: stable shapes, pages of lists, files, and requests that are refused."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from taptable.games.registry import GAMES
from taptable.league.exports import csv_of
from taptable.league.web import app
from taptable.page.guard import HEADERS
from taptable.words import LANGUAGES

from league_web.rig import LeaguePage
from league_web.seeds import ROUNDS, TABLES, member_id

DOCS = Path(__file__).parents[2] / "docs" / "league-pages.md"


async def test_the_league_says_what_it_is(league: LeaguePage) -> None:
    told = await league.get_data("league")
    assert told["name"] == "Harbour league"
    assert told["units"].keys() == GAMES.keys()
    assert told["units"] | {"online": "MB", "cyber-siege": "points", "xnet": "points"} == told["units"]
    (season,) = told["seasons"]
    assert season["name"] == str(datetime.now(UTC).year)
    assert sum(season["games"].values()) == ROUNDS * len(TABLES)


async def test_standings_are_by_points_and_of_the_season_that_is_on_unless_another_is_named(league: LeaguePage) -> None:
    (season,) = (await league.get_data("league"))["seasons"]
    told = await league.get_data("standings", season=season["id"], game="online")
    lines = told["standings"]
    assert [line["points"] for line in lines] == sorted((line["points"] for line in lines), reverse=True)
    assert lines[0]["place"] == 1
    assert all(line["won"] <= line["games"] for line in lines)
    assert all(line["rating"] is not None for line in lines)
    most = max(season["games"], key=lambda name: season["games"][name])
    usual = await league.get_data("standings")
    assert (usual["game"], usual["season"]["id"]) == (most, season["id"])


async def test_games_come_in_pages_and_those_that_do_not_count_say_so(league: LeaguePage) -> None:
    first = await league.get_data("games", most=10)
    then = await league.get_data("games", most=100, before=first["games"][-1]["id"])
    games = [*first["games"], *then["games"]]
    assert first["more"]
    assert not then["more"]
    assert len({game["id"] for game in games}) == len(games) == ROUNDS * len(TABLES) + 6
    proofs = {game["table_name"]: game for game in games if game["proof"] != "proved"}
    assert {name: game["proof"] for name, game in proofs.items()} == {"Attic": "not-proved", "Cellar": "not-checked"}
    assert all(not game["counts"] and game["why"] for game in proofs.values())
    one = await league.get_data("game", id=games[-1]["id"])
    assert one == games[-1]
    mine = await league.get_data("games", member=member_id(0), most=100)
    assert mine["games"]
    assert all(member_id(0) in [(seat["member"] or {}).get("id") for seat in game["seats"]] for game in mine["games"])


async def test_a_record_says_who_has_it_and_in_which_game(league: LeaguePage) -> None:
    told = (await league.get_data("records", game="online"))["records"]
    assert {record["kind"] for record in told} == {"score", "stopped", "longest"}
    stopped = next(record for record in told if record["kind"] == "stopped")
    assert stopped["value"] > 0
    assert stopped["bound_us"] > 0
    assert all(record["game"]["game"] == "online" and record["holders"] for record in told)


async def test_a_member_s_page_has_all_of_them(league: LeaguePage) -> None:
    told = await league.get_data("member", id=member_id(1))
    assert told["member"] == {"id": member_id(1), "name": "Bo", "colour": "#8ec1ff"}
    assert told["ratings"].keys() == told["course"].keys() == {line["game"] for line in told["standings"]}
    for game, steps in told["course"].items():
        assert steps[-1]["rating"] == told["ratings"][game]["rating"]
    against = await league.get_data("against", id=member_id(1))
    assert against["against"] == told["against"]
    assert all(each["games"] == each["won"] + each["lost"] + each["tied"] for each in told["against"])


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/data/standings.json?season=99", 404),
        ("/data/standings.json?season=last", 400),
        ("/data/standings.json?season=-1", 400),
        ("/data/games.json?most=0", 400),
        ("/data/games.json?most=1000", 400),
        ("/data/games.json?before=99999999999999999999", 400),
        (f"/data/games.json?member={'a' * 65}", 400),
        ("/data/game.json?id=99999", 404),
        ("/data/game.json?id=1.5", 404),
        ("/data/game.json", 404),
        ("/data/member.json?id=nobody", 404),
        ("/data/against.json", 404),
        ("/data/nothing.json", 404),
        ("/export/nothing.csv", 404),
        ("/export/standings.xlsx", 404),
        ("/games/game-99999.json", 404),
        ("/games/..%2Fleague.json", 404),
        ("/league/..%2Fapp.py", 404),
        ("/league/views/wall.py", 404),
        ("/faces/../online.svg", 404),
        ("/words/en/de.json", 404),
        ("/words/xx.json", 404),
    ],
)
async def test_what_is_not_there_or_can_not_be_asked_for_says_so(league: LeaguePage, path: str, status: int) -> None:
    answer = await league.get(path)
    assert answer.status == status
    assert answer.headers.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()


@pytest.mark.parametrize("what", app._FILES)
async def test_a_file_has_the_same_lines_as_csv_and_as_json(league: LeaguePage, what: str) -> None:
    as_csv, as_json = [await league.get(f"/export/{what}.{suffix}") for suffix in ("csv", "json")]
    assert as_csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert as_csv.headers["content-disposition"] == f'attachment; filename="{what}.csv"'
    lines = list(csv.DictReader(io.StringIO(as_csv.body.decode(), newline="")))
    told: list[dict[str, Any]] = as_json.json
    assert lines
    assert [{key: _cell(value) for key, value in line.items()} for line in told] == lines
    assert any("'=Jonas" in line.values() for line in lines)
    heading = ", ".join(f"`{name}`" for name in lines[0])
    assert heading in " ".join(DOCS.read_text(encoding="utf-8").split())


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if isinstance(value, str) and value[:1] in ("=", "-") else text


def test_no_name_becomes_a_formula_in_a_spreadsheet() -> None:
    names = ["=1+1", "+1", "-1", "@a", "\t=1", "a,b", 'a"b', "a\nb", "a=1"]
    lines = list(csv.reader(io.StringIO(csv_of(["name", "points"], [(name, -5) for name in names]), newline="")))
    assert [name for name, _ in lines[1:]] == [*(f"'{name}" for name in names[:5]), *names[5:]]
    assert {points for _, points in lines[1:]} == {"-5"}


async def test_a_browser_that_has_it_already_isn_t_sent_it_again(league: LeaguePage) -> None:
    first = await league.get("/data/standings.json")
    again = await league.get("/data/standings.json", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


async def test_a_game_is_saved_as_a_table_s_own_page_saves_it(league: LeaguePage) -> None:
    answer = await league.get("/games/game-1.json")
    assert answer.json["taptable-game"] == 1
    assert answer.json["game"] == "online"
    assert len(answer.json["entries"]) > 100


async def test_every_word_that_the_page_says_is_there_in_every_language(league: LeaguePage) -> None:
    scripts = " ".join(path.read_text(encoding="utf-8") for path in app.STATIC.rglob("*.js"))
    scripts += (app.STATIC / "index.html").read_text(encoding="utf-8")
    said = set(re.findall(r'"((?:league|page) [a-z][a-z0-9-]*)"', scripts))
    assert len(said) > 80
    for language in LANGUAGES:
        words = (await league.get(f"/words/{language}.json")).json["words"]
        assert said - words.keys() == set()
        assert {"game online", "unit MB", "unit points"} <= words.keys()


async def test_a_database_that_does_not_answer_is_reported(league: LeaguePage, monkeypatch: pytest.MonkeyPatch) -> None:
    with league.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE seasons RENAME TO elsewhere")
    answer = await league.get("/data/league.json")
    assert (answer.status, answer.body) == (503, b"The league's database doesn't answer.\n")
    with league.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO seasons")
    monkeypatch.setattr("taptable.league.web.reader.CACHE_S", 0.0)
    assert (await league.get("/data/league.json")).status == 200
