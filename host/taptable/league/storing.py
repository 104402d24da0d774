"""Writes what an `Intake` has collected to the database: positions, entries, games, results, live tables and remarks,
each in one statement for many tables. A position is advanced only from where it was read. Must not know the messages of
tables; it makes the confirmations that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias, cast

import msgspec
from psycopg import Connection as PsycopgConnection
from sqlalchemy import Connection, bindparam, case, delete, func, select, update

from taptable.core.errors import LeagueError
from taptable.league.away import guests_without_leave
from taptable.league.batches import decode_beginning, decode_entry
from taptable.league.database import insert_into, on_postgresql
from taptable.league.limits import MAX_REMARKS
from taptable.league.locks import lock_counters
from taptable.league.ratings import request_recount
from taptable.league.schema import (
    ENDED,
    LEFT_OFF,
    RUNNING,
    entries,
    games,
    live,
    remarks,
    seats,
    streams,
)
from taptable.league.verification import Replay
from taptable.uplink.messages import VERSION, Confirmed, Position

COPY = "COPY entries (season, stream, number, record) FROM STDIN"
"""PostgreSQL's fastest way to insert many rows."""

EntryRow: TypeAlias = tuple[int, int, int, str]
"""The season, stream, number and record of an entry."""


class StalePosition(LeagueError):
    """A position isn't where it was read: somebody else has advanced it."""


@dataclass(slots=True)
class JournalBranch:
    """A branch of a table's journal, and its position after the records of this transaction; `stored` is the one
    before."""

    id: int
    table: str
    journal: str
    branch: int
    number: int
    digest: str
    begun: int
    game_id: int | None
    stored: tuple[int, str]

    def confirmation(self, remark: str) -> Confirmed:
        """Return the answer with the branch's position."""
        return Confirmed(VERSION, Position(self.journal, self.number, self.digest), self.branch, remark)


@dataclass(slots=True)
class OpenGame:
    """The last game of a stream: `row` as it is stored, and the game after the records of this transaction. A `frozen`
    game ended in a season that was closed: entries after that are stored, and change nothing about it."""

    row: Mapping[str, Any]
    replay: Replay
    ends: int
    last: int
    at_us: int
    left_off: bool = False
    frozen: bool = False


def advance_all(connection: Connection, moved: Sequence[JournalBranch]) -> None:
    """Advance these branches from their stored positions to the new ones. Raises `StalePosition` if one isn't there."""
    if not moved:
        return
    change = update(streams).where(
        streams.c.id == bindparam("of"),
        streams.c.number == bindparam("from_number"),
        streams.c.digest == bindparam("from_digest"),
    )
    values = [
        {
            "of": each.id,
            "from_number": each.stored[0],
            "from_digest": each.stored[1],
            "number": each.number,
            "digest": each.digest,
            "game_id": each.game_id,
        }
        for each in moved
    ]
    done = connection.execute(change, values)
    if done.rowcount != len(moved):
        raise StalePosition(f"only {done.rowcount} of {len(moved)} positions are where they were read")


def store_entries(connection: Connection, rows: Sequence[EntryRow]) -> None:
    """Store new entries."""
    if not rows:
        return
    if on_postgresql(connection):
        driver = cast("PsycopgConnection[Any]", connection.connection.driver_connection)
        with driver.cursor() as cursor, cursor.copy(COPY) as copy:
            for row in rows:
                copy.write_row(row)
        return
    names = ("season", "stream", "number", "record")
    connection.execute(entries.insert(), [dict(zip(names, row, strict=True)) for row in rows])


def store_games(connection: Connection, touched: Sequence[OpenGame], now: int) -> None:
    """Store the state of these games, at a time in seconds of UTC."""
    values: list[dict[str, Any]] = []
    for game in touched:
        replay, row = game.replay, game.row
        if game.frozen:
            fixed = {"last": game.last, "fixed": func.coalesce(games.c.fixed, row["last"])}
            connection.execute(update(games).where(games.c.id == row["id"]).values(fixed))
            continue
        fastest = replay.fastest
        values.append(
            {
                "of": row["id"],
                "last": game.last,
                "season": row["season"],
                "entries_in": row["entries_in"],
                "status": ENDED if replay.over else LEFT_OFF if game.left_off else RUNNING,
                "proof": replay.proof,
                "why": replay.why,
                "unit": replay.unit or row["unit"],
                "length_us": replay.length_us,
                "fastest_us": None if fastest is None else fastest.us,
                "fastest_bound_us": None if fastest is None else fastest.bound_us,
                "fastest_seat": None if fastest is None else fastest.seat,
                "ended": row["ended"] or (now if replay.over else None),
            }
        )
    if values:
        connection.execute(update(games).where(games.c.id == bindparam("of")), values)


