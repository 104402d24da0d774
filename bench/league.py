"""A league of real processes under load: a broker, PostgreSQL, workers, any number of simulated tables, and the
resources that each process uses meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import servers
from league.processes import a_process, settings_of
from page_access.bench import busy_s, pss_mb
from taptable.league.database import migrate, open_database, write_transaction
from taptable.league.tables import LeagueTable, add_table

from bench.league_games import Games
from bench.league_tables import Table, TableFleet

FILES = 20_000
SECRET = "league"
SAMPLE_S = 1.0
SEATS = 6
POSTGRES_SETTINGS = {"shared_buffers": "256MB", "max_wal_size": "4GB", "fsync": "on"}


@dataclass
class Figures:
    """The figures of a run."""

    tables: int
    offered_per_s: float
    seconds: float
    games: int
    """The number of games that were begun, all different."""
    entries: int
    entries_per_s: float
    backlog_s: list[tuple[float, int, float]]
    """At each second: how many entries weren't confirmed, and how long the oldest of them had waited."""
    wait_p50_s: float
    wait_p95_s: float
    drained_s: float
    busy: dict[str, float]
    """The share of a processor that each process took."""
    memory_mb: dict[str, float]
    remarks: dict[str, int] = field(default_factory=dict[str, int])
    wall_p50_s: float | None = None
    wall_p95_s: float | None = None


def allow_many_connections() -> None:
    """Let this process and its children have as many files open as a thousand tables need."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most) if most > 0 else FILES, most))


@dataclass
class Bench:
    """A league that runs, and its tables' halls."""

    database: str
    tables: Sequence[LeagueTable]
    hostile: Sequence[LeagueTable]
    """Tables that have a key and don't play."""
    processes: dict[str, Callable[[], Sequence[int]]]
    """The present processes of each part, by its name."""
    fleet: TableFleet
    web_port: int
    broker_port: int

    def busy_s(self) -> dict[str, float]:
        """Processor time of each part so far, in seconds."""
        return {name: sum(map(busy_s, pids())) for name, pids in self.processes.items()}

    async def measure(self, seconds: float) -> Figures:
        """Let all tables play for `seconds`, and then wait until everything is stored."""
        samples: list[tuple[float, int, float]] = []
        began_s, before, busy_before = time.monotonic(), self.fleet.confirmed, self.busy_s()
        self.fleet.waits_s.clear()
        playing = asyncio.ensure_future(self.fleet.play(seconds))
        while not playing.done():
            await asyncio.wait({playing}, timeout=SAMPLE_S)
            samples.append((time.monotonic() - began_s, self.fleet.backlog, self.fleet.longest_wait_s()))
        await playing
        took_s, entries = time.monotonic() - began_s, self.fleet.confirmed - before
        busy = {name: (after - busy_before[name]) / took_s for name, after in self.busy_s().items()}
        memory = {name: sum(map(pss_mb, pids())) for name, pids in self.processes.items()}
        waits_s = sorted(self.fleet.waits_s) or [0.0, 0.0]
        await self.fleet.drain(60)
        cuts = quantiles(waits_s, n=20)
        return Figures(
            tables=len(self.tables),
            offered_per_s=self.fleet.entries_per_s,
            seconds=took_s,
            games=self.fleet.tables[0].games.handed_out,
            entries=entries,
            entries_per_s=entries / took_s,
            backlog_s=samples,
            wait_p50_s=cuts[9],
            wait_p95_s=cuts[18],
            drained_s=time.monotonic() - began_s - took_s,
            busy=busy,
            memory_mb=memory,
            remarks=dict(self.fleet.remarks),
        )


@asynccontextmanager
async def watch_live_tables(port: int, watchers: int, delays_s: list[float], fleet: TableFleet) -> AsyncGenerator[int]:
    """Have `watchers` clients watch the live tables, and yield their process's id. At the end `delays_s` holds how long
    each entry took to reach one."""
    fleet.written_s = {}
    command = (sys.executable, "-m", "bench.league_watchers", str(port), str(watchers))
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=2**28)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"here\n"
    try:
        yield process.pid
    finally:
        said, _ = await process.communicate(b"")
        for table, at_us, at_s in json.loads(said):
            written_s = fleet.written_s.get((table, at_us))
            if written_s is not None and written_s <= at_s:
                delays_s.append(at_s - written_s)


