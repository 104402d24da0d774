"""A journal, the bridge's way from it through a real Mosquitto, and a tiny league of the tests' own at the other end,
which speaks the protocol and may be made deaf, forgetful and slow."""

from __future__ import annotations

import asyncio
import errno
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
from aiomqtt import Client, MqttError
from deadline import DEADLINE_S
from memory.journal_samples import HEADER
from taptable.api.errors import RequestError
from taptable.api.requests import AwayAsked, MemberSecrets, Request
from taptable.bridge.connection import cancel_all
from taptable.bridge.league_uplink import LeagueUplink, Patience
from taptable.bridge.state_files import UplinkStateFile, league_state_file_of
from taptable.daemon.api.context import ApiContext
from taptable.daemon.api.recorded_games import RecordedGameRequests
from taptable.memory.digest import EMPTY_DIGEST, RecordText, digest_after
from taptable.memory.journal import Journal
from taptable.memory.records import Entry
from taptable.memory.stream import digest_at, records_after
from taptable.uplink.messages import (
    DIVERGED,
    GAP,
    ROOT,
    UNKNOWN_JOURNAL,
    VERSION,
    AwayCodeShown,
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

KEY = bytes(range(32))
SHORT_PATIENCE = Patience(
    retained_s=0.1, answer_s=0.3, confirm_s=0.5, least_pause_s=0.02, longest_pause_s=1.0, revoked_s=0.2, keep_s=0.05
)


class JournalServer:
    """A journal at `path`, and the table's answers about it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_online = True
        self.secrets: dict[str, str] = {}
        self.away: dict[str, Any] = {"codes": [], "play": []}
        self.asked = 0
        """The number of requests for them."""
        self.open()

    def open(self) -> None:
        self.journal = Journal.open(self.path)
        nothing: Any = Mock()
        around = {each.name: nothing for each in fields(ApiContext)}
        self._handlers = RecordedGameRequests(ApiContext(**{**around, "journal": self.journal})).handlers

    def write(self, entries: int, games: int = 0, size: int = 0) -> None:
        """Write `games` new games, and then `entries` entries of `size` bytes."""
        at_us = self.journal.last_at_us()
        if self.journal.last_ids()[0] == 0:
            games = max(games, 1)
        for _ in range(games):
            self.journal.append(replace(HEADER, at_us=at_us), Entry(at_us, "note", {"note": "begun"}))
        written: list[Entry] = []
        for number in range(entries):
            at_us += 1 + random.randrange(1000)
            line = {"at": at_us / 1e6, "tap": f"online#{number % 20}", "pad": 1}
            written.append(Entry(at_us, "observation", line, {"verdict": "accepted", "more": "x" * size}))
        self.journal.append(*written)

    @property
    def texts(self) -> list[RecordText]:
        """All records of the stream."""
        return records_after(self.journal, self.journal.identity.salt, 0, 10**9, 2**40)

    @property
    def last(self) -> int:
        return self.journal.last_ids()[1]

    async def call(self, request: Request) -> dict[str, Any]:
        await asyncio.sleep(0)
        self.asked += isinstance(request, MemberSecrets)
        if not self.is_online:
            raise RequestError("live", "table-away")
        if isinstance(request, MemberSecrets):
            return {"secrets": self.secrets}
        if isinstance(request, AwayAsked):
            return self.away
        return msgspec.json.decode(msgspec.json.encode(self._handlers[type(request)](request, "")))


@dataclass
class Branch:
    """The stored part of a journal from `begins` on."""

    journal: str
    number: int
    begins: Position
    ends: Position
    texts: list[RecordText] = field(default_factory=list[RecordText])
    games: set[Position] = field(default_factory=set[Position])


class Store:
    """A league's storage of one table, and its answers, by the protocol's page and without regard to speed."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self.members: dict[str, MemberSaid] = {}
        self.revoked = False
        self.refused = 0
        self.remark = ""

    def last(self, journal: str) -> Branch | None:
        return next((each for each in reversed(self.branches) if each.journal == journal), None)

    def texts(self, journal: str) -> list[RecordText]:
        """The stored records of a journal, as its last branch has them."""
        branch = self.last(journal)
        return [] if branch is None else [*self._before(branch), *branch.texts]

    def _before(self, branch: Branch) -> list[RecordText]:
        """The records before a branch, which are in another branch, in which a game began there."""
        begins = branch.begins
        if begins.number == 0:
            return []
        other = next(each for each in self.branches if each is not branch and begins in each.games)
        there = next(at for at, text in enumerate(other.texts) if _number_in(text) == begins.number + 1)
        return [*self._before(other), *other.texts[: there - 1]]

    def batch(self, batch: Batch) -> Confirmed:
        at = batch.position
        if self.revoked:
            return Confirmed(VERSION, Position(at.journal, 0, EMPTY_DIGEST), 0, "revoked")
        branch = self.last(at.journal)
        if branch is None:
            beginning = Position(at.journal, 0, EMPTY_DIGEST)
            if (at, batch.branch) != (beginning, 0):
                return Confirmed(VERSION, beginning, 0, UNKNOWN_JOURNAL)
            branch = Branch(at.journal, 0, beginning, beginning)
            self.branches.append(branch)
        remark = self.remark
        if batch.branch == branch.number and at == branch.ends:
            number, digest = at.number, at.digest
            for record in batch.records:
                text = bytes(record).decode()
                kind, name, *_ = msgspec.json.decode(text)
                if kind == "game":
                    branch.games.add(Position(at.journal, number, digest))
                else:
                    assert name == number + 1
                    number = name
                digest = digest_after(digest, text)
                branch.texts.append(text)
            branch.ends = Position(at.journal, number, digest)
        else:
            self.refused += 1
            if batch.branch == branch.number and at.number > branch.ends.number:
                remark = GAP
            elif batch.branch == branch.number and at.number == branch.ends.number:
                remark = DIVERGED
        return Confirmed(VERSION, branch.ends, branch.number, remark)

    def where(self, where: Where) -> Confirmed:
        journal = where.known[0].journal
        beginning = Position(journal, 0, EMPTY_DIGEST)
        if self.revoked:
            return Confirmed(VERSION, beginning, 0, "revoked")
        branch = self.last(journal)
        if branch is None:
            return Confirmed(VERSION, beginning, 0)
        if branch.ends in where.known:
            return Confirmed(VERSION, branch.ends, branch.number)
        stored = {beginning}.union(*(each.games for each in self.branches if each.journal == journal))
        found = next((each for each in where.known if each in stored), None)
        if found is None:
            return Confirmed(VERSION, branch.ends, branch.number, DIVERGED)
        self.branches.append(Branch(journal, branch.number + 1, found, found))
        return Confirmed(VERSION, found, branch.number + 1, DIVERGED)


def _number_in(text: RecordText) -> int | None:
    kind, number, *_ = msgspec.json.decode(text)
    return number if kind == "entry" else None


@dataclass
class NetworkFaults:
    """The probabilities with which a message is lost, doubled, or overtaken by later ones."""

    lost: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    dice: random.Random = field(default_factory=lambda: random.Random(0))

    def delays_s(self) -> list[float]:
        """After how long each copy of a message gets through."""
        copies = 0 if self.dice.random() < self.lost else 2 if self.dice.random() < self.doubled else 1
        return [self.dice.uniform(0, 0.1) if self.dice.random() < self.late else 0.0 for _ in range(copies)]


async def connected(port: int, serve: Callable[[Client], Awaitable[None]]) -> None:
    """Be connected, again and again."""
    listen_to_no_lost_connections()
    while True:
        client = Client("127.0.0.1", port, timeout=1.0, max_inflight_messages=100)
        client.pending_calls_threshold = 1000
        with suppress(MqttError):
            async with client:
                await serve(client)
        await asyncio.sleep(0.02)


def listen_to_no_lost_connections() -> None:
    """A client whose connection is lost while it is entered or left leaves an error that nobody asks for, or watches a
    socket that is closed, of which the loop complains."""
    loop = asyncio.get_running_loop()
    complain = loop.get_exception_handler()
    assert complain is not None

    def listen(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, MqttError) and not (isinstance(error, OSError) and error.errno == errno.EBADF):
            complain(loop, context)

    loop.set_exception_handler(listen)


class TinyLeague:
    """A league of one table, at a broker; messages come to it and go from it through its weather."""

    def __init__(self, port: int, table: str, weather: NetworkFaults | None = None) -> None:
        self.store = Store()
        self.weather = weather or NetworkFaults()
        self.heard: list[Batch | Where | MemberSaid] = []
        self.away: list[AwayCodeShown | MemberAway] = []
        self.ready = self.deaf = self.mute = False
        self.furthest_ahead = 0
        """The number of entries by which a batch began beyond the confirmed ones."""
        self._confirmed = 0
        self._client: Client | None = None
        self._port = port
        self._topics = Topics(table)
        self._late: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Connect, and report the position at once."""
        await connected(self._port, self._serve)

    async def _serve(self, client: Client) -> None:
        self._client = client
        await client.subscribe(f"{ROOT}/{self._topics.table}/up/#", qos=1)
        self.ready = True
        await self.say_where()
        async for message in client.messages:
            for late_s in self.weather.delays_s():
                self._later(late_s, self._hear, client, str(message.topic), message.payload)

    async def say_where(self) -> None:
        """Report the position, unasked."""
        assert self._client is not None
        for branch in self.store.branches[-1:]:
            await self._say(self._client, Confirmed(VERSION, branch.ends, branch.number))

    def _later(self, late_s: float, do: Callable[..., Awaitable[None]], *what: Any) -> None:
        async def wait_and_do() -> None:
            await asyncio.sleep(late_s)
            with suppress(MqttError):
                await do(*what)

        def done(task: asyncio.Task[None]) -> None:
            self._late.discard(task)
            if not task.cancelled() and (error := task.exception()) is not None:
                task.get_loop().call_exception_handler({"message": "The league of the test", "exception": error})

        task = asyncio.ensure_future(wait_and_do())
        self._late.add(task)
        task.add_done_callback(done)

    async def _hear(self, client: Client, topic: str, payload: bytes) -> None:
        if self.deaf:
            return
        assert table_of(topic) == self._topics.table
        answer: Confirmed | None = None
        if topic == self._topics.entries:
            batch = decode_signed(payload, topic, KEY, Batch)
            self.heard.append(batch)
            self.furthest_ahead = max(self.furthest_ahead, batch.position.number - self._confirmed)
            answer = self.store.batch(batch)
        elif topic == self._topics.where:
            where = decode_signed(payload, topic, KEY, Where)
            self.heard.append(where)
            answer = self.store.where(where)
        elif topic == self._topics.away_codes:
            self.away.append(decode_signed(payload, topic, KEY, AwayCodeShown))
        elif topic == self._topics.away:
            self.away.append(decode_signed(payload, topic, KEY, MemberAway))
        elif topic == self._topics.members:
            member = decode_signed(payload, topic, KEY, MemberSaid)
            self.heard.append(member)
            self.store.members[member.id] = member
        if answer is not None and not self.mute:
            for late_s in self.weather.delays_s():
                self._later(late_s, self._say, client, answer)

    async def _say(self, client: Client, confirmed: Confirmed) -> None:
        self._confirmed = confirmed.position.number
        await client.publish(
            self._topics.confirmed, encode_signed(confirmed, self._topics.confirmed, KEY), qos=1, retain=True
        )


@asynccontextmanager
async def running(*doing: Any) -> AsyncIterator[None]:
    """Run these meanwhile; an exception in one is raised."""
    tasks = [asyncio.ensure_future(each) for each in doing]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        await cancel_all(tasks)


class Bridge:
    """The bridge of a book, so far as it concerns the league; its state file is in `folder`."""

    def __init__(
        self, book: JournalServer, port: int, table: str, folder: Path, patience: Patience = SHORT_PATIENCE
    ) -> None:
        self.kept = UplinkStateFile(league_state_file_of(folder, table))
        self.uplink = LeagueUplink(table, KEY, book.call, self.kept, patience)
        self._port = port
        facts: Any = None
        self.uplink.on_connected(facts)

    async def run(self) -> None:
        await connected(self._port, self.uplink.serve)

    def news(self) -> None:
        self.uplink.on_topics_changed({"journal": None})


async def until(seen: Callable[[], object], what: str) -> None:
    """Look until it is so."""
    end_s = asyncio.get_running_loop().time() + DEADLINE_S
    while not seen():
        assert asyncio.get_running_loop().time() < end_s, what
        await asyncio.sleep(0.01)


async def until_all_is_there(league: TinyLeague, book: JournalServer) -> None:
    """The league has every record of the journal, each once and in order."""
    journal = book.journal.identity.journal

    def all_there() -> bool:
        branch = league.store.last(journal)
        end = Position(journal, book.last, digest_at(book.journal, book.last) or "")
        return branch is not None and branch.ends == end

    await until(all_there, "not everything has arrived")
    assert league.store.texts(journal) == book.texts


@contextmanager
def open_journal_server(folder: Path) -> Iterator[JournalServer]:
    book = JournalServer(folder / "journal.sqlite")
    try:
        yield book
    finally:
        book.journal.close()
