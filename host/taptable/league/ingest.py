"""Stores the messages of tables: verifies their signatures, and puts several tables' batches into one transaction with
the new positions of their journals, if the leases of the tables' shards still hold. Batches that are stored already,
arrive out of order, or are invalid are answered with the stored position. No table harms another: where a transaction
fails, each of its tables is stored by itself, and one that fails alone is suspended; a transaction and each table in it
have limited time, and messages that remain wait for the next one. Must not know the broker; `worker` receives and
publishes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace
from sqlalchemy import Connection, Engine, Row, select

from taptable.core.errors import LeagueError
from taptable.league import leases
from taptable.league.away import offer_code
from taptable.league.batches import Damaged, GameBeginning, Numbered, read_batch
from taptable.league.database import is_unavailable, write_transaction
from taptable.league.intake import Intake, SeasonMissing, TooMany
from taptable.league.leases import LeaseLost
from taptable.league.limits import TRANSACTION_OF_A_TABLE_S, TRANSACTION_S, suspension_ms
from taptable.league.members import store_member
from taptable.league.schema import tables
from taptable.league.seasons import begin_season
from taptable.league.storing import JournalBranch, StalePosition, store_remarks
from taptable.league.verification import Replays, printable
from taptable.memory.digest import EMPTY_DIGEST
from taptable.uplink.messages import (
    VERSION,
    AwayCodeShown,
    BadMessage,
    Batch,
    Confirmed,
    MemberAway,
    MemberSaid,
    Position,
    Topics,
    Where,
    decode_signed,
    encode_signed,
    table_of,
)

_log = logging.getLogger(__name__)


class DatabaseAway(LeagueError):
    """The database can't do any work now."""


@dataclass(frozen=True, slots=True)
class MqttMessage:
    """A message at a topic: received, or to be published and retained."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Holder:
    """A worker and the shards that it holds, with their fencing numbers."""

    owner: str
    fences: Mapping[int, int]


@dataclass(slots=True)
class IngestOutcome:
    """The outcome of processing messages: the answers, and the names of games of which some ended, or count differently
    now. There was no time for `unprocessed`, nor for `deferred`, of tables that had used up their share. `spent_s` is
    the time that each table took."""

    answers: list[MqttMessage] = field(default_factory=list[MqttMessage])
    games_to_rate: set[str] = field(default_factory=set[str])
    unprocessed: list[MqttMessage] = field(default_factory=list[MqttMessage])
    deferred: list[MqttMessage] = field(default_factory=list[MqttMessage])
    spent_s: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, other: IngestOutcome) -> None:
        """Add the outcome of other messages."""
        self.answers += other.answers
        self.games_to_rate |= other.games_to_rate
        self.unprocessed += other.unprocessed
        self.deferred += other.deferred
        self.spent_s |= other.spent_s


@dataclass(frozen=True, slots=True)
class _Suspension:
    """A suspension of a table whose messages can't be stored: until when, and how many there have been in a row. (The
    suspension of a table that floods is `TableSubscriptions`'.)"""

    until_ms: int
    times: int


TableMessage = Batch | Where | MemberSaid | AwayCodeShown | MemberAway | BadMessage
ByTable = Mapping[str, Sequence[MqttMessage]]


