"""The values of one transaction of `ingest`: the journals that its messages name, with their positions; the games that
continue in them; and all rows to be stored at its end. It must not read entries that a table sent earlier, except those
of a game that continues and whose replay isn't in memory any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from taptable.core.errors import LeagueError
from taptable.league.away import allow_by_table, correct_member_seats
from taptable.league.batches import GameBeginning, Numbered, decode_beginning
from taptable.league.limits import MAX_JOURNALS
from taptable.league.locks import lock_counters, lock_seasons_shared
from taptable.league.ratings import HAS_VALID_END, request_recount
from taptable.league.schema import ENDED, NOT_CHECKED, NOT_PROVED, RUNNING, games, seasons, streams, tables
from taptable.league.seasons import EARLIEST, begin_time
from taptable.league.storing import (
    EntryRow,
    JournalBranch,
    OpenGame,
    StalePosition,
    advance_all,
    replay_of,
    store_entries,
    store_games,
    store_live,
    store_remarks,
    store_results,
)
from taptable.league.verification import Replay, Replays, printable
from taptable.memory.members import id_of
from taptable.uplink.messages import MemberAway, Position

_LOOKED_BACK = 10
"""How many earlier games are searched for one whose table had a clock."""


class SeasonMissing(LeagueError):
    """A game belongs to a season that hasn't begun yet."""

    def __init__(self, when: int) -> None:
        super().__init__(f"there is no season at {when}")
        self.when = when


@dataclass(frozen=True, slots=True)
class _Season:
    id: int
    begins: int
    ends: int
    closed: bool


class TooMany(LeagueError):
    """A table has the maximum number of journals."""


