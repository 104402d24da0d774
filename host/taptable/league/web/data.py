"""The league's data for its page and for other programs over HTTP: JSON, and CSV of tables. The formats are documented
in docs/league-pages.md and don't change. Pure except for its queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from taptable import __version__
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES
from taptable.league import exports, game_lines
from taptable.league import standings as league_standings
from taptable.league.views import GameLine, HeadToHead, MemberStanding, PublicMember, Rating, RecordLine, Season
from taptable.league.web.reader import LeagueReader
from taptable.referee.step import open_table
from taptable.words import LANGUAGES

Json = dict[str, Any]
Row = Sequence[str | int | float | None]

PLAYERS = 4
"""A number of players with which every game can be played."""
MAX_GAMES = 100
"""Maximum number of games in one answer; `before` requests more."""

Id = Annotated[str, Meta(max_length=64)]
Number = Annotated[int, Meta(ge=0, le=2**53)]


class DataQuery(Struct, frozen=True):
    """The query of a request; a field that is None doesn't narrow the answer down."""

    season: Number | None = None
    game: Id | None = None
    club: Id | None = None
    member: Id | None = None
    table: Id | None = None
    id: Id | None = None
    before: Number | None = None
    most: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 20


class NotThere(Exception):
    """The requested thing doesn't exist."""


async def league(reader: LeagueReader, query: DataQuery, name: str, language: str) -> Json:
    """Return the facts about the league: its name, seasons and games."""
    del query
    seasons = await reader.read_cached(league_standings.seasons)
    return {
        "version": __version__,
        "name": name,
        "language": language,
        "languages": list(LANGUAGES),
        "games": list(GAMES),
        "units": {name: _unit(name) for name in GAMES},
        "seasons": [_season(season) for season in seasons],
    }


async def standings(reader: LeagueReader, query: DataQuery) -> Json:
    """Return a season's table of a game; by default the current season and the game that is played most in it."""
    season, game = await _season_and_game(reader, query)
    if season is None:
        return {"season": None, "game": game, "standings": []}
    lines = await reader.read_cached(league_standings.standings, season.id, game, query.club)
    return {"season": _season(season), "game": game, "standings": [_standing(line) for line in lines]}


async def records(reader: LeagueReader, query: DataQuery) -> Json:
    """Return the records of a season's game, by default of all seasons and games."""
    lines = await reader.read_cached(league_standings.records, query.season, query.game)
    return {"records": [_record(line) for line in lines]}


async def members(reader: LeagueReader, query: DataQuery) -> Json:
    """Return the members whose name, or its first letter, is public."""
    found = await reader.read_cached(league_standings.members, query.club)
    return {"members": [_member(each) for each in found]}


async def member(reader: LeagueReader, query: DataQuery) -> Json:
    """Return all about a member. Raises `NotThere`."""
    page = await reader.read_cached(league_standings.member_page, query.id or "")
    if page is None:
        raise NotThere
    return {
        "member": _member(page.member),
        "ratings": {game: _rating(rating) for game, rating in page.ratings.items()},
        "standings": [
            {"season": season, "game": game, **_standing(line)} for (season, game), line in page.standings.items()
        ],
        "course": {
            game: [{"id": step.game_id, "begun": step.begun, **_rating(step.rating)} for step in steps]
            for game, steps in page.rating_steps.items()
        },
        "against": [_against(each) for each in page.head_to_head],
        "games": [_game(line) for line in page.games],
    }


async def against(reader: LeagueReader, query: DataQuery) -> Json:
    """Return a member's results against each other one, in a season and a game if they are given. Raises `NotThere`."""
    page = await reader.read_cached(league_standings.member_page, query.id or "")
    if page is None:
        raise NotThere
    lines = await reader.read_cached(league_standings.head_to_head, query.id or "", query.season, query.game)
    return {"member": _member(page.member), "against": [_against(each) for each in lines]}


async def games(reader: LeagueReader, query: DataQuery) -> Json:
    """Return games, the latest first."""
    found = await reader.read_cached(
        game_lines.games, query.season, query.game, query.member, query.table, query.before, query.most + 1
    )
    return {"games": [_game(line) for line in found[: query.most]], "more": len(found) > query.most}


