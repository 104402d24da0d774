"""What a transaction of ingest has in hand: the journals of its tables with their positions, the games that go on in
them, and all that is to be stored at its end, in few statements however many tables there are. A position is advanced
only from where it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import msgspec
from psycopg import Connection as PsycopgConnection
from sqlalchemy import Connection, Row, RowMapping, bindparam, delete, func, select, update

from taptable.core.errors import LeagueError
from taptable.league.batches import Beginning, Read, beginning_in, entry_in
from taptable.league.database import insert_into, on_postgresql
from taptable.league.proving import Replay, Replays
from taptable.league.schema import (
    ENDED,
    LEFT_OFF,
    NOT_CHECKED,
    NOT_PROVED,
    RUNNING,
    counters,
    entries,
    games,
    live,
    remarks,
    seats,
    streams,
)
from taptable.league.seasons import season_at, when_begun
from taptable.uplink.messages import VERSION, Confirmed, Position

COPY = "COPY entries (season, stream, number, record) FROM STDIN"


class SeasonMissing(LeagueError):
    """A game belongs to a season that nobody has begun yet."""

    def __init__(self, when: int) -> None:
        super().__init__(f"there is no season at {when}")
        self.when = when


class Outrun(LeagueError):
    """A position wasn't where it was read: somebody else has advanced it."""


@dataclass(slots=True)
class Stream:
    """A branch of a table's journal, and how far it is stored with what is in hand; `stored` is how far without."""

    id: int
    table: str
    journal: str
    branch: int
    number: int
    digest: str
    begun: int
    game_id: int | None
    stored: tuple[int, str]

    def confirmed(self, remark: str) -> Confirmed:
        """The answer that says how far it is stored."""
        return Confirmed(VERSION, Position(self.journal, self.number, self.digest), self.branch, remark)


@dataclass(slots=True)
class _Game:
    """The last game of a stream: what is stored of it, and the game as it is with what is in hand."""

    row: RowMapping
    replay: Replay
    ends: int
    last: int
    at_us: int
    left: bool = False


