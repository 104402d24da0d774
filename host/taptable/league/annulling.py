"""Games that an administrator annuls: those of a table of which the league heard the end in a span of time. They are
kept and shown, and count nowhere until that is undone. Nothing of a season that was closed is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, update

from taptable.core.errors import LeagueError
from taptable.league.counting import COUNTS, STANDS, count_from
from taptable.league.schema import annulments, games, seasons, tables


@dataclass(frozen=True, slots=True)
class Annulment:
    """One that stands, or that was undone; times are seconds of UTC, the first and the last included. `games` are in
    its span."""

    id: int
    table: str
    since: int
    until: int
    by: str
    at: int
    undone: int | None
    games: int


def annul(connection: Connection, table: str, since: int, until: int, by: str, now: int) -> int:
    """Annul the games of a table that ended in that span, and give the annulment's id. `LeagueError` if there is no
    such table or span, or one of the games is in a season that was closed."""
    if connection.execute(select(tables.c.id).where(tables.c.id == table)).one_or_none() is None:
        raise LeagueError(f"there is no table {table!r}")
    if since > until:
        raise LeagueError("the span ends before it begins")
    _check_open(connection, _in_span(table, since, until))
    made = annulments.insert().values(table_id=table, since=since, until=until, by=by, at=now)
    annulment = connection.execute(made.returning(annulments.c.id)).scalar_one()
    _count_again(connection, _in_span(table, since, until))
    return annulment


def undo_annulment(connection: Connection, annulment: int, now: int) -> None:
    """Have its games count again; `LeagueError` if there is no such one, or one of them is in a season that was
    closed."""
    change = update(annulments).where(annulments.c.id == annulment, annulments.c.undone.is_(None)).values(undone=now)
    row = connection.execute(change.returning(annulments)).one_or_none()
    if row is None:
        raise LeagueError(f"there is no annulment {annulment} that could be undone")
    span = _in_span(row.table_id, row.since, row.until)
    _check_open(connection, span)  # what counts now that didn't; the transaction is given up if it mustn't
    _count_again(connection, span)


def all_annulments(connection: Connection) -> Sequence[Annulment]:
    """All of them, the latest first."""
    in_it = (
        select(func.count())
        .select_from(games)
        .where(
            games.c.table_id == annulments.c.table_id,
            *STANDS,
            games.c.ended.between(annulments.c.since, annulments.c.until),
        )
        .scalar_subquery()
    )
    query = select(annulments, in_it.label("games")).order_by(annulments.c.id.desc())
    return [Annulment(*row) for row in connection.execute(query).all()]


def _in_span(table: str, since: int, until: int) -> tuple[ColumnElement[bool], ...]:
    return (games.c.table_id == table, games.c.ended.between(since, until))


def _check_open(connection: Connection, span: Sequence[Any]) -> None:
    closed = select(seasons.c.name).join(games, games.c.season == seasons.c.id).where(*span, *COUNTS)
    name = connection.execute(closed.where(seasons.c.closed.is_not(None)).limit(1)).scalar()
    if name is not None:
        raise LeagueError(f"some of these games are in season {name}, which is closed and stays as it is")


def _count_again(connection: Connection, span: Sequence[Any]) -> None:
    first = select(games.c.game, func.min(games.c.ended).label("first")).where(*span, *STANDS).group_by(games.c.game)
    for row in connection.execute(first.order_by(games.c.game)).all():
        count_from(connection, row.game, row.first)
