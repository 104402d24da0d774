"""Simulated tables of a league, many in one process: each replays recorded games at a steady pace, signs its batches
with its key, and sends the unconfirmed entries: one batch after the other."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from league.simulated_games import SALT
from msgspec import Raw
from taptable.core.tag_notices import MembersSeated
from taptable.league.tables import LeagueTable
from taptable.memory.digest import EMPTY_DIGEST, RecordText, digest_after, entry_text
from taptable.memory.records import Entry, to_json
from taptable.referee.lines import announcement_line
from taptable.uplink.messages import (
    MAX_RECORDS,
    VERSION,
    Batch,
    Confirmed,
    Position,
    Topics,
    decode_signed,
    encode_signed,
)

from bench.league_games import ENTRY, Games, Recorded, entries_of
from bench.mqtt_wire import Connection, Refused

AT_ONCE = 50
"""Tables that connect at the same time."""
RETRY_S = 0.5
UNANSWERED_S = 10.0
"""A batch that isn't confirmed by then is sent again."""
HOST = "127.0.0.1"
LOOK_S = 0.1
"""Seconds between two looks for tables that have something to send."""


@dataclass(slots=True)
class Table:
    """A table's journal from its last confirmed record on, and its members, who belong to no other table."""

    about: LeagueTable
    games: Games
    members: tuple[str, ...]
    journal: str = field(default_factory=lambda: secrets.token_hex(16))
    number: int = 0
    digest: str = EMPTY_DIGEST
    game: int = 0
    confirmed: Position = field(init=False)
    branch: int = 0
    sent_s: float | None = None
    """The time at which the unconfirmed batch was sent."""
    sent: int = 0
    """The last entry in it."""
    _unconfirmed: deque[tuple[int, RecordText, str, float]] = field(
        default_factory=lambda: deque[tuple[int, RecordText, str, float]]()
    )
    """Records that aren't confirmed, each with its number (a header with that of the entry after), the digest after it,
    and when it was written."""
    _remaining_entries: Iterator[RecordText] = field(default_factory=lambda: iter(()))

    def __post_init__(self) -> None:
        self.confirmed = Position(self.journal, 0, EMPTY_DIGEST)

    def write_entries(self, count: int, now_s: float) -> None:
        """Write `count` more entries."""
        for _ in range(count):
            text = next(self._remaining_entries, None)
            if text is None:
                text = self._begin(self.games.next(), now_s)
            self.number += 1
            self._write(text, self.number, now_s)

    def unsent_times(self) -> list[int]:
        """The table times of the entries that haven't been sent yet."""
        texts = (text for number, text, _, _ in self._unconfirmed if number > self.sent and text.startswith(ENTRY))
        return [int(text.split(",", 3)[2]) for text in texts]

    def batch(self) -> Batch | None:
        """The batch that follows the confirmed records; None if there is nothing."""
        texts: list[Raw] = []
        for number, text, _, _ in self._unconfirmed:
            if len(texts) == MAX_RECORDS or (len(texts) == MAX_RECORDS - 1 and text.startswith('["game"')):
                break
            texts.append(Raw(text.encode()))
            self.sent = number
        return Batch(VERSION, self.confirmed, self.branch, tuple(texts)) if texts else None

    def confirm(self, confirmed: Confirmed) -> list[float]:
        """The league has all up to there; when each entry was written that it didn't have yet."""
        position = confirmed.position
        if position.journal != self.journal or position.number < self.confirmed.number:
            return []
        written_s: list[float] = []
        digest = self.confirmed.digest
        while self._unconfirmed and self._unconfirmed[0][0] <= position.number:
            _, text, digest, at_s = self._unconfirmed.popleft()
            if not text.startswith('["game"'):
                written_s.append(at_s)
        if digest != position.digest:
            raise AssertionError(f"{self.about.id}: after {position.number} the league has another digest: {confirmed}")
        self.confirmed, self.branch = position, confirmed.branch
        return written_s

    @property
    def oldest_written_s(self) -> float | None:
        """The time at which the first unconfirmed entry was written."""
        return self._unconfirmed[0][3] if self._unconfirmed else None

    def _begin(self, recorded: Recorded, now_s: float) -> RecordText:
        """Begin a game; its first entry says who sits where."""
        self.game += 1
        header = to_json(["game", self.game, list(recorded.header)])
        assert header is not None
        self._write(header, self.number + 1, now_s)
        self._remaining_entries = entries_of(recorded, self.number + 1)
        seated = MembersSeated(0, self.members[: recorded.players])
        return entry_text(self.number + 1, Entry(0, "note", announcement_line(seated)), SALT)

    def _write(self, text: RecordText, number: int, now_s: float) -> None:
        self.digest = digest_after(self.digest, text)
        self._unconfirmed.append((number, text, self.digest, now_s))


