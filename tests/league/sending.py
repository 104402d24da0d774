"""A table and the league's ingest face to face: what the table sends, and the answers, without a broker."""

from __future__ import annotations

from dataclasses import dataclass, field

from league.simulated_games import Journal
from msgspec import Struct
from sqlalchemy import Connection, Engine, delete, select, update
from taptable.league import leases
from taptable.league.database import read_transaction, write_transaction
from taptable.league.ingest import Holder, Ingest, MqttMessage
from taptable.league.live_tables import table_list
from taptable.league.schema import entries, games, streams, workers
from taptable.league.schema import leases as leases_
from taptable.league.tables import LeagueTable, add_table
from taptable.memory.digest import EMPTY_DIGEST, digest_after
from taptable.uplink.messages import Confirmed, Topics, decode_signed, encode_signed
from taptable.words import LANGUAGES, Words

NOW = 1_811_536_000
"""In May 2027."""


@dataclass
class Clock:
    """A clock that advances with each call."""

    ms: int = NOW * 1000

    def __call__(self) -> int:
        self.ms += 1
        return self.ms


def hold_all(engine: Engine, owner: str = "w") -> Holder:
    """A worker that holds all shards, as after a takeover: their former holder was silent for too long, and doesn't
    know."""
    with write_transaction(engine) as connection:
        connection.execute(update(leases_).values(until_ms=0))
        connection.execute(delete(workers))
        return Holder(owner, leases.renew(connection, owner, 60_000))


@dataclass
class League:
    """A league with a worker of its own, and nothing between it and its tables."""

    engine: Engine
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.ingest = Ingest(self.engine, 12, self.clock, lambda: 0.0)  # however long it takes
        self.holder = hold_all(self.engine)

    def table(self, name: str = "Table 1", club: str = "club") -> Sender:
        """A new table."""
        with write_transaction(self.engine) as connection:
            return Sender(self, add_table(connection, name, club, NOW))

    def deliver(self, *messages: MqttMessage) -> list[MqttMessage]:
        """Deliver the messages, and return the answers."""
        return self.ingest.process(messages, self.holder).answers


@dataclass
class Sender:
    """The part of a table's bridge that matters here."""

    league: League
    table: LeagueTable
    journal: Journal = field(default_factory=Journal)

    @property
    def topics(self) -> Topics:
        return Topics(self.table.id)

    def message(self, said: Struct, topic: str | None = None) -> MqttMessage:
        """A message of its, for its entries unless another topic is named."""
        topic = self.topics.entries if topic is None else topic
        return MqttMessage(topic, encode_signed(said, topic, bytes.fromhex(self.table.key)))

    def answer(self, *messages: MqttMessage) -> Confirmed | None:
        """The last answer to these."""
        answers = self.league.deliver(*messages)
        if not answers:
            return None
        assert answers[-1].topic == self.topics.confirmed
        return decode_signed(answers[-1].payload, self.topics.confirmed, bytes.fromhex(self.table.key), Confirmed)

    def send(self, said: Struct, topic: str | None = None) -> Confirmed | None:
        """The answer to one message."""
        return self.answer(self.message(said, topic))

    def send_all(self, most: int = 100) -> Confirmed:
        """Send everything that the league hasn't got yet, in batches of at most `most` records; return the last
        answer."""
        confirmed = self.send(self.journal.where(), self.topics.where)
        assert confirmed is not None
        if not self.journal.has_position(confirmed.position):
            confirmed = self.send(self.journal.where(whole=True), self.topics.where)
            assert confirmed is not None
        while (number := confirmed.position.number) < self.journal.last:
            assert self.journal.has_position(confirmed.position), confirmed
            confirmed = self.send(self.journal.batch(number, most, confirmed.branch))
            assert confirmed is not None
            assert confirmed.position.number > number, confirmed
        return confirmed


def stored(connection: Connection, table: str) -> dict[tuple[str, int], list[str]]:
    """The records of each branch of a table's journals, as they would follow on each other; each branch's chain of
    digests is looked at."""
    found: dict[tuple[str, int], list[str]] = {}
    for stream in connection.execute(select(streams).where(streams.c.table_id == table)).all():
        kept = connection.execute(select(entries).where(entries.c.stream == stream.id)).all()
        heads = connection.execute(select(games).where(games.c.stream == stream.id)).all()
        lines = [(row.number, 1, row.record) for row in kept]
        lines += [(row.after + 1, 0, row.record) for row in heads]
        assert len({row.number for row in kept}) == len(kept)
        texts = [text for _, _, text in sorted(lines)]
        digest = min(((row.after, row.after_digest) for row in heads), default=(0, EMPTY_DIGEST))[1]
        for text in texts:
            digest = digest_after(digest, text)
        assert digest == stream.digest
        found[stream.journal, stream.branch] = texts
    return found


def remarks(table: Sender) -> dict[str, int]:
    """The keys of a table's remarks, and how often each occurs. Each has a sentence in each language."""
    with read_transaction(table.league.engine) as connection:
        found = next(line for line in table_list(connection) if line.id == table.table.id).remarks
    for remark in found:
        assert all(Words(language).text("league-remark", remark.key) for language in LANGUAGES)
    return {remark.key: remark.times for remark in found}
