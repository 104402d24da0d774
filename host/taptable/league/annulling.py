"""Annulments by an administrator: of the games of a table whose end the league received within a span of time. Annulled
games are kept and shown, but count nowhere until the annulment is undone. Neither an annulment nor undoing it changes
anything in a season that was closed before. Must not know how an administrator is recognised; `ratings.ANNULLED` is the
condition that other queries use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from taptable.core.errors import LeagueError
from taptable.league.locks import lock_counters, lock_seasons_shared
from taptable.league.ratings import HAS_VALID_END, IN_SPAN, WAS_OPEN, recount_since
from taptable.league.schema import annulments, games, seasons, tables
from taptable.league.seasons import next_decision_time


@dataclass(frozen=True, slots=True)
class Annulment:
    """An annulment that holds, or was `undone`. Times are seconds of UTC; `since` and `until` are included. `games` is
    the number of games in the span that it annuls, or annulled; `closed` that of others, whose season had been closed
    before."""

    id: int
    table: str
    since: int
    until: int
    by: str
    at: int
    undone: int | None
    games: int
    closed: int


def annul(connection: Connection, table: str, since: int, until: int, by: str, now: int) -> Annulment:
    """Annul the games of a table that ended in that span, except those in closed seasons. Raises `LeagueError` if there
    is no such table or span."""
    if connection.execute(select(tables.c.id).where(tables.c.id == table)).one_or_none() is None:
        raise LeagueError(f"there is no table {table!r}")
    if since > until:
        raise LeagueError("the span ends before it begins")
    _take_locks(connection)
    made = annulments.insert().values(
        table_id=table, since=since, until=until, by=by, at=next_decision_time(connection, now)
    )
    row = connection.execute(made.returning(annulments)).one()
    _count_again(connection, row)
    return next(each for each in all_annulments(connection) if each.id == row.id)


def undo_annulment(connection: Connection, annulment: int, now: int) -> None:
    """Let the games of an annulment count again, except those in seasons that were closed meanwhile. Raises
    `LeagueError` if there is no such annulment."""
    _take_locks(connection)
    change = update(annulments).where(annulments.c.id == annulment, annulments.c.undone.is_(None))
    change = change.values(undone=next_decision_time(connection, now)).returning(annulments)
    row = connection.execute(change).one_or_none()
    if row is None:
        raise LeagueError(f"annulment {annulment} doesn't exist, or is undone already")
    _count_again(connection, row)


def all_annulments(connection: Connection) -> Sequence[Annulment]:
    """Return all annulments, the latest first."""
    in_span = select(func.count()).select_from(games).join(seasons, seasons.c.id == games.c.season)
    in_span = in_span.where(*IN_SPAN, *HAS_VALID_END).correlate(annulments)
    counts = (in_span.where(each).scalar_subquery() for each in (WAS_OPEN, ~WAS_OPEN))
    query = select(annulments, *counts).order_by(annulments.c.id.desc())
    return [Annulment(*row) for row in connection.execute(query).all()]


def _take_locks(connection: Connection) -> None:
    lock_seasons_shared(connection)
    lock_counters(connection)


def _count_again(connection: Connection, annulment: Row[Any]) -> None:
    first = select(games.c.game, func.min(games.c.ended).label("first")).join(
        annulments, annulments.c.id == annulment.id
    )
    for row in connection.execute(first.where(*IN_SPAN, *HAS_VALID_END).group_by(games.c.game)).all():
        recount_since(connection, row.game, row.first)