@dataclass
class TableFleet:
    """All simulated tables of a process. `entries_per_s` is how many entries all of them write in a second together;
    each sends at most one batch in `send_interval_s`."""

    tables: Sequence[Table]
    port_of: Callable[[int], int]
    entries_per_s: float
    send_interval_s: float = 1.0
    confirmed: int = 0
    waits_s: list[float] = field(default_factory=list[float])
    """From when each entry was written until it was confirmed, since this was last emptied."""
    written_s: dict[tuple[str, int], float] | None = None
    """The time at which each table's entry of a table time was written last, if that is needed."""
    remarks: dict[str, int] = field(default_factory=dict[str, int])
    _connections: dict[str, Connection] = field(default_factory=dict[str, Connection])

    async def connect(self) -> None:
        """Connect all tables; they stay connected until `disconnect`."""
        gate = asyncio.Semaphore(AT_ONCE)
        self._connection_tasks = [
            asyncio.create_task(self._keep_connected(place, gate)) for place in range(len(self.tables))
        ]
        while len(self._connections) < len(self.tables):
            await asyncio.sleep(LOOK_S)

    async def play(self, for_s: float) -> None:
        """Let all tables play for `for_s`."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        each_s = self.entries_per_s / len(self.tables)
        written = [0] * len(self.tables)
        sends_s = [began_s + self.send_interval_s * place / len(self.tables) for place in range(len(self.tables))]
        while (now_s := loop.time()) < began_s + for_s:
            for place, table in enumerate(self.tables):
                if now_s < sends_s[place]:
                    continue
                sends_s[place] += self.send_interval_s
                due = int((now_s - began_s) * each_s) - written[place]
                written[place] += due
                table.write_entries(due, now_s)
                if self.written_s is not None:
                    self.written_s |= {(table.about.id, at_us): now_s for at_us in table.unsent_times()}
                self._send(table, now_s)
            await asyncio.sleep(LOOK_S)

    async def drain(self, within_s: float) -> None:
        """Wait until everything that was written is confirmed, or until the time is over."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + within_s
        while self.backlog and loop.time() < end_s:
            for table in self.tables:
                self._send(table, loop.time())
            await asyncio.sleep(LOOK_S)

    async def disconnect(self) -> None:
        """Disconnect all tables."""
        for each in self._connection_tasks:
            each.cancel()
        await asyncio.gather(*self._connection_tasks, return_exceptions=True)

    @property
    def written(self) -> int:
        """Entries that were written."""
        return sum(table.number for table in self.tables)

    @property
    def backlog(self) -> int:
        """Entries that were written and aren't confirmed."""
        return self.written - self.confirmed

    def longest_wait_s(self) -> float:
        """The longest time that an entry has waited."""
        now_s = asyncio.get_running_loop().time()
        return max(
            (now_s - table.oldest_written_s for table in self.tables if table.oldest_written_s is not None), default=0.0
        )

    def _send(self, table: Table, now_s: float) -> None:
        connection = self._connections.get(table.about.id)
        if connection is None or (table.sent_s is not None and now_s < table.sent_s + UNANSWERED_S):
            return
        batch = table.batch()
        if batch is not None:
            table.sent_s = now_s
            topic = Topics(table.about.id).entries
            connection.publish(topic, encode_signed(batch, topic, bytes.fromhex(table.about.key)))

    def _hear(self, table: Table, topic: str, payload: bytes) -> None:
        confirmed = decode_signed(payload, topic, bytes.fromhex(table.about.key), Confirmed)
        if confirmed.remark:
            self.remarks[confirmed.remark] = self.remarks.get(confirmed.remark, 0) + 1
        written_s = table.confirm(confirmed)
        now_s = asyncio.get_running_loop().time()
        self.waits_s += [now_s - each for each in written_s]
        self.confirmed += len(written_s)
        if table.confirmed.number >= table.sent or confirmed.remark:
            table.sent_s = None

    async def _keep_connected(self, place: int, gate: asyncio.Semaphore) -> None:
        while True:
            try:
                await self._serve_connection(self.tables[place], self.port_of(place), gate)
            except (Refused, OSError):
                await asyncio.sleep(RETRY_S)

    async def _serve_connection(self, table: Table, port: int, gate: asyncio.Semaphore) -> None:
        """Serve one connection until it is lost."""
        id_ = table.about.id
        connection = Connection(
            (id_, table.about.key),
            Topics(id_).confirmed,
            lambda topic, payload: self._hear(table, topic, payload),
        )
        try:
            async with gate:
                await asyncio.get_running_loop().create_connection(lambda: connection, HOST, port)
                await connection.ready
            table.sent_s = None
            self._connections[id_] = connection
            await connection.lost
        finally:
            self._connections.pop(id_, None)
            connection.close()
