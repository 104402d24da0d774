"""A season of a league that loses parts of itself: tables with journals in memory and the bridge's own way to a league,
three nodes of NATS, two workers and PostgreSQL, which are killed one after the other. The league's final data are
compared with the tables'."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import servers
from league.processes import a_process, settings_of
from league.sending import stored
from sqlalchemy import Connection, select
from taptable.api.requests import Members, Positions, Request, Stream
from taptable.bridge.connection import keep_connected, run_until_first_ends
from taptable.bridge.league_uplink import LeagueUplink
from taptable.bridge.state_files import UplinkStateFile, league_state_file_of
from taptable.config import Account
from taptable.core.tag_notices import MembersSeated
from taptable.league.database import open_database, read_transaction
from taptable.league.schema import ENDED, PROVED, games
from taptable.league.standings import seasons, standings
from taptable.league.tables import LeagueTable
from taptable.memory.digest import EMPTY_DIGEST, RecordText, digest_after, entry_text
from taptable.memory.records import Entry, to_json
from taptable.referee.lines import announcement_line

from bench.league import SEATS, add_tables
from bench.league_games import NAMES, SALT, Games, Recorded, entries_of

SECRET = "league"
LOOK_S = 0.05
DOWN_S = 5.0
"""Seconds for which a killed part is away."""
Score = tuple[int, int, int]
"""A member's score in a game's standings: games, points, and scores together."""


@dataclass
class Journal:
    """A table's journal in memory, which answers as a table does and notifies its uplink of new records."""

    about: LeagueTable
    texts: list[tuple[int, RecordText]] = field(default_factory=list[tuple[int, RecordText]])
    """Each record with its number, a header with that of the entry after it."""
    digests: list[str] = field(default_factory=lambda: [EMPTY_DIGEST])
    games: list[int] = field(default_factory=list[int])
    """The entries before the beginnings of its games."""
    scores: dict[tuple[str, str], Score] = field(default_factory=dict[tuple[str, str], Score])
    """By a game's name and a member."""
    _digest: str = EMPTY_DIGEST

    @property
    def identity(self) -> str:
        """The journal's identity, made of the table's."""
        return self.about.id * 4

    @property
    def members(self) -> tuple[str, ...]:
        """The members of the table."""
        return tuple(f"{self.about.id}{seat:08x}" for seat in range(1, SEATS + 1))

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.digests) - 1

    def begin(self, recorded: Recorded) -> list[RecordText]:
        """Begin a game with members at all seats; return the entries that follow, which are to be added."""
        self.games.append(self.last)
        header = to_json(["game", len(self.games), list(recorded.header)])
        assert header is not None
        self._put(self.last + 1, header)
        seated = self.members[: recorded.players]
        self.add(entry_text(self.last + 1, Entry(0, "note", announcement_line(MembersSeated(0, seated))), SALT))
        name = next(each for each in NAMES if each in recorded.header)
        for member, (_, score, points) in zip(seated, recorded.results, strict=True):
            games_, points_, scores_ = self.scores.get((name, member), (0, 0, 0))
            self.scores[name, member] = (games_ + 1, points_ + points, scores_ + score)
        return list(entries_of(recorded, self.last))

    def add(self, text: RecordText) -> None:
        """Add the next record."""
        self._put(self.last + 1, text)
        self.digests.append(self._digest)

    def _put(self, number: int, text: RecordText) -> None:
        self.texts.append((number, text))
        self._digest = digest_after(self._digest, text)

    async def call(self, request: Request) -> dict[str, Any]:
        """Answer a request as the table would."""
        match request:
            case Stream(after=after, most=most):
                texts = self.texts[after + sum(game < after for game in self.games) :][: most + 1]
                records = [msgspec.json.decode(text) for number, text in texts if after < number <= after + most]
                while records and records[-1][0] == "game":
                    records.pop()
                digest = self.digests[after] if after <= self.last else None
                about = {"journal": self.identity, "after": after, "digest": digest, "last": self.last}
                return {**about, "records": records}
            case Positions(most=most):
                numbers = dict.fromkeys((self.last, *reversed(self.games[-most:])))
                known = [(number, self.digests[number]) for number in numbers]
                return {"journal": self.identity, "known": known}
            case Members():
                return {"members": []}
            case _:
                raise AssertionError(request)


