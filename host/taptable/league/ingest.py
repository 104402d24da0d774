"""What tables send, into the database: each message is checked, and several tables' batches go into one transaction
with the new positions of their journals, if the leases of the tables' shards still hold. What was there already, came
out of order, or can't be, is answered with the position that stands, and hurts nobody else: where a transaction fails,
each of its tables is taken in by itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Row, select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from taptable.league import leases
from taptable.league.batches import Damaged, read_batch
from taptable.league.database import writing
from taptable.league.intake import Intake, SeasonMissing
from taptable.league.leases import Ousted
from taptable.league.members import take_in_member
from taptable.league.proving import Replays
from taptable.league.schema import tables
from taptable.league.seasons import begin_season
from taptable.memory.digest import BEGINNING
from taptable.uplink.messages import (
    VERSION,
    BadMessage,
    Batch,
    Confirmed,
    MemberSaid,
    Position,
    Topics,
    Where,
    read,
    signed,
    table_of,
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Message:
    """A message at a topic: one that came, or one to be published, retained."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Holder:
    """A worker and the shards that it holds, with their fencing numbers."""

    owner: str
    fences: Mapping[int, int]


@dataclass(slots=True)
class Taken:
    """What came of messages: the answers, and the names of games of which some ended, or count otherwise now."""

    answers: list[Message]
    ended: set[str]


class Ingest:
    """Takes in messages, one call at a time. `now_ms` is the time in ms of UTC."""

    def __init__(self, engine: Engine, season_months: int, now_ms: Callable[[], int]) -> None:
        self._engine = engine
        self._months = season_months
        self._now_ms = now_ms
        self._replays = Replays()

    def take(self, messages: Sequence[Message], holder: Holder) -> Taken:
        """Store what these say, and answer them. `Ousted` if a shard of theirs is somebody else's by now; SQLAlchemy's
        errors if the database can't be reached: then nothing is stored, or what is stored isn't answered yet."""
        by_table: dict[str, list[Message]] = {}
        for message in messages:
            by_table.setdefault(table_of(message.topic), []).append(message)
        if not by_table:
            return Taken([], set())
        try:
            return self._take(by_table, holder)
        except Exception as error:
            if isinstance(error, Ousted) or is_away(error):
                raise
            _log.warning("%d tables are taken in one by one: %s", len(by_table), error)
        taken = Taken([], set())
        for table, of_one in by_table.items():
            try:
                alone = self._take({table: of_one}, holder)
            except Exception as error:
                if isinstance(error, Ousted) or is_away(error):
                    raise
                _log.exception("what table %s sends can't be taken in", table)
                self._remark(table, error)
                continue
            taken.answers += alone.answers
            taken.ended |= alone.ended
        return taken

    def positions(self, shards: Iterable[int]) -> list[Message]:
        """The confirmations of all tables of these shards as they stand: a broker may have forgotten them."""
        with writing(self._engine) as connection:
            known = _tables(connection, tables.c.shard.in_(list(shards)))
            intake = Intake(connection, known, self._replays, self._now_ms())
            return [
                _answer(row, Position(stream.journal, stream.number, stream.digest), stream.branch, "")
                for row in known.values()
                if row.revoked is None and (stream := intake.last_stream(row.id)) is not None
            ]

    def _take(self, by_table: Mapping[str, Sequence[Message]], holder: Holder) -> Taken:
        while True:
            try:
                with writing(self._engine) as connection:
                    return self._take_in(connection, by_table, holder)
            except SeasonMissing as missing:
                begin_season(self._engine, missing.when, self._months)

    def _take_in(self, connection: Connection, by_table: Mapping[str, Sequence[Message]], holder: Holder) -> Taken:
        shards = sorted({leases.shard_of(table) for table in by_table})
        leases.check(connection, holder.owner, {shard: holder.fences.get(shard, -1) for shard in shards})
        known = _tables(connection, tables.c.id.in_(by_table))
        intake = Intake(connection, known, self._replays, self._now_ms())
        answers: dict[tuple[str, str], Message] = {}  # of several to a journal, the last one says it all
        for table, messages in by_table.items():
            row = known.get(table)
            for message in messages if row is not None else ():
                assert row is not None
                answer = self._hear(intake, row, message)
                if answer is not None:
                    journal = answer.position.journal
                    answers[table, journal] = _answer(row, answer.position, answer.branch, answer.remark)
        intake.store()
        return Taken(list(answers.values()), intake.ended)

    def _hear(self, intake: Intake, table: Row[tuple[object, ...]], message: Message) -> Confirmed | None:
        """What a message is answered with."""
        topics, key = Topics(table.id), bytes.fromhex(table.key)
        try:
            if message.topic == topics.entries:
                batch = read(message.payload, message.topic, key, Batch)
                return self._refused(batch.position.journal, table) or _take_batch(intake, table.id, batch)
            if message.topic == topics.where:
                where = read(message.payload, message.topic, key, Where)
                if not where.known:
                    raise BadMessage(f"{message.topic}: no position is known there")
                return self._refused(where.known[0].journal, table) or _find(intake, table.id, where)
            if message.topic == topics.members and table.revoked is None:
                member = read(message.payload, message.topic, key, MemberSaid)
                take_in_member(intake.connection, table.club, member, intake.now)
        except BadMessage as error:
            intake.remark(table.id, "damaged", str(error))
        return None

    def _refused(self, journal: str, table: Row[tuple[object, ...]]) -> Confirmed | None:
        if table.revoked is None:
            return None
        return Confirmed(VERSION, Position(journal, 0, BEGINNING), 0, "revoked")

    def _remark(self, table: str, error: Exception) -> None:
        with writing(self._engine) as connection:
            intake = Intake(connection, _tables(connection, tables.c.id == table), self._replays, self._now_ms())
            intake.remark(table, "damaged", f"{type(error).__name__}: {error!s:.400}")
            intake.store()