class Intake:
    """The intake of a transaction, for these journals of each table (by id), and for the one that each table has begun
    last. Nobody else advances them meanwhile. `monotonic_s` returns seconds to measure whether a batch takes too
    long."""

    def __init__(
        self,
        connection: Connection,
        journals: Mapping[str, Collection[str]],
        replays: Replays,
        now_ms: int,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.connection = connection
        self.now = now_ms // 1000
        self.games_to_rate: set[str] = set()
        self.tables_without_leave: set[str] = set()  # tables at which somebody played without leave
        self.members_to_correct: set[str] = set()  # members whose club has become known
        self.leave_requests: list[tuple[str, str, MemberAway]] = []  # club, table, and the table's message
        self._superseded: list[tuple[ColumnElement[bool], ...]] = []
        self._now_ms = now_ms
        self._replays = replays
        self._monotonic_s = monotonic_s
        self._streams: dict[str, list[JournalBranch]] = {table: [] for table in journals}
        self._games: dict[int, OpenGame] = {}
        self._left_off: list[OpenGame] = []
        self._seasons: list[_Season] | None = None  # read when a game begins or continues
        self._entries: list[EntryRow] = []
        self._remarks: dict[tuple[str, str], tuple[int, str]] = {}
        lock_seasons_shared(connection)
        last = select(func.max(streams.c.id)).where(streams.c.table_id == tables.c.id).scalar_subquery()
        latest = connection.execute(select(last).where(tables.c.id.in_(journals))).scalars().all()
        named = {journal for several in journals.values() for journal in several}
        these = or_(streams.c.id.in_(latest), and_(streams.c.table_id.in_(journals), streams.c.journal.in_(named)))
        for row in connection.execute(select(streams).where(these).order_by(streams.c.id).with_for_update()):
            stored = (row.number, row.digest)
            branch = JournalBranch(
                row.id, row.table_id, row.journal, row.branch, *stored, row.begun, row.game_id, stored
            )
            self._streams[row.table_id].append(branch)
        # one query for all of them, not one for each batch
        going_on = select(games).join(streams, streams.c.game_id == games.c.id).where(these)
        self._rows = {row["stream"]: row for row in connection.execute(going_on).mappings()}

    # ---- stored positions

    def stream(self, table: str, journal: str) -> JournalBranch | None:
        """Return the latest branch of a journal; None if the table has no such journal."""
        return next((each for each in reversed(self._streams[table]) if each.journal == journal), None)

    def last_stream(self, table: str) -> JournalBranch | None:
        """Return the stream of a table that was begun last, of any journal; None if there is none."""
        return self._streams[table][-1] if self._streams[table] else None

    def beginnings(self, table: str, journal: str, among: Sequence[Position]) -> set[tuple[int, str]]:
        """Return those of these positions, as number and digest, at which a game of a journal begins, in any branch."""
        of_it = [each.id for each in self._streams[table] if each.journal == journal]
        query = select(games.c.after, games.c.after_digest).where(
            games.c.stream.in_(of_it), games.c.after.in_([each.number for each in among])
        )
        return {(row.after, row.after_digest) for row in self.connection.execute(query)}

    # ---- new records

    def begin_stream(self, table: str, journal: str, position: Position, branch: int) -> JournalBranch:
        """Begin a new journal, or another branch of one, at a position. Raises `TooMany` if there can't be another."""
        existing = select(streams.c.id).where(streams.c.table_id == table).limit(MAX_JOURNALS)
        if len(self.connection.execute(existing).all()) >= MAX_JOURNALS:
            self.remark(table, "too-many-journals", f"journal {journal}, branch {branch}")
            raise TooMany(f"table {table} has {MAX_JOURNALS} journals already")
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
        stream = JournalBranch(made, table, journal, branch, *stored, self.now, None, stored)
        self._streams[table].append(stream)
        return stream

    def advance(self, stream: JournalBranch, records: Sequence[GameBeginning | Numbered], until_s: float) -> str:
        """Append records to a stream, until an entry after which it is `until_s`. Returns a remark for the sender, or
        ""."""
        remark = ""
        game = self._game(stream)
        if stream is not self.stream(stream.table, stream.journal):
            raise StalePosition(f"branch {stream.branch} of journal {stream.journal} isn't the latest")
        if stream is not self._streams[stream.table][-1]:
            remark = self.remark(stream.table, "two-journals", f"journals {stream.journal} and another by turns")
        for record in records:
            if isinstance(record, GameBeginning):
                if game is not None:
                    game.left_off = not game.replay.over
                    game.replay.finish()
                    self._left_off.append(game)
                game, wrong_clock = self._begin(stream, record)
                if wrong_clock:
                    remark = self.remark(stream.table, "clock", f"a game begun at {record.header.begun_utc}")
                continue
            assert game is not None
            proof = game.replay.proof
            game.replay.play(record.entry)
            if game.replay.proof != proof:
                remark = self.remark(stream.table, NOT_PROVED, f"game {game.row['id']}: {game.replay.why}")
            game.last, game.at_us = record.number, record.entry.at_us
            self._entries.append((game.row["entries_in"] or game.row["season"], stream.id, record.number, record.text))
            stream.number, stream.digest = record.number, record.digest
            if self._monotonic_s() >= until_s:
                break
        return remark

    def remark(self, table: str, key: str, about: str) -> str:
        """Collect a remark for the people of a table, and return its key."""
        times, _ = self._remarks.get((table, key), (0, ""))
        self._remarks[table, key] = (times + 1, printable(about))
        return key

    # ---- storage

    def store(self) -> None:
        """Store all collected rows. Raises `StalePosition` if a position isn't where it was read."""
        moved = [each for several in self._streams.values() for each in several if each.number != each.stored[0]]
        touched = [*self._left_off, *self._games.values()]
        advance_all(self.connection, moved)
        store_entries(self.connection, self._entries)
        self._recount_changed()
        for game in touched:
            changed, guests = store_results(self.connection, game, self.now)
            if changed:
                self.games_to_rate.add(game.row["game"])
            for member in sorted(guests):
                self.tables_without_leave.add(game.row["table_id"])
                self.remark(game.row["table_id"], "plays-away", f"member {member} in game {game.row['id']}")
        store_games(self.connection, touched, self.now)
        store_live(self.connection, {each.table: self._games[each.id] for each in moved}, self._now_ms)
        store_remarks(self.connection, self._remarks, self.now)
        for stream in moved:
            self._replays.put(stream.table, stream.id, stream.digest, self._games[stream.id].replay)

    def _recount_changed(self) -> None:
        """Give the leave that was requested, correct the seats of members whose club has become known, and mark games
        that a later branch has as superseded. Requests a recount of the stored games that count differently by this."""
        if self.leave_requests or self.members_to_correct or self._superseded:
            lock_counters(self.connection)
        for club, table, message in self.leave_requests:
            if key := allow_by_table(self.connection, club, table, message, self.now):
                self.remark(table, key, f"member {id_of(message.secret)}")
        first_counted = [
            each for member in sorted(self.members_to_correct) for each in correct_member_seats(self.connection, member)
        ]
        for same in self._superseded:
            changed = update(games).where(*same).values(superseded=True).returning(games.c.game, games.c.counted)
            first_counted += [(row.game, row.counted) for row in self.connection.execute(changed)]
        for game, first in first_counted:
            request_recount(self.connection, game, first)
            self.games_to_rate.add(game)

    # ---- games

    def _game(self, stream: JournalBranch) -> OpenGame | None:
        """Return the open game to which a stream's next entry belongs; None if there is none."""
        if stream.id in self._games or stream.game_id is None:
            return self._games.get(stream.id)
        row = cast("Mapping[str, Any]", self._rows[stream.id])
        replay = self._replays.take(stream.id, stream.digest) or replay_of(self.connection, row)
        frozen = False
        if any(each.closed and each.id == row["season"] for each in self._known_seasons()):
            frozen = row["status"] == ENDED
            if not frozen:  # it ends in the season that is current then
                row = {**row, "season": self._season_of_now(), "entries_in": row["entries_in"] or row["season"]}
        game = self._games[stream.id] = OpenGame(row, replay, replay.ends, row["last"], 0, frozen=frozen)
        return game

    def _begin(self, stream: JournalBranch, beginning: GameBeginning) -> tuple[OpenGame, bool]:
        """Begin a game, and decide its season. Returns it, and whether the table's clock was wrong, or named a closed
        season."""
        header = beginning.header
        begun, clock_wrong = begin_time(
            header.begun_utc, self.now, self._begin_of_previous(stream, beginning.in_journal)
        )
        season = self._season_at(begun)
        if season.closed:
            season_id, begun, clock_wrong = self._season_of_now(), self.now, True
        else:
            season_id = season.id
        replay = Replay.begin(header)
        if replay.proof == NOT_CHECKED:
            self.remark(stream.table, NOT_CHECKED, replay.why)
        elif replay.proof == NOT_PROVED:
            self.remark(stream.table, NOT_PROVED, replay.why)
        copy, ended = self._supersede(stream, beginning) if stream.branch > 0 else (False, None)
        values = {
            "stream": stream.id,
            "table_id": stream.table,
            "in_journal": beginning.in_journal,
            "record": beginning.text,
            "after": beginning.after,
            "after_digest": beginning.after_digest,
            "last": beginning.after,
            "season": season_id,
            "begun": begun,
            "clock_wrong": clock_wrong,
            "game": header.game,
            "edition": header.edition,
            "players": header.players,
            "rules_version": header.rules_version,
            "status": RUNNING,
            "proof": replay.proof,
            "why": replay.why,
            "superseded": copy,
            "unit": replay.unit,
            "length_us": 0,
            "ended": ended,
        }
        made = self.connection.execute(games.insert().values(values).returning(games)).mappings().one()
        row = cast("Mapping[str, Any]", made)
        stream.game_id = row["id"]
        game = self._games[stream.id] = OpenGame(row, replay, 0, beginning.after, header.at_us)
        return game, clock_wrong

    def _begin_of_previous(self, stream: JournalBranch, in_journal: int) -> int:
        """Return when the latest game with a right clock began, of those that the table played before the game with
        this number in its journal: in any branch of that journal, or in an earlier journal, on another card."""
        of_it = [each.id for each in self._streams[stream.table] if each.journal == stream.journal]
        in_it = and_(games.c.stream.in_(of_it), games.c.in_journal < in_journal)
        query = select(games.c.begun, games.c.record).where(
            games.c.table_id == stream.table, games.c.clock_wrong.is_(False), or_(in_it, games.c.stream < min(of_it))
        )
        for row in self.connection.execute(query.order_by(games.c.begun.desc()).limit(_LOOKED_BACK)):
            if decode_beginning(row.record, 0, "").header.begun_utc is not None:
                return row.begun
        return EARLIEST

    def _known_seasons(self) -> list[_Season]:
        """Return all seasons, the latest first."""
        if self._seasons is None:
            query = select(seasons).order_by(seasons.c.begins.desc())
            self._seasons = [
                _Season(row.id, row.begins, row.ends, row.closed is not None) for row in self.connection.execute(query)
            ]
        return self._seasons

    def _season_at(self, when: int) -> _Season:
        for season in self._known_seasons():
            if season.begins <= when < season.ends:
                return season
        raise SeasonMissing(when)

    def _season_of_now(self) -> int:
        """Return the current season, or, if the clock was set back into a closed one, the first that isn't closed."""
        season = self._season_at(self.now)
        if season.closed:
            season = self._season_at(max(each.ends for each in self._known_seasons() if each.closed))
        return season.id

    def _supersede(self, stream: JournalBranch, beginning: GameBeginning) -> tuple[bool, int | None]:
        """Decide how a game counts that an earlier branch has as well: it counts once, as the later branch has it, or
        as it ended in a season that was closed. Returns whether the earlier one counts, and when the game ended
        first."""
        earlier = [
            each.id
            for each in self._streams[stream.table]
            if each.journal == stream.journal and each.branch < stream.branch
        ]
        same = (
            games.c.stream.in_(earlier),
            games.c.in_journal == beginning.in_journal,
            games.c.record == beginning.text,
            games.c.superseded.is_(False),
        )
        closed = [each.id for each in self._known_seasons() if each.closed]
        stay = select(games.c.id).where(*same, *HAS_VALID_END, games.c.season.in_(closed))
        if self.connection.execute(stay).first() is not None:
            return True, None
        self._superseded.append(same)
        return False, self.connection.execute(select(func.min(games.c.ended)).where(*same)).scalar()
