"""Reads the current state of the tables: the games at them, for the wall that many people watch, and the list of tables
with their remarks for the administrators. Changes nothing; must not know who watches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import ColumnElement, Connection, select

from taptable.core.scoreboard import Scoreboard
from taptable.league.game_lines import lines, public_members
from taptable.league.schema import games, live, remarks, tables
from taptable.league.views import Remark, TableLine, TableNow

NEVER_MS = 0
"""The stamp of a table from which nothing was received."""

_members_in = msgspec.json.Decoder(tuple[str, ...]).decode
_scoreboard_in = msgspec.json.Decoder(Scoreboard).decode


def live_tables(connection: Connection, club: str | None = None) -> list[TableNow]:
    """Return all tables that aren't revoked, or those of one club, by name."""
    return _read_tables(connection, *([] if club is None else [tables.c.club == club]))


def live_table_changes(connection: Connection, known: Mapping[str, int]) -> tuple[list[TableNow], set[str]]:
    """Return the tables whose `stamp_ms` differs from the known one, by table id, and the ids of those that no longer
    exist. Call it once for all watchers, as often as they should be notified; it reads two columns of each table where
    nothing changed."""
    query = select(tables.c.id, live.c.stamp_ms).join_from(tables, live, isouter=True)
    stamps = {row.id: row.stamp_ms or NEVER_MS for row in connection.execute(query.where(tables.c.revoked.is_(None)))}
    changed = [table for table, stamp in stamps.items() if known.get(table) != stamp]
    return (_read_tables(connection, tables.c.id.in_(changed)) if changed else []), known.keys() - stamps.keys()


def table_list(connection: Connection) -> list[TableLine]:
    """Return all tables with their remarks, by name."""
    remarks_by_table: dict[str, list[Remark]] = {}
    for row in connection.execute(select(remarks).order_by(remarks.c.last.desc(), remarks.c.key)):
        remarks_by_table.setdefault(row.table_id, []).append(
            Remark(row.table_id, row.key, row.first, row.last, row.times, row.about)
        )
    query = select(tables, live.c.stamp_ms).join_from(tables, live, isouter=True)
    return [
        TableLine(
            id=row.id,
            name=row.name,
            club=row.club,
            added=row.added,
            revoked=row.revoked,
            last_heard=None if row.stamp_ms is None else row.stamp_ms // 1000,
            remarks=remarks_by_table.get(row.id, []),
        )
        for row in connection.execute(query.order_by(tables.c.name, tables.c.id))
    ]


def _read_tables(connection: Connection, *where: ColumnElement[bool]) -> list[TableNow]:
    query = select(tables.c.id, tables.c.name, tables.c.club, live).join_from(tables, live, isouter=True)
    rows = connection.execute(
        query.where(tables.c.revoked.is_(None), *where).order_by(tables.c.name, tables.c.id)
    ).all()
    played = {line.id: line for line in lines(connection, games.c.id.in_([row.game_id for row in rows if row.game_id]))}
    seated = {row.id: _members_in(row.members) for row in rows if row.members}
    shown = public_members(connection, (member for several in seated.values() for member in several if member))
    return [
        TableNow(
            table=row.id,
            name=row.name,
            club=row.club,
            stamp_ms=row.stamp_ms or NEVER_MS,
            last_heard=None if row.stamp_ms is None else row.stamp_ms // 1000,
            game=played.get(row.game_id),
            at_us=row.at_us or 0,
            paused=bool(row.paused),
            members=[shown.get(member) for member in seated.get(row.id, ())],
            scoreboard=_scoreboard_in(row.scoreboard) if row.scoreboard else None,
        )
        for row in rows
    ]