def is_away(error: Exception) -> bool:
    """Is it the database that can't do its work now, whatever it is asked?"""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError)


def _take_batch(intake: Intake, table: str, batch: Batch) -> Confirmed:
    """A batch onto the position that stands, or why not."""
    said = batch.position
    stream = intake.stream(table, said.journal)
    if stream is None:
        if (said.number, said.digest, batch.branch) != (0, BEGINNING, 0):
            return Confirmed(VERSION, Position(said.journal, 0, BEGINNING), 0, "unknown-journal")
        stream = intake.begin_stream(table, said.journal, Position(said.journal, 0, BEGINNING), 0)
    if batch.branch != stream.branch or said.number < stream.number:
        return stream.confirmed("")  # sent again, or an older branch
    if said.number > stream.number:
        return stream.confirmed("gap")
    if said.digest != stream.digest:
        intake.remark(table, "diverged", f"after entry {said.number} of journal {said.journal}")
        return stream.confirmed("diverged")
    try:
        return stream.confirmed(intake.advance(stream, read_batch(batch, stream.game_id is not None)))
    except Damaged as damage:
        intake.remark(table, damage.remark, str(damage))
        return stream.confirmed(damage.remark)


def _find(intake: Intake, table: str, where: Where) -> Confirmed:
    """Where the table is told to go on: at the first of the known positions that is stored too. Where that isn't the
    one that stands, the journal goes on from there in another branch, as a restored backup does. Of who names
    the journal's end alone, nothing is decided: they hear what stands, and look whether they have that too."""
    journal = where.known[0].journal
    stream = intake.stream(table, journal)
    if stream is None:
        return Confirmed(VERSION, Position(journal, 0, BEGINNING), 0, "")
    stands = Position(journal, stream.number, stream.digest)
    if stands in where.known or len(where.known) == 1:
        return stream.confirmed("")
    stored = intake.beginnings(table, journal) | {(0, BEGINNING)}
    found = next((each for each in where.known if (each.number, each.digest) in stored), None)
    if found is None:
        return stream.confirmed("diverged")
    intake.remark(table, "diverged", f"journal {journal} goes on after entry {found.number} in another way")
    return intake.begin_stream(table, journal, found, stream.branch + 1).confirmed("diverged")


def _tables(connection: Connection, which: object) -> dict[str, Row[tuple[object, ...]]]:
    return {row.id: row for row in connection.execute(select(tables).where(which))}  # pyright: ignore[reportArgumentType]


def _answer(table: Row[tuple[object, ...]], position: Position, branch: int, remark: str) -> Message:
    topic = Topics(table.id).confirmed
    confirmed = Confirmed(VERSION, position, branch, remark)
    return Message(topic, signed(confirmed, topic, bytes.fromhex(table.key)))
