"""The locks of the league's database. Every transaction takes those that it needs in this order, which rules out
deadlocks:

1. the seasons': shared by transactions that store, count or annul games, exclusive for one that begins or closes a
   season;
2. journals (rows of ``streams``) and members;
3. the rows of ``counters``: that of its game for a transaction that counts, all of them for one that changes games
   which may be counted already, or that gives or ends leave;
4. games, with their seats and ratings; codes and leave.

Values that decide something are read after the lock: ``games.counted`` after 3, ``seasons.closed`` after 1. SQLite has
one writer at a time, and needs none of this."""

from __future__ import annotations

from sqlalchemy import Connection, Row, select, text

from taptable.league.database import insert_into, on_postgresql
from taptable.league.schema import counters

_SEASONS = 7_457_019


def lock_seasons_shared(connection: Connection) -> None:
    """Let no season begin or close before this transaction ends. A transaction that waits for the exclusive lock is
    next: however many share the seasons, no new one comes before it."""
    _lock(connection, "pg_advisory_xact_lock_shared")


def lock_seasons(connection: Connection) -> None:
    """Wait until nobody else shares the seasons, and keep others out until this transaction ends."""
    _lock(connection, "pg_advisory_xact_lock")


def lock_counters(connection: Connection) -> None:
    """Let no other transaction count a game before this one ends."""
    connection.execute(select(counters.c.game).order_by(counters.c.game).with_for_update()).all()


def lock_counter(connection: Connection, game: str) -> Row[tuple[object, ...]]:
    """Lock and return the counter of the game with this name, creating it if there is none. Nobody else counts these
    games meanwhile."""
    put = insert_into(connection, counters).values(game=game, counted=0)
    connection.execute(put.on_conflict_do_nothing())
    return connection.execute(select(counters).where(counters.c.game == game).with_for_update()).one()


def _lock(connection: Connection, function: str) -> None:
    if on_postgresql(connection):
        connection.execute(text(f"SELECT {function}(:lock)"), {"lock": _SEASONS})