class Ingest:
    """Processes messages, one call at a time. `now_ms` returns the time in ms of UTC, `monotonic_s` seconds to measure
    what takes too long."""

    def __init__(
        self,
        engine: Engine,
        season_months: int,
        now_ms: Callable[[], int],
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._months = season_months
        self._now_ms = now_ms
        self._monotonic_s = monotonic_s
        self._replays = Replays()
        self._suspended: dict[str, _Suspension] = {}

    def process(self, messages: Sequence[MqttMessage], holder: Holder) -> IngestOutcome:
        """Store these messages and return the answers. Raises `LeaseLost` if somebody else holds a shard of theirs by
        now, `DatabaseAway` if the database can't work: then nothing is stored, or what is stored isn't answered yet.

        Messages of a suspended table are dropped without an answer, so the table sends them again. After the suspension
        its next messages are stored in a transaction of their own: success ends the suspension, and another failure
        begins a longer one."""
        by_table: dict[str, list[MqttMessage]] = {}
        one_by_one: dict[str, list[MqttMessage]] = {}
        for message in messages:
            table = table_of(message.topic)
            suspension = self._suspended.get(table)
            if suspension is None:
                by_table.setdefault(table, []).append(message)
            elif self._now_ms() >= suspension.until_ms:
                one_by_one.setdefault(table, []).append(message)
        outcome = IngestOutcome()
        try:
            outcome.add(self._process_tables(by_table, holder))
        except Exception as error:
            _raise_unless_of_a_table(error)
            _log.warning(
                "Transaction failed (%s): storing %d tables one by one", str(error).partition("\n")[0], len(by_table)
            )
            one_by_one = {**by_table, **one_by_one}
        for table, messages_of_table in one_by_one.items():
            self._process_alone(table, messages_of_table, holder, outcome)
        return outcome

    def _process_alone(
        self, table: str, messages: Sequence[MqttMessage], holder: Holder, outcome: IngestOutcome
    ) -> None:
        try:
            outcome.add(self._process_tables({table: messages}, holder))
        except Exception as error:
            _raise_unless_of_a_table(error)
            if isinstance(error, StalePosition):
                _log.warning("Batch not stored (table %s: %s)", table, error)  # the table is asked for the batch again
            else:
                self._suspend(table, error)
        else:
            self._suspended.pop(table, None)

    def _suspend(self, table: str, error: Exception) -> None:
        times = self._suspended[table].times + 1 if table in self._suspended else 1
        for_ms = suspension_ms(times)
        self._suspended[table] = _Suspension(self._now_ms() + for_ms, times)
        _log.error(
            "Table suspended, its messages can't be stored (%s): tried again after %d s",
            table,
            for_ms // 1000,
            exc_info=error,
        )
        self.remark(table, "put-aside", f"{type(error).__name__}: {error!s:.400}")

    def remark(self, table: str, key: str, about: str) -> None:
        """Store a remark about a table. Raises `DatabaseAway`."""
        try:
            with write_transaction(self._engine) as connection:
                store_remarks(connection, {(table, key): (1, printable(about))}, self._now_ms() // 1000)
        except Exception as error:
            _raise_unless_of_a_table(error)
            _log.exception("Remark not stored (table %s, %s)", table, key)

    def all_confirmations(self, shards: Iterable[int]) -> list[MqttMessage]:
        """Return the current confirmations of all tables in these shards, since a broker may have forgotten them."""
        with write_transaction(self._engine) as connection:
            known = _tables(connection, tables.c.shard.in_(list(shards)))
            intake = Intake(connection, dict.fromkeys(known, ()), self._replays, self._now_ms())
            return [
                _answer(row, stream.confirmation(""))
                for row in known.values()
                if row.revoked is None and (stream := intake.last_stream(row.id)) is not None
            ]

    def _process_tables(self, by_table: ByTable, holder: Holder) -> IngestOutcome:
        while by_table:
            try:
                with write_transaction(self._engine) as connection:
                    return self._store_tables(connection, by_table, holder)
            except SeasonMissing as missing:
                begin_season(self._engine, missing.when, self._months)
        return IngestOutcome()

    def _store_tables(self, connection: Connection, by_table: ByTable, holder: Holder) -> IngestOutcome:
        shards = sorted({leases.shard_of(table) for table in by_table})
        leases.check(connection, holder.owner, {shard: holder.fences.get(shard, -1) for shard in shards})
        known = _tables(connection, tables.c.id.in_(by_table))
        decoded = {
            table: [(each, _read(known[table], each)) for each in by_table[table]]
            for table in by_table
            if table in known
        }
        journals = {
            table: {journal for _, each in pairs for journal in _journals(each)} for table, pairs in decoded.items()
        }
        intake = Intake(connection, journals, self._replays, self._now_ms(), self._monotonic_s)
        answers: dict[tuple[str, str], Confirmed] = {}  # the last answer to a journal includes all before it
        outcome = IngestOutcome()
        end_s = self._monotonic_s() + TRANSACTION_S
        for table, pairs in decoded.items():
            now_s = self._monotonic_s()
            if now_s >= end_s:
                outcome.unprocessed += [message for message, _ in pairs]
                continue
            until_s = min(end_s, now_s + TRANSACTION_OF_A_TABLE_S)
            for index, (_, content) in enumerate(pairs):
                answer, complete = self._handle_message(intake, known[table], content, until_s)
                if answer is not None:
                    answers[table, answer.position.journal] = answer
                if self._monotonic_s() >= until_s:
                    outcome.deferred += [message for message, _ in pairs[index + complete :]]
                    break
            outcome.spent_s[table] = self._monotonic_s() - now_s
        intake.store()
        for (table, _), answer in answers.items():
            remark = answer.remark or ("plays-away" if table in intake.tables_without_leave else "")
            outcome.answers.append(_answer(known[table], replace(answer, remark=remark)))
        outcome.games_to_rate = intake.games_to_rate
        return outcome

    def _handle_message(
        self, intake: Intake, table: Row[tuple[object, ...]], message: TableMessage, until_s: float
    ) -> tuple[Confirmed | None, bool]:
        """Process a message until `until_s`. Returns the answer, and whether all of the message was processed."""
        match message:
            case Batch() | Where() if table.revoked is not None:
                (journal,) = _journals(message)
                return Confirmed(VERSION, Position(journal, 0, EMPTY_DIGEST), 0, "revoked"), True
            case Batch():
                return _append_batch(intake, table.id, message, until_s)
            case Where():
                return _find(intake, table.id, message), True
            case MemberSaid() | AwayCodeShown() | MemberAway():
                if table.revoked is None:
                    _handle_member_message(intake, table, message)
            case BadMessage():
                intake.remark(table.id, "damaged", str(message))
        return None, True


def _handle_member_message(
    intake: Intake, table: Row[tuple[object, ...]], message: MemberSaid | AwayCodeShown | MemberAway
) -> None:
    connection, now = intake.connection, intake.now
    match message:
        case MemberSaid():
            key, moved = store_member(connection, table.club, table.id, message, now)
            about = f"member {message.id}"
            if moved:
                intake.members_to_correct.add(message.id)
        case AwayCodeShown():
            key, about = offer_code(connection, table.id, message, now), ""
        case MemberAway():
            intake.leave_requests.append((table.club, table.id, message))
            return
    if key:
        intake.remark(table.id, key, about)


def _raise_unless_of_a_table(error: Exception) -> None:
    """Raise an error again if it can't be blamed on a table, as `DatabaseAway` if the database can't work."""
    if isinstance(error, LeaseLost | DatabaseAway):
        raise error
    if is_unavailable(error):
        raise DatabaseAway(f"the database is not available: {error!s:.400}") from error


def _read(table: Row[tuple[object, ...]], message: MqttMessage) -> TableMessage:
    """Decode a message of a table, into a `BadMessage` if it is invalid."""
    topics, key = Topics(table.id), bytes.fromhex(table.key)
    try:
        match message.topic:
            case topics.entries:
                return decode_signed(message.payload, message.topic, key, Batch)
            case topics.where:
                where = decode_signed(message.payload, message.topic, key, Where)
                return where if where.known else BadMessage(f"{message.topic}: no position is known there")
            case topics.members:
                return decode_signed(message.payload, message.topic, key, MemberSaid)
            case topics.away_codes:
                return decode_signed(message.payload, message.topic, key, AwayCodeShown)
            case topics.away:
                return decode_signed(message.payload, message.topic, key, MemberAway)
            case _:
                return BadMessage(f"{message.topic}: no topic of a table")
    except BadMessage as error:
        return error


def _journals(message: TableMessage) -> tuple[str, ...]:
    """Return the journal that a message is about, as a tuple that is empty if there is none."""
    match message:
        case Batch():
            return (message.position.journal,)
        case Where():
            return (message.known[0].journal,)
        case _:
            return ()


def _append_batch(intake: Intake, table: str, batch: Batch, until_s: float) -> tuple[Confirmed, bool]:
    """Append a batch to its stream until `until_s`. Returns the answer, and whether all of the batch was processed."""
    position = batch.position
    stream = intake.stream(table, position.journal)
    try:
        if stream is None:
            if (position.number, position.digest, batch.branch) != (0, EMPTY_DIGEST, 0):
                return Confirmed(VERSION, Position(position.journal, 0, EMPTY_DIGEST), 0, "unknown-journal"), True
            stream = intake.begin_stream(table, position.journal, Position(position.journal, 0, EMPTY_DIGEST), 0)
        if batch.branch != stream.branch:
            return stream.confirmation(""), True  # the batch is of an older branch
        if position.number > stream.number:
            return stream.confirmation("gap"), True
        if position.number < stream.number:
            return _append_rest(intake, stream, batch, until_s)
        if position.digest != stream.digest:
            intake.remark(table, "diverged", f"after entry {position.number} of journal {position.journal}")
            return stream.confirmation("diverged"), True
        records = read_batch(batch, stream.game_id is not None)
        return stream.confirmation(intake.advance(stream, records, until_s)), stream.number == _last(records)
    except TooMany:
        return Confirmed(VERSION, Position(position.journal, 0, EMPTY_DIGEST), 0, "too-many-journals"), True
    except Damaged as damage:
        assert stream is not None
        intake.remark(table, damage.remark, str(damage))
        return stream.confirmation(damage.remark), True


def _append_rest(intake: Intake, stream: JournalBranch, batch: Batch, until_s: float) -> tuple[Confirmed, bool]:
    """Append the new end of a batch of which the beginning is stored: it was sent again, or there wasn't time for
    all."""
    records = read_batch(batch, in_game=True)
    stored = (stream.number, stream.digest)
    for place, record in enumerate(records[:-1], 1):
        if isinstance(record, Numbered) and (record.number, record.digest) == stored:
            remark = intake.advance(stream, records[place:], until_s)
            return stream.confirmation(remark), stream.number == _last(records)
    return stream.confirmation(""), True


def _last(records: Sequence[GameBeginning | Numbered]) -> int:
    """Return the number of the entry with which a batch ends."""
    last = records[-1]
    assert isinstance(last, Numbered)
    return last.number


def _find(intake: Intake, table: str, where: Where) -> Confirmed:
    """Answer from where the table continues: from the first of its known positions that is stored, too. If that isn't
    the end of the stored journal, the journal continues from there in another branch, as a restored backup does. A
    question with the journal's end alone changes nothing: the answer is the stored position, and the table looks
    whether it has that."""
    journal = where.known[0].journal
    stream = intake.stream(table, journal)
    if stream is None:
        return Confirmed(VERSION, Position(journal, 0, EMPTY_DIGEST), 0, "")
    stands = Position(journal, stream.number, stream.digest)
    if stands in where.known or len(where.known) == 1:
        return stream.confirmation("")
    stored = intake.beginnings(table, journal, where.known) | {(0, EMPTY_DIGEST)}
    found = next((each for each in where.known if (each.number, each.digest) in stored), None)
    if found is None:
        return stream.confirmation("diverged")
    try:
        begun = intake.begin_stream(table, journal, found, stream.branch + 1)
    except TooMany:
        return stream.confirmation("too-many-journals")
    intake.remark(table, "diverged", f"journal {journal} goes on after entry {found.number} in another way")
    return begun.confirmation("diverged")


def _tables(connection: Connection, which: object) -> dict[str, Row[tuple[object, ...]]]:
    return {row.id: row for row in connection.execute(select(tables).where(which))}  # pyright: ignore[reportArgumentType]


def _answer(table: Row[tuple[object, ...]], confirmed: Confirmed) -> MqttMessage:
    topic = Topics(table.id).confirmed
    return MqttMessage(topic, encode_signed(confirmed, topic, bytes.fromhex(table.key)))
