"""Reads from the database: games as lines of lists, members in the form that is public, and whole games for a replay.
Changes nothing; must not know who asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from taptable.league.batches import decode_beginning, decode_entry
from taptable.league.ratings import ANNULLED
from taptable.league.schema import games as games_
from taptable.league.schema import members, seats, tables
from taptable.league.storing import entries_of
from taptable.league.views import GameLine, PublicMember, Seat
from taptable.memory.game_export import Transcript
from taptable.memory.members import public_name
from taptable.memory.records import GameSummary

AT_ONCE = 500
"""Maximum number of ids in one statement."""


def games(
    connection: Connection,
    season: int | None = None,
    game: str | None = None,
    member: str | None = None,
    table: str | None = None,
    before: int | None = None,
    most: int = 20,
) -> list[GameLine]:
    """Return up to `most` games, the latest first; `before` is the id of the last one of the page before. Superseded
    games are left out. With `member`, only games that ended."""
    where: list[ColumnElement[bool]] = [games_.c.superseded.is_(False)]
    for column, value in ((games_.c.season, season), (games_.c.game, game), (games_.c.table_id, table)):
        if value is not None:
            where.append(column == value)
    if member is not None:
        where.append(games_.c.id.in_(select(seats.c.game_id).where(seats.c.member == member)))
    if before is not None:
        where.append(games_.c.id < before)
    return lines(connection, *where, most=most)


def game(connection: Connection, game_id: int) -> GameLine | None:
    """Return a game; None if there is none with this id."""
    return next(iter(lines(connection, games_.c.id == game_id)), None)


def transcript(connection: Connection, game_id: int) -> Transcript | None:
    """Return a game with the entries that have arrived, for a replay; None if there is no such game. The outcome in its
    summary is None: it isn't sent by itself, and follows from the entries."""
    row = connection.execute(select(games_).where(games_.c.id == game_id)).one_or_none()
    if row is None:
        return None
    header = decode_beginning(row.record, row.after, row.after_digest).header
    records = entries_of(connection, row.entries_in or row.season, row.stream, row.after, row.last)
    played = tuple(decode_entry(record) for _, record in records)
    last_at_us = played[-1].at_us if played else header.at_us
    return Transcript(GameSummary(row.id, header, last_at_us, None), played)


def lines(connection: Connection, *where: ColumnElement[bool], most: int | None = None) -> list[GameLine]:
    """Return the games that meet these conditions, the latest first."""
    query = (
        select(games_, tables.c.name.label("table_name"), ANNULLED.label("annulled"))
        .join_from(games_, tables)
        .where(*where)
    )
    rows = connection.execute(query.order_by(games_.c.id.desc()).limit(most)).all()
    return lines_of(connection, rows)


def lines_of(connection: Connection, rows: Sequence[Any]) -> list[GameLine]:
    """Return the games in these rows, which also have `table_name` and `annulled`."""
    seated: dict[int, list[Any]] = {}
    for some in _some_at_a_time(rows):
        query = select(seats).where(seats.c.game_id.in_([row.id for row in some])).order_by(seats.c.seat)
        for seat in connection.execute(query):
            seated.setdefault(seat.game_id, []).append(seat)
    shown = public_members(connection, (seat.member for several in seated.values() for seat in several if seat.member))
    return [
        GameLine(
            id=row.id,
            table=row.table_id,
            table_name=row.table_name,
            season=row.season,
            game=row.game,
            edition=row.edition,
            players=row.players,
            rules_version=row.rules_version,
            begun=row.begun,
            clock_wrong=row.clock_wrong,
            length_us=row.length_us,
            status=row.status,
            proof=row.proof,
            why=row.why,
            superseded=row.superseded,
            annulled=row.annulled,
            unit=row.unit,
            seats=[
                Seat(each.seat, shown.get(each.member or ""), each.team, each.score, each.place, each.points)
                for each in seated.get(row.id, [])
            ],
        )
        for row in rows
    ]


def public_members(connection: Connection, ids: Iterable[str]) -> dict[str, PublicMember]:
    """Return each of these members in the form that is public. A member about whom nothing is known has only an id."""
    unique_ids = set(ids)
    found = {each: PublicMember(each) for each in unique_ids}
    for some in _some_at_a_time(list(unique_ids)):
        for row in connection.execute(select(members).where(members.c.id.in_(some))):
            name = public_name(row.name, row.shown)
            found[row.id] = PublicMember(row.id, name, row.colour if name else "")
    return found


def _some_at_a_time(ids: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE))