async def game(reader: LeagueReader, query: DataQuery) -> Json:
    """Return one game without its entries. Raises `NotThere`."""
    number = query.id or ""
    line = await reader.read_cached(game_lines.game, int(number)) if number.isdecimal() and len(number) < 16 else None
    if line is None:
        raise NotThere
    return _game(line)


async def rows(
    reader: LeagueReader, kind: Literal["standings", "games", "ratings"], query: DataQuery
) -> tuple[Sequence[str], Sequence[Row]]:
    """Return the heading and the rows of an export."""
    return await reader.read_cached(exports.export_rows, kind, query.season)


def parse_query(query: Mapping[str, str]) -> DataQuery:
    """Parse a query. Raises `msgspec.ValidationError` if it is invalid."""
    return msgspec.convert(dict(query), DataQuery, strict=False)


def json_of(heading: Sequence[str], lines: Sequence[Row]) -> list[Json]:
    """Return rows as objects with the heading's keys."""
    return [dict(zip(heading, line, strict=True)) for line in lines]


async def _season_and_game(reader: LeagueReader, query: DataQuery) -> tuple[Season | None, str]:
    seasons = await reader.read_cached(league_standings.seasons)
    if query.season is not None:
        season = next((each for each in seasons if each.id == query.season), None)
        if season is None:
            raise NotThere
    else:
        now = datetime.now(UTC).timestamp()
        season = next((each for each in seasons if each.begins <= now < each.ends), seasons[0] if seasons else None)
    played: Mapping[str, int] = season.games if season is not None else {}
    return season, query.game or max(played, key=lambda name: played[name], default=next(iter(GAMES)))


@cache
def _unit(name: str) -> str:
    """Return the unit of a game's score."""
    game = GAMES[name]
    table, _ = open_table(game, GameOptions(PLAYERS, game.editions[0], {}, 1))
    return table.scoreboard.unit


def _season(season: Season) -> Json:
    return {
        "id": season.id,
        "name": season.name,
        "begins": season.begins,
        "ends": season.ends,
        "games": dict(season.games),
        "closed": season.closed,
    }


def _member(member: PublicMember) -> Json:
    return {"id": member.id, "name": member.name, "colour": member.colour}


def _rating(rating: Rating) -> Json:
    return {
        "rating": round(rating.ordinal, 2),
        "mu": round(rating.mu, 3),
        "sigma": round(rating.sigma, 3),
        "rated": rating.games,
    }


def _standing(line: MemberStanding) -> Json:
    return {
        "place": line.place,
        "member": _member(line.member),
        "games": line.games,
        "won": line.won,
        "points": line.points,
        "score": line.score,
        "best": line.best,
        "rating": None if line.rating is None else _rating(line.rating),
    }


def _game(line: GameLine) -> Json:
    return {
        "id": line.id,
        "table": line.table,
        "table_name": line.table_name,
        "season": line.season,
        "game": line.game,
        "edition": line.edition,
        "players": line.players,
        "begun": line.begun,
        "clock_wrong": line.clock_wrong,
        "length_us": line.length_us,
        "status": line.status,
        "proof": line.proof,
        "why": line.why,
        "counts": line.is_counted,
        "annulled": line.annulled,
        "unit": line.unit,
        "seats": [
            {
                "seat": seat.seat,
                "member": None if seat.member is None else _member(seat.member),
                "team": seat.team,
                "score": seat.score,
                "place": seat.place,
                "points": seat.points,
            }
            for seat in line.seats
        ],
    }


def _record(line: RecordLine) -> Json:
    return {
        "kind": line.kind,
        "value": line.value,
        "bound_us": line.bound_us,
        "holders": [None if holder is None else _member(holder) for holder in line.holders],
        "game": _game(line.game),
    }


def _against(line: HeadToHead) -> Json:
    return {
        "opponent": _member(line.opponent),
        "games": line.games,
        "won": line.won,
        "lost": line.lost,
        "tied": line.tied,
    }