@asynccontextmanager
async def running_league(
    games: Path, tables: int, entries_per_s: float, workers: int, *, web: bool = False, hostile: int = 0
) -> AsyncGenerator[Bench]:
    """A league with Mosquitto and PostgreSQL, and `tables` tables that are connected; with its page if `web`, and with
    `hostile` more tables, which have keys and are silent."""
    allow_many_connections()
    with ExitStack() as stack:
        postgres = stack.enter_context(servers.postgresql(POSTGRES_SETTINGS))
        database = postgres.database("league")
        known = add_tables(database, tables + hostile)
        passwords = {servers.LEAGUE: SECRET, **{table.id: table.key for table in known}}
        broker = stack.enter_context(servers.mosquitto(passwords, more=MOSQUITTO_LIMITS))
        folder = stack.enter_context(servers.a_folder())
        web_port = servers.free_port()
        settings = settings_of(folder, database, broker.port, SECRET, web_port)
        working = [stack.enter_context(a_process(settings, "worker", f"worker{n}")) for n in range(1, workers + 1)]
        if web:
            working.append(stack.enter_context(a_process(settings, "web", "web", web_port)))
        hall = TableFleet(simulate_tables(known[:tables], Games(games)), lambda _: broker.port, entries_per_s)
        processes: dict[str, Callable[[], Sequence[int]]] = {
            "mosquitto": broker.pids,
            "postgres": postgres.pids,
            **{each.name: each.pids for each in working},
            "generators": lambda: [os.getpid()],
        }
        bench = Bench(database, known[:tables], known[tables:], processes, hall, web_port, broker.port)
        await hall.connect()
        try:
            yield bench
        finally:
            await hall.disconnect()


MOSQUITTO_LIMITS = """\
max_inflight_messages 1000
max_queued_messages 100000
"""


def add_tables(database: str, number: int) -> list[LeagueTable]:
    """Create a league with `number` tables, and return them."""
    engine = open_database(database)
    migrate(engine)
    with write_transaction(engine) as connection:
        known = [add_table(connection, f"Table {each}", "club", int(time.time())) for each in range(1, number + 1)]
    engine.dispose()
    return known


def simulate_tables(tables: Sequence[LeagueTable], games: Games) -> list[Table]:
    """Simulated tables, each with members of its own."""
    return [Table(table, games, tuple(f"{table.id}{seat:08x}" for seat in range(1, SEATS + 1))) for table in tables]


def describe(figures: Figures) -> str:
    """A run in a few lines."""
    most = max((backlog for _, backlog, _ in figures.backlog_s), default=0)
    oldest = max((oldest_s for _, _, oldest_s in figures.backlog_s), default=0.0)
    _, last, last_s = figures.backlog_s[-1] if figures.backlog_s else (0.0, 0, 0.0)
    lines = [
        f"{figures.tables} tables, {figures.offered_per_s:.0f} entries a second offered for {figures.seconds:.0f} s:",
        f"  {figures.entries} entries of {figures.games} games stored and confirmed, "
        f"{figures.entries_per_s:.0f} a second",
        f"  written to confirmed: p50 {figures.wait_p50_s:.2f} s, p95 {figures.wait_p95_s:.2f} s",
        f"  backlog: at most {most} entries ({oldest:.1f} s), at the end {last} ({last_s:.1f} s),"
        f" gone {figures.drained_s:.1f} s later",
        "  of a processor: " + ", ".join(f"{name} {busy:.0%}" for name, busy in figures.busy.items()),
        "  memory: " + ", ".join(f"{name} {mb:.0f} MB" for name, mb in figures.memory_mb.items()),
    ]
    if figures.remarks:
        lines.append("  remarks: " + ", ".join(f"{name} {times}" for name, times in figures.remarks.items()))
    if figures.wall_p95_s is not None:
        p50_s, p95_s = figures.wall_p50_s, figures.wall_p95_s
        lines.append(f"  entry to the wall of who watches: p50 {p50_s:.2f} s, p95 {p95_s:.2f} s")
    return "\n".join(lines)