def store_results(connection: Connection, game: OpenGame, now: int) -> tuple[bool, set[str]]:
    """Store a game's results if it has ended, or ended again, and delete them if its end was taken back. Returns
    whether anything has changed, and those of its members who belong to another club and had no leave to play there:
    their seats count as guests'."""
    replay, was_over = game.replay, game.row["status"] == ENDED
    if game.frozen or (was_over, game.ends) == (replay.over, replay.ends):
        return False, set()
    game_id = game.row["id"]
    if was_over:
        lock_counters(connection)
        connection.execute(delete(seats).where(seats.c.game_id == game_id))
        counted = connection.execute(select(games.c.counted).where(games.c.id == game_id)).scalar()
        request_recount(connection, game.row["game"], counted)
    results = replay.results()
    if results is None:
        return True, set()
    members = [each.member for each in results if each.member]
    guests = guests_without_leave(connection, game.row["table_id"], members, game.row["ended"] or now)
    rows = [{"game_id": game_id, **asdict(each), "away": None} for each in results]
    for row in rows:
        if row["member"] in guests:
            row["member"], row["away"] = "", row["member"]
    connection.execute(seats.insert(), rows)
    return True, guests


def store_live(connection: Connection, moved: Mapping[str, OpenGame], now_ms: int) -> None:
    """Store the current state of the games at these tables, by table."""
    rows: dict[str, dict[str, Any]] = {}
    for table_id, game in moved.items():
        table = game.replay.table
        rows[table_id] = {
            "table_id": table_id,
            "stamp_ms": now_ms,
            "game_id": game.row["id"],
            "at_us": game.at_us,
            "paused": table is not None and table.paused_at_us is not None,
            "members": msgspec.json.encode(game.replay.members).decode(),
            "scoreboard": "" if table is None else msgspec.json.encode(table.scoreboard).decode(),
        }
    if rows:
        put = insert_into(connection, live)
        updated = {column.name: put.excluded[column.name] for column in live.c if not column.primary_key}
        connection.execute(
            put.on_conflict_do_update(index_elements=[live.c.table_id], set_=updated), list(rows.values())
        )


def store_remarks(connection: Connection, new_remarks: Mapping[tuple[str, str], tuple[int, str]], now: int) -> None:
    """Store remarks by table and key: how many there were, and the detail of the last one."""
    put = insert_into(connection, remarks)
    times = remarks.c.times + put.excluded.times
    times = case((times < MAX_REMARKS, times), else_=MAX_REMARKS)
    more = {"last": put.excluded.last, "about": put.excluded.about, "times": times}
    put = put.on_conflict_do_update(index_elements=[remarks.c.table_id, remarks.c.key], set_=more)
    rows = [
        {"table_id": table, "key": key, "first": now, "last": now, "times": times, "about": about}
        for (table, key), (times, about) in new_remarks.items()
    ]
    if rows:
        connection.execute(put, rows)


def replay_of(connection: Connection, game: Mapping[str, Any]) -> Replay:
    """Replay a game from its stored entries; `game` is its row."""
    replay = Replay.begin(decode_beginning(game["record"], game["after"], game["after_digest"]).header)
    season = game["entries_in"] or game["season"]
    for _, record in entries_of(connection, season, game["stream"], game["after"], game["last"]):
        replay.play(decode_entry(record))
    return replay


def entries_of(connection: Connection, season: int, stream: int, after: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the numbers and records of a stream's entries after one number, up to another. `season` is the one with
    which they are stored."""
    of_it = (entries.c.season == season, entries.c.stream == stream, entries.c.number.between(after + 1, last))
    for row in connection.execute(select(entries).where(*of_it).order_by(entries.c.number)):
        yield row.number, row.record
