"""Exports of a league for other programs: the rows of standings, games and ratings, and the names of their columns, in
a format that doesn't change. Must not know who asks, nor where the file goes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Connection, select

from taptable.league.game_lines import lines, public_members
from taptable.league.schema import ENDED, games, ratings
from taptable.league.standings import seasons, standings
from taptable.league.views import Rating

Row = Sequence[str | int | float | None]

# the columns of each export
STANDINGS = ("season", "game", "place", "member", "name", "games", "won", "points", "score", "best")
RATINGS = ("game", "member", "name", "mu", "sigma", "ordinal", "games")
GAMES = (
    *("id", "season", "table", "game", "edition", "players", "begun", "length_s", "proof", "unit"),
    *("seat", "member", "name", "team", "score", "place", "points", "annulled"),
)


def export_rows(
    connection: Connection, kind: Literal["standings", "games", "ratings"], season: int | None = None
) -> tuple[Sequence[str], list[Row]]:
    """Return the heading and the rows of a file: one for each member and game in ``standings`` and ``ratings``, one for
    each seat in ``games``. Members are given by id, and by name where that is public. Ratings belong to no season."""
    match kind:
        case "standings":
            return STANDINGS, _standing_rows(connection, season)
        case "games":
            return GAMES, _game_rows(connection, season)
        case "ratings":
            return RATINGS, _rating_rows(connection)


def csv_of(heading: Sequence[str], lines: Sequence[Row]) -> str:
    """Format rows as CSV: separated by commas, quotes doubled within quotes, lines ended by CR and LF. A text that a
    spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(heading)
    writer.writerows([_harmless(cell) for cell in line] for line in lines)
    return out.getvalue()


def _standing_rows(connection: Connection, season: int | None) -> list[Row]:
    return [
        (
            *(each.name, name, line.place, line.member.id, line.member.name),
            *(line.games, line.won, line.points, line.score, line.best),
        )
        for each in seasons(connection)
        if season in (None, each.id)
        for name in sorted(each.games)
        for line in standings(connection, each.id, name)
    ]


def _rating_rows(connection: Connection) -> list[Row]:
    rows = connection.execute(select(ratings).order_by(ratings.c.game, ratings.c.member)).all()
    shown = public_members(connection, (row.member for row in rows))
    found: list[Row] = []
    for row in rows:
        rating = Rating(row.mu, row.sigma, row.games)
        name = shown[row.member].name
        found.append((row.game, row.member, name, row.mu, row.sigma, rating.ordinal, row.games))
    return found


def _game_rows(connection: Connection, season: int | None) -> list[Row]:
    names = {each.id: each.name for each in seasons(connection)}
    where = [games.c.status == ENDED, games.c.superseded.is_(False)]
    if season is not None:
        where.append(games.c.season == season)
    found: list[Row] = []
    for line in lines(connection, *where):
        begun = datetime.fromtimestamp(line.begun, UTC).isoformat()
        head = (line.id, names[line.season], line.table_name, line.game, line.edition, line.players, begun)
        for seat in line.seats:
            member = ("", "") if seat.member is None else (seat.member.id, seat.member.name)
            tail = (seat.seat, *member, seat.team, seat.score, seat.place, seat.points, int(line.annulled))
            found.append((*head, line.length_us / 1e6, line.proof, line.unit, *tail))
    return found


def _harmless(cell: str | int | float | None) -> str | int | float | None:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
