"""The locks of the league's database. Every transaction takes those that it needs in this order, which rules out
deadlocks:

1. the advisory lock of the seasons: shared by transactions that store, count or annul games, exclusive for one that
   begins or closes a season;
2. rows of ``streams`` (branches of journals) and of ``members``;
3. rows of ``counters``, one for each kind of game. A transaction that gives games their numbers in the ratings locks
   the row of their kind. One that changes games which may have numbers already locks all rows; so does one that gives
   or ends leave, by which a member plays for the ratings at another club's table;
4. rows of ``games``, ``seats`` and ratings, of ``away`` (leave) and of ``away_codes`` (the codes that tables show to
   give leave).

Levels 1 and 3 are locks taken for their own sake, by the functions below. Levels 2 and 4 are the rows that a
transaction reads for update or changes anyway, so their statements lock them.

A value on which a transaction decides is read after the lock that protects it, or it may be out of date:
``games.counted`` after 3, ``seasons.closed`` after 1. SQLite has one writer at a time, and needs none of this."""

from __future__ import annotations

from sqlalchemy import Connection, Row, select, text

from taptable.league.database import insert_into, on_postgresql
from taptable.league.schema import counters

_SEASONS = 7_457_019
"""The number of PostgreSQL's advisory lock for the seasons."""


def lock_seasons_shared(connection: Connection) -> None:
    """Let no season begin or close before this transaction ends. A transaction that waits for the exclusive lock is
    next: however many share the seasons, no new one comes before it."""
    _lock(connection, "pg_advisory_xact_lock_shared")


def lock_seasons(connection: Connection) -> None:
    """Wait until nobody else shares the seasons, and keep others out until this transaction ends."""
    _lock(connection, "pg_advisory_xact_lock")


def lock_counters(connection: Connection) -> None:
    """Lock the counters of all kinds of games: no other transaction counts a game of these before this one ends. A kind
    gets its row when its first game is counted, so this locks nothing of a kind before that."""
    connection.execute(select(counters.c.game).order_by(counters.c.game).with_for_update()).all()


def lock_counter(connection: Connection, game: str) -> Row[tuple[object, ...]]:
    """Lock and return the counter of one kind of game, such as *online*; create it if there is none. No other
    transaction counts games of this kind before this one ends."""
    put = insert_into(connection, counters).values(game=game, counted=0)
    connection.execute(put.on_conflict_do_nothing())
    return connection.execute(select(counters).where(counters.c.game == game).with_for_update()).one()


def _lock(connection: Connection, function: str) -> None:
    if on_postgresql(connection):
        connection.execute(text(f"SELECT {function}(:lock)"), {"lock": _SEASONS})
