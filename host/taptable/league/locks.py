"""Locks of the league's database. Every transaction takes those that it needs in one order, so that none waits in a
circle:

1. the seasons': whoever takes in, counts or annuls games shares it, whoever begins or closes a season has it alone;
2. journals (rows of ``streams``) and members;
3. the rows of ``counters``: who counts has its game's, who changes what may be counted already has all of them, and so
   has who gives or ends leave;
4. games, with their seats and ratings; codes and leave.

What decides is read after the lock: ``games.counted`` after 3, ``seasons.closed`` after 1. SQLite has one writer at a
time, and needs none of this."""

from __future__ import annotations

from sqlalchemy import Connection, Row, select, text

from taptable.league.database import insert_into, on_postgresql
from taptable.league.schema import counters

_SEASONS = 7_457_019


def lock_seasons_shared(connection: Connection) -> None:
    """Let no season begin or close before this transaction ends. Who waits to have seasons alone is next: however many
    share them, nobody new comes in before."""
    _lock(connection, "pg_advisory_xact_lock_shared")


def lock_seasons(connection: Connection) -> None:
    """Wait until nobody else shares the seasons, and keep others out until this transaction ends."""
    _lock(connection, "pg_advisory_xact_lock")


def lock_counters(connection: Connection) -> None:
    """Let no game be counted by another transaction before this one ends."""
    connection.execute(select(counters.c.game).order_by(counters.c.game).with_for_update()).all()


def lock_counter(connection: Connection, game: str) -> Row[tuple[object, ...]]:
    """The counter of a game of this name, made if there is none; nobody else counts these games meanwhile."""
    put = insert_into(connection, counters).values(game=game, counted=0)
    connection.execute(put.on_conflict_do_nothing())
    return connection.execute(select(counters).where(counters.c.game == game).with_for_update()).one()


def _lock(connection: Connection, how: str) -> None:
    if on_postgresql(connection):
        connection.execute(text(f"SELECT {how}(:lock)"), {"lock": _SEASONS})