class Intake:
    """In a transaction, of the tables of these rows (by id), which nobody else advances meanwhile."""

    def __init__(self, connection: Connection, tables: Mapping[str, Row[Any]], replays: Replays, now_ms: int) -> None:
        self.connection = connection
        self.now = now_ms // 1000
        self.ended: set[str] = set()
        self._now_ms = now_ms
        self._replays = replays
        self._streams: dict[str, list[Stream]] = {table: [] for table in tables}
        self._games: dict[int, _Game] = {}
        self._left: list[_Game] = []
        self._entries: list[tuple[int, int, int, str]] = []
        self._remarks: dict[tuple[str, str], tuple[int, str]] = {}
        query = select(streams).where(streams.c.table_id.in_(tables)).order_by(streams.c.id)
        for row in connection.execute(query.with_for_update()):
            stored = (row.number, row.digest)
            kept = Stream(row.id, row.table_id, row.journal, row.branch, *stored, row.begun, row.game_id, stored)
            self._streams[row.table_id].append(kept)
        # one question for all, and not one for each batch
        going_on = select(games).join(streams, streams.c.game_id == games.c.id).where(streams.c.table_id.in_(tables))
        self._rows = {row["stream"]: row for row in connection.execute(going_on).mappings()}

    # ---- what stands

    def stream(self, table: str, journal: str) -> Stream | None:
        """The latest branch of a journal."""
        return next((each for each in reversed(self._streams[table]) if each.journal == journal), None)

    def last_stream(self, table: str) -> Stream | None:
        """The one that was begun last, of whichever journal."""
        return self._streams[table][-1] if self._streams[table] else None

    def beginnings(self, table: str, journal: str) -> set[tuple[int, str]]:
        """The numbers and digests before the games of a journal, of any branch."""
        of_it = [each.id for each in self._streams[table] if each.journal == journal]
        query = select(games.c.after, games.c.after_digest).where(games.c.stream.in_(of_it))
        return {(row.after, row.after_digest) for row in self.connection.execute(query)}

    def game_begun(self, stream: Stream) -> int | None:
        """The number before the game that a stream is in; None before the first."""
        return self.connection.execute(select(games.c.after).where(games.c.id == stream.game_id)).scalar()

    # ---- what comes

    def begin_stream(self, table: str, journal: str, position: Position, branch: int) -> Stream:
        """A new journal, or another branch of one, from a position on."""
        if branch == 0 and self._streams[table]:
            self.remark(table, "new-journal", f"journal {journal}")
        values = {
            "table_id": table,
            "journal": journal,
            "branch": branch,
            "number": position.number,
            "digest": position.digest,
            "begun": self.now,
        }
        made = self.connection.execute(streams.insert().values(values).returning(streams.c.id)).scalar_one()
        stored = (position.number, position.digest)
        stream = Stream(made, table, journal, branch, *stored, self.now, None, stored)
        self._streams[table].append(stream)
        return stream

    def advance(self, stream: Stream, read: Read) -> str:
        """Take in what follows on a stream's position; a remark for who sent it, or ""."""
        said = ""
        game = self._game(stream)
        if stream is not self.stream(stream.table, stream.journal):
            raise Outrun(f"branch {stream.branch} of journal {stream.journal} isn't the latest")
        if stream is not self._streams[stream.table][-1]:
            said = self.remark(stream.table, "two-journals", f"journals {stream.journal} and another by turns")
        for record in read.records:
            if isinstance(record, Beginning):
                if game is not None:
                    game.left = not game.replay.over
                    self._left.append(game)
                game, wrong_clock = self._begin(stream, record)
                if wrong_clock:
                    said = self.remark(stream.table, "clock", f"a game begun at {record.header.begun_utc}")
                continue
            assert game is not None
            proof = game.replay.proof
            game.replay.play(record.entry)
            if game.replay.proof != proof:
                said = self.remark(stream.table, NOT_PROVED, f"game {game.row['id']}: {game.replay.why}")
            game.last, game.at_us = record.number, record.entry.at_us
            self._entries.append((game.row["season"], stream.id, record.number, record.text))
        stream.number, stream.digest = read.number, read.digest
        return said

    def remark(self, table: str, key: str, about: str) -> str:
        """Note what the people of a table should know; gives the key."""
        times, _ = self._remarks.get((table, key), (0, ""))
        self._remarks[table, key] = (times + 1, about)
        return key

    # ---- to the database

    def store(self) -> None:
        """Store all that is in hand; `Outrun` if a position isn't where it was."""
        moved = [each for several in self._streams.values() for each in several if each.number != each.stored[0]]
        self._move(moved)
        self._store_entries()
        for game in (*self._left, *self._games.values()):
            self._store_results(game)
        self._store_games()
        self._store_live(moved)
        self._store_remarks()
        for stream in moved:
            self._replays.put(stream.id, stream.digest, self._games[stream.id].replay)

    def _move(self, moved: Sequence[Stream]) -> None:
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
        done = self.connection.execute(change, values)
        if done.rowcount != len(moved):
            raise Outrun(f"{len(moved)} positions were to be advanced, and {done.rowcount} were where they had been")

    def _store_entries(self) -> None:
        if not self._entries:
            return
        if on_postgresql(self.connection):
            driver = cast("PsycopgConnection[Any]", self.connection.connection.driver_connection)
            with driver.cursor() as cursor, cursor.copy(COPY) as copy:
                for row in self._entries:
                    copy.write_row(row)
            return
        names = ("season", "stream", "number", "record")
        self.connection.execute(entries.insert(), [dict(zip(names, row, strict=True)) for row in self._entries])

    def _store_games(self) -> None:
        touched = [*self._left, *self._games.values()]
        if not touched:
            return
        values: list[dict[str, Any]] = []
        for game in touched:
            replay, fastest = game.replay, game.replay.fastest
            values.append(
                {
                    "of": game.row["id"],
                    "last": game.last,
                    "status": ENDED if replay.over else LEFT_OFF if game.left else RUNNING,
                    "proof": replay.proof,
                    "why": replay.why,
                    "unit": replay.unit or game.row["unit"],
                    "length_us": replay.length_us,
                    "fastest_us": None if fastest is None else fastest.us,
                    "fastest_bound_us": None if fastest is None else fastest.bound_us,
                    "fastest_seat": None if fastest is None else fastest.seat,
                    "ended": (game.row["ended"] or self.now) if replay.over else None,
                }
            )
        self.connection.execute(update(games).where(games.c.id == bindparam("of")), values)

    def _store_results(self, game: _Game) -> None:
        """A game's results where it has come to an end, or to another; none where that was taken back."""
        replay, was_over = game.replay, game.row["status"] == ENDED
        if (was_over, game.ends) == (replay.over, replay.ends):
            return
        game_id = game.row["id"]
        self.ended.add(game.row["game"])
        if was_over:
            self.connection.execute(delete(seats).where(seats.c.game_id == game_id))
            self._count_again(game.row["game"], game.row["counted"])
        results = replay.results()
        if results is not None:
            rows = [{"game_id": game_id, **asdict(each)} for each in results]
            self.connection.execute(seats.insert(), rows)

    def _count_again(self, game: str, counted: int | None) -> None:
        """Of what was counted from there on, something has changed."""
        if counted is not None:
            first = func.coalesce(counters.c.recount_from, counted)
            earlier = {"recount_from": counted}
            change = update(counters).where(counters.c.game == game, first >= counted)
            self.connection.execute(change.values(earlier))
            self.ended.add(game)

    def _store_live(self, moved: Iterable[Stream]) -> None:
        rows: dict[str, dict[str, Any]] = {}
        for stream in moved:
            game = self._games[stream.id]
            table = game.replay.table
            rows[stream.table] = {
                "table_id": stream.table,
                "stamp_ms": self._now_ms,
                "game_id": game.row["id"],
                "at_us": game.at_us,
                "paused": table is not None and table.paused_at_us is not None,
                "members": msgspec.json.encode(game.replay.members).decode(),
                "scoreboard": "" if table is None else msgspec.json.encode(table.scoreboard).decode(),
            }
        if rows:
            put = insert_into(self.connection, live)
            kept = {column.name: put.excluded[column.name] for column in live.c if not column.primary_key}
            self.connection.execute(
                put.on_conflict_do_update(index_elements=[live.c.table_id], set_=kept), list(rows.values())
            )

    def _store_remarks(self) -> None:
        put = insert_into(self.connection, remarks)
        more = {"last": put.excluded.last, "about": put.excluded.about, "times": remarks.c.times + put.excluded.times}
        put = put.on_conflict_do_update(index_elements=[remarks.c.table_id, remarks.c.key], set_=more)
        rows = [
            {"table_id": table, "key": key, "first": self.now, "last": self.now, "times": times, "about": about}
            for (table, key), (times, about) in self._remarks.items()
        ]
        if rows:
            self.connection.execute(put, rows)

    # ---- games

    def _game(self, stream: Stream) -> _Game | None:
        """The game that a stream's next entry belongs to, as it stands."""
        if stream.id in self._games or stream.game_id is None:
            return self._games.get(stream.id)
        row = self._rows[stream.id]
        replay = self._replays.take(stream.id, stream.digest) or replay_of(self.connection, row)
        game = self._games[stream.id] = _Game(row, replay, replay.ends, row["last"], 0)
        return game

    def _begin(self, stream: Stream, beginning: Beginning) -> tuple[_Game, bool]:
        """A game that begins, and whether the table's clock was wrong; its season is decided here."""
        header = beginning.header
        begun, clock_wrong = when_begun(header.begun_utc, self.now)
        season = season_at(self.connection, begun)
        if season is None:
            raise SeasonMissing(begun)
        replay = Replay.begin(header)
        if replay.proof == NOT_CHECKED:
            self.remark(stream.table, NOT_CHECKED, replay.why)
        elif replay.proof == NOT_PROVED:
            self.remark(stream.table, NOT_PROVED, replay.why)
        if stream.branch > 0:
            self._supersede(stream, beginning)
        values = {
            "stream": stream.id,
            "table_id": stream.table,
            "in_journal": beginning.in_journal,
            "record": beginning.text,
            "after": beginning.after,
            "after_digest": beginning.after_digest,
            "last": beginning.after,
            "season": season,
            "begun": begun,
            "clock_wrong": clock_wrong,
            "game": header.game,
            "edition": header.edition,
            "players": header.players,
            "rules_version": header.rules_version,
            "status": RUNNING,
            "proof": replay.proof,
            "why": replay.why,
            "superseded": False,
            "unit": replay.unit,
            "length_us": 0,
        }
        row = self.connection.execute(games.insert().values(values).returning(games)).mappings().one()
        stream.game_id = row["id"]
        game = self._games[stream.id] = _Game(row, replay, 0, beginning.after, header.at_us)
        return game, clock_wrong

    def _supersede(self, stream: Stream, beginning: Beginning) -> None:
        """A game that an earlier branch has as well counts once: as the later one has it."""
        earlier = [
            each.id
            for each in self._streams[stream.table]
            if each.journal == stream.journal and each.branch < stream.branch
        ]
        change = update(games).where(
            games.c.stream.in_(earlier),
            games.c.in_journal == beginning.in_journal,
            games.c.record == beginning.text,
            games.c.superseded.is_(False),
        )
        changed = self.connection.execute(change.values(superseded=True).returning(games.c.counted))
        for row in changed.all():
            self._count_again(beginning.header.game, row.counted)


def replay_of(connection: Connection, game: RowMapping) -> Replay:
    """A game played again from what is stored of it; `game` is its row."""
    replay = Replay.begin(beginning_in(game["record"], game["after"], game["after_digest"]).header)
    of_it = (
        entries.c.season == game["season"],
        entries.c.stream == game["stream"],
        entries.c.number.between(game["after"] + 1, game["last"]),
    )
    for record in connection.execute(select(entries.c.record).where(*of_it).order_by(entries.c.number)).scalars():
        replay.play(entry_in(record))
    return replay
