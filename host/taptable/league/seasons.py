"""Seasons: equal parts of a year, each begun with the first game in it, unless an administrator begins one. On
PostgreSQL a season's entries have a partition of their own. The time at which a game began is the one that its table
reports if that is plausible, else the one at which the league received its beginning. Must not know results."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, func, select, text, update

from taptable.core.errors import LeagueError
from taptable.league.database import on_postgresql, write_transaction
from taptable.league.locks import lock_seasons
from taptable.league.schema import annulments, seasons

EARLIEST = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp())
"""The earliest time at which a game can have begun, since taptable didn't exist before. The clock of a Pi without a
battery is earlier until it is set: in 1970, or at the date of its card's image."""
AHEAD_S = 26 * 3600
"""How far a table's clock may be ahead of ours: that of another time zone, taken for UTC."""


def begin_time(begun_utc: str | None, now: int, before: int = EARLIEST) -> tuple[int, bool]:
    """Return when a game began, and whether the table's clock was wrong: the time that the table gave (ISO 8601, None
    where it had no clock) if that is plausible, else now. `before` is when a game began that was played before it: a
    right clock can't show less."""
    try:
        begun = int(datetime.fromisoformat(begun_utc).timestamp()) if begun_utc is not None else None
    except (ValueError, OverflowError):
        begun = 0
    if begun is None:
        return now, False
    return (begun, False) if max(EARLIEST, before) <= begun <= now + AHEAD_S else (now, True)


def season_at(connection: Connection, when: int) -> int | None:
    """Return the season at that time; None if it hasn't begun yet."""
    query = select(seasons.c.id).where(seasons.c.begins <= when, when < seasons.c.ends)
    return connection.execute(query.order_by(seasons.c.begins.desc()).limit(1)).scalar()


def begin_season(engine: Engine, when: int, months: int) -> int:
    """Begin the season at that time unless it exists, and return its id. This takes a transaction of its own, since
    creating a partition waits for those that write to others."""
    with write_transaction(engine) as connection:
        lock_seasons(connection)
        if (found := season_at(connection, when)) is not None:
            return found
        return _make(connection, *season_of(when, months))


def cut_season(connection: Connection, when: int, name: str) -> int:
    """Begin a season with this name at that time; the current one ends then, and the new one when the current one would
    have. Raises `LeagueError` if the name exists, or there is no current season."""
    lock_seasons(connection)
    if connection.execute(select(seasons.c.id).where(seasons.c.name == name)).first() is not None:
        raise LeagueError(f"there is a season {name!r} already")
    before = season_at(connection, when)
    if before is None:
        raise LeagueError("no season is on: the first begins with the first game")
    ends = connection.execute(select(seasons.c.ends).where(seasons.c.id == before)).scalar_one()
    connection.execute(update(seasons).where(seasons.c.id == before).values(ends=when))
    return _make(connection, name, when, ends)


def close_season(connection: Connection, season: int, now: int) -> None:
    """Close a season: no game is added to it any more, and none of it counts differently. Raises `LeagueError` unless
    the season has ended and isn't closed."""
    lock_seasons(connection)
    change = update(seasons).where(seasons.c.id == season, seasons.c.closed.is_(None), seasons.c.ends <= now)
    if connection.execute(change.values(closed=next_decision_time(connection, now))).rowcount == 0:
        raise LeagueError("only a season that has ended can be closed, and once")


def next_decision_time(connection: Connection, now: int) -> int:
    """Return the time to store for the closing of a season, an annulment, or the end of one: now, or a second after the
    last of these, so that their times have the order in which they happened, even if the clock was set back."""
    last = (func.max(each) for each in (seasons.c.closed, annulments.c.at, annulments.c.undone))
    times = [connection.execute(select(each)).scalar() for each in last]
    return max(now, *(time + 1 for time in times if time is not None), 0)


def _make(connection: Connection, name: str, begins: int, ends: int) -> int:
    made = seasons.insert().values(name=name, begins=begins, ends=ends).returning(seasons.c.id)
    season = connection.execute(made).scalar_one()
    if on_postgresql(connection):
        partition = f"CREATE TABLE entries_{season} PARTITION OF entries FOR VALUES IN ({season})"
        connection.execute(text(partition))
    return season


def season_of(when: int, months: int) -> tuple[str, int, int]:
    """Return the name, begin and end of the season at that time: ``2026``, or with several in a year the months that it
    has, ``2026-07/12``."""
    day = datetime.fromtimestamp(when, UTC)
    first = (day.month - 1) // months * months + 1
    last = first + months - 1
    begins = datetime(day.year, first, 1, tzinfo=UTC)
    ends = datetime(day.year + last // 12, last % 12 + 1, 1, tzinfo=UTC)
    name = f"{day.year}" if months == 12 else f"{day.year}-{first:02}" + (f"/{last:02}" if last > first else "")
    return name, int(begins.timestamp()), int(ends.timestamp())
