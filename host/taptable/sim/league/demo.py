"""The league's demo: a broker (`broker`), a league with its page, and tables that play (`table`), each a process with a
bridge's uplink to the league. All of it is stored in one folder, from which another demo continues. Must not know a
game's rules, nor how the league counts."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from taptable.api.link import TableLink
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.bridge.connection import keep_connected, run_until_first_ends
from taptable.bridge.process import make_uplink
from taptable.config import Account, UplinkSettings
from taptable.config.model import PageSettings
from taptable.core.errors import TaptableError
from taptable.league.database import migrate, open_database, write_transaction
from taptable.league.settings import Broker, LeagueSettings
from taptable.league.tables import LeagueTable, add_table, all_tables
from taptable.league.web.site import serve_league
from taptable.league.worker import Worker
from taptable.memory.durable import write_atomically
from taptable.sim.league.broker import running_broker
from taptable.sim.league.table import READY, LeagueTableRequest

CLUB = "demo"
"""The name of the club that the league is for."""
GAMES = (("online", 4), ("cyber-siege", 4), ("xnet", 4), ("online", 6), ("online", 2), ("cyber-siege", 3), ("xnet", 3))
"""The tables' games and numbers of players, in rotation."""
NAMES = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gesa", "Hugo", "Inga", "Jan", "Kim", "Lena", "Max", "Nora", "Otto",
    "Pia", "Quirin", "Rosa", "Sam", "Tilda", "Ulla", "Vera", "Wim", "Xenia", "Yara", "Zoe", "Anton", "Bea", "Carl",
    "Doro", "Emil", "Flora", "Gustav", "Hanna", "Ivo", "Jette", "Karl", "Lotte", "Mila", "Nils", "Olga", "Paul", "Ria",
    "Sven", "Thea", "Uli", "Vito", "Wanda",
)  # fmt: skip
MEMBERS_PER_TABLE = 6
"""Members of the club that play at one table."""
MAX_TABLES = len(NAMES) // MEMBERS_PER_TABLE


@dataclass(frozen=True, slots=True)
class LeagueDemo:
    """The request for a demo: how many tables, how fast their time passes, and the seed of all chance; `table_name`
    returns a table's name by its number."""

    tables: int
    speed: float
    seed: int
    language: str
    name: str
    table_name: Callable[[int], str]


@asynccontextmanager
async def running_league(demo: LeagueDemo, folder: Path, listener: socket) -> AsyncGenerator[asyncio.Future[None]]:
    """Run the league with tables that come one after the other; the future yielded ends with what breaks the league.
    `TaptableError` says what it lacks."""
    engine = open_database(f"sqlite:///{folder / 'league.sqlite'}")
    migrate(engine)
    tables = _tables(engine, demo)
    secret = secrets.token_hex(16)
    keys = {table.id: table.key for table in tables}
    page = PageSettings(listener.getsockname()[1])
    # a socket's path can't be long, and the path of the folder may be
    with closing(engine), TemporaryDirectory(prefix="taptable-") as sockets:
        async with (
            running_broker(folder / "broker", secret, keys) as broker,
            serve_league(engine, demo.name, demo.language, page, listener=listener),
        ):
            settings = LeagueSettings(
                folder / "league.toml", demo.name, demo.language, 12, str(engine.url), broker, page
            )
            tasks = [Worker(settings, engine).run()]
            for number, table in enumerate(tables):
                folders = folder / f"table{number + 1}", Path(sockets, str(number + 1))
                tasks.append(_play(demo, *folders, number, table, broker))
            running = asyncio.ensure_future(run_until_first_ends(*tasks))
            try:
                yield running
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


@contextmanager
def closing(engine: Engine) -> Generator[None]:
    """Close the engine's connections at the end of the context."""
    try:
        yield
    finally:
        engine.dispose()


def _tables(engine: Engine, demo: LeagueDemo) -> Sequence[LeagueTable]:
    """Return the league's tables: the existing ones of these names, and new ones for the rest."""
    with write_transaction(engine) as connection:
        known = {table.name: table for table in all_tables(connection)}
        names = [demo.table_name(number) for number in range(1, demo.tables + 1)]
        return [known.get(name) or add_table(connection, name, CLUB, int(time.time())) for name in names]


async def _play(demo: LeagueDemo, folder: Path, sockets: Path, number: int, table: LeagueTable, broker: Broker) -> None:
    """Let a table play, and send its journal to the league, until this is cancelled."""
    for each in (folder, *(socket_path(sockets, role).parent for role in Role)):
        each.mkdir(parents=True, exist_ok=True)
    game, players = GAMES[number % len(GAMES)]
    names = NAMES[number * MEMBERS_PER_TABLE : (number + 1) * MEMBERS_PER_TABLE]
    request = LeagueTableRequest(folder, sockets, game, players, demo.language, demo.seed + number, demo.speed, names)
    key = folder / "league.key"
    write_atomically(key, table.key.encode(), 0o600)
    account = Account(broker.account.host, broker.account.port, user=table.id, password_file=key)
    async with table_process(request):
        link = TableLink(socket_path(sockets, Role.BRIDGE))
        uplink = make_uplink(UplinkSettings(account, table.id), link, folder)
        link.open(uplink)
        try:
            await keep_connected(account, table.id, uplink.serve)
        finally:
            await link.close()


@asynccontextmanager
async def table_process(request: LeagueTableRequest) -> AsyncGenerator[None]:
    """Run the table's process, from when its daemon is ready. The process writes its warnings and errors into the
    table's folder. It ends when its input ends, and so also if this process is killed. TaptableError names the log of a
    process that ended before it was ready."""
    command = (sys.executable, "-m", "taptable.sim.league.table", *request.arguments)
    log = request.folder / "table.log"
    with log.open("ab") as stderr:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=stderr, start_new_session=True
        )
    assert process.stdout is not None
    try:
        if (await process.stdout.readline()).decode().strip() != READY:
            raise TaptableError(f"A table's process ended before it was ready; {log} says why.")
        yield
    finally:
        with suppress(BrokenPipeError, ConnectionResetError):
            await process.communicate(b"")
