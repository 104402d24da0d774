"""The tables that belong to a league: the league gives each an id and a key, and accepts its messages until the key is
revoked. Must not know what they send."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from taptable.core.errors import LeagueError
from taptable.core.spelling import is_visible, short_json
from taptable.league.database import insert_into
from taptable.league.leases import shard_of
from taptable.league.schema import clubs, tables

USUAL_CLUB = "club"
"""The club of a table for which none is named."""
KEY_BYTES = 32
"""Bytes of a key."""


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A table with its `key` in hex, by which it signs messages, and which is its password at the broker."""

    id: str
    name: str
    club: str
    key: str
    revoked: int | None


def add_table(connection: Connection, name: str, club: str, now: int) -> LeagueTable:
    """Add a table to a club, which is created if there is none of that name. Raises `LeagueError` if one of the names
    is invalid."""
    check_name(name)
    check_name(club)
    table = LeagueTable(secrets.token_hex(4), name, club, secrets.token_hex(KEY_BYTES), None)
    connection.execute(insert_into(connection, clubs).values(id=club, name=club).on_conflict_do_nothing())
    values = {"id": table.id, "name": name, "club": club, "key": table.key}
    connection.execute(tables.insert().values(**values, shard=shard_of(table.id), added=now))
    return table


def check_name(name: str) -> None:
    """Raise `LeagueError` unless a text can name a table, a club or a season: it is visible, and hides nothing."""
    if not is_visible(name) or name != name.strip():
        raise LeagueError(f"{short_json(name)} can't be a name: it must be one line, without spaces around it")


def revoke_table(connection: Connection, table: str, now: int) -> None:
    """Revoke a table's key, so that no more of its messages are accepted; what it has sent stays. Raises `LeagueError`
    if there is no such table."""
    change = update(tables).where(tables.c.id == table, tables.c.revoked.is_(None)).values(revoked=now)
    if connection.execute(change).rowcount == 0:
        raise LeagueError(f"there is no table {table!r} that could be revoked")


def all_tables(connection: Connection) -> Sequence[LeagueTable]:
    """Return all tables with their keys, by name."""
    return [
        LeagueTable(row.id, row.name, row.club, row.key, row.revoked)
        for row in connection.execute(select(tables).order_by(tables.c.name, tables.c.id))
    ]