@dataclass
class Season:
    """A league that runs, and the tables that play in it."""

    journals: Sequence[Journal]
    database: str
    nats: servers.Nats
    workers: Sequence[servers.Server]
    postgres: servers.PostgreSQL
    uplinks: dict[str, LeagueUplink] = field(default_factory=dict[str, LeagueUplink])
    state_files: list[UplinkStateFile] = field(default_factory=list[UplinkStateFile])

    async def play(self, games: Games, each: int, seconds: float) -> None:
        """Let every table play `each` games, all of them within `seconds` seconds."""
        await asyncio.gather(*(self._play(journal, games, each, seconds) for journal in self.journals))

    async def _play(self, journal: Journal, games: Games, each: int, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        for number in range(each):
            coming = journal.begin(games.next())
            for place, text in enumerate(coming, 1):
                journal.add(text)
                self.uplinks[journal.about.id].on_topics_changed({"journal": None})
                due_s = began_s + seconds * (number + place / len(coming)) / each
                if due_s > loop.time():
                    await asyncio.sleep(due_s - loop.time())

    def confirmed(self) -> int:
        """The number of entries that the league has confirmed to the bridges."""
        return sum(each.confirmed.position.number for each in self.state_files if each.confirmed is not None)

    def written(self) -> int:
        """The number of entries in the tables' journals."""
        return sum(journal.last for journal in self.journals)

    async def wait_until_confirmed(self, within_s: float) -> None:
        """Until the league has confirmed all that is written; `TimeoutError` if it doesn't."""
        async with asyncio.timeout(within_s):
            while self.confirmed() < self.written():
                await asyncio.sleep(LOOK_S)

    async def crash(self, server: servers.Server, say: Callable[[str], None]) -> None:
        """Kill something, and start it again after a while."""
        before = self.confirmed()
        await asyncio.to_thread(server.kill)
        say(f"{server.name} killed, when {before} of {self.written()} entries were confirmed")
        await asyncio.sleep(DOWN_S)
        await asyncio.to_thread(server.start)
        say(f"{server.name} is back; {self.confirmed()} of {self.written()} entries are confirmed")

    def differences(self) -> list[str]:
        """The differences between the league's database and the tables' own journals; empty if all is well."""
        engine = open_database(self.database)
        try:
            with read_transaction(engine) as connection:
                return [
                    *self._entry_differences(connection),
                    *self._game_differences(connection),
                    *self._standing_differences(connection),
                ]
        finally:
            engine.dispose()

    def _entry_differences(self, connection: Connection) -> list[str]:
        found: list[str] = []
        for journal in self.journals:
            there = stored(connection, journal.about.id)
            if there != {(journal.identity, 0): [text for _, text in journal.texts]}:
                counts = {branch: len(texts) for branch, texts in there.items()}
                found.append(f"table {journal.about.id} has {len(journal.texts)} records, the league {counts}")
        return found

    def _game_differences(self, connection: Connection) -> list[str]:
        rows = connection.execute(select(games.c.table_id, games.c.status, games.c.proof, games.c.why)).all()
        well = (ENDED, PROVED)
        wrong = [f"{row.table_id}: {row.status}, {row.proof} {row.why}" for row in rows if row[1:3] != well]
        expected = sum(len(journal.games) for journal in self.journals)
        return wrong if len(rows) == expected else [*wrong, f"{expected} games were played, {len(rows)} are stored"]

    def _standing_differences(self, connection: Connection) -> list[str]:
        found: dict[tuple[str, str], Score] = defaultdict(lambda: (0, 0, 0))
        for season in seasons(connection):
            for name in NAMES:
                for line in standings(connection, season.id, name):
                    had = found[name, line.member.id]
                    found[name, line.member.id] = (had[0] + line.games, had[1] + line.points, had[2] + line.score)
        expected = {key: score for journal in self.journals for key, score in journal.scores.items()}
        both = expected.keys() | found.keys()
        return [
            f"{key}: {expected.get(key)}, in the league {found.get(key)}"
            for key in sorted(both)
            if expected.get(key) != found.get(key)
        ]


async def crash_in_turn(season: Season, seconds: float, say: Callable[[str], None]) -> None:
    """Kill a node, a worker and the database one after the other, at the quarters of a season of `seconds` seconds."""
    began_s = asyncio.get_running_loop().time()
    for number, server in enumerate((season.nats.nodes[0], season.workers[0], season.postgres), 1):
        due_s = began_s + seconds * number / 4
        await asyncio.sleep(max(0.0, due_s - asyncio.get_running_loop().time()))
        await season.crash(server, say)


@asynccontextmanager
async def running_season(tables: int, fsync: str = "off") -> AsyncGenerator[Season]:
    """A league of `tables` tables, with bridges' uplinks that are connected to the nodes by turns."""
    with ExitStack() as stack:
        postgres = stack.enter_context(servers.postgresql({"fsync": fsync}))
        database = postgres.database("season")
        known = add_tables(database, tables)
        passwords = {servers.LEAGUE: SECRET, **{table.id: table.key for table in known}}
        nats = stack.enter_context(servers.nats(passwords))
        folder = stack.enter_context(servers.a_folder())
        workers: list[servers.Server] = []
        for number, node in enumerate(nats.nodes[1:], 1):
            name = f"worker{number}"
            settings = settings_of(folder, database, node.port, SECRET, name=name)
            workers.append(stack.enter_context(a_process(settings, "worker", name)))
        journals = [Journal(table) for table in known]
        season = Season(journals, database, nats, workers, postgres)
        ports = [node.port for node in nats.nodes]
        doing = [_uplink(season, journal, ports[place % len(ports)], folder) for place, journal in enumerate(journals)]
        running = asyncio.ensure_future(run_until_first_ends(*doing))
        try:
            yield season
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def _uplink(season: Season, journal: Journal, port: int, folder: Path) -> Coroutine[Any, Any, None]:
    """The coroutine of a table's bridge for its league, which runs until it is cancelled."""
    table = journal.about
    key = folder / f"{table.id}.key"
    key.write_text(table.key, encoding="ascii")
    key.chmod(0o600)
    kept = UplinkStateFile(league_state_file_of(folder, table.id))
    season.state_files.append(kept)
    uplink = season.uplinks[table.id] = LeagueUplink(table.id, bytes.fromhex(table.key), journal.call, kept)
    nothing: Any = None
    uplink.on_connected(nothing)
    return keep_connected(Account(servers.HOST, port, user=table.id, password_file=key), table.id, uplink.serve)
