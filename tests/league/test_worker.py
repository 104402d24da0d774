"""Workers at a real broker store and confirm what tables send, no matter which of them dies meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiomqtt import Client
from deadline import DEADLINE_S
from league.sending import stored
from league.simulated_games import Journal, simulate_game
from ports import free_port
from servers import HOST, Mosquitto, NotInstalled, mosquitto
from sqlalchemy import Engine, ExceptionContext, event, select, text, update
from taptable.bridge.connection import cancel_all
from taptable.league import worker
from taptable.league.database import read_transaction, write_transaction
from taptable.league.schema import leases, ratings
from taptable.league.settings import LeagueSettings, read_settings
from taptable.league.tables import LeagueTable, add_table
from taptable.league.worker import Worker
from taptable.uplink.messages import Confirmed, Topics, decode_signed, encode_signed

LEASE_MS = 900
ANN, BOB = "a" * 16, "b" * 16


@dataclass
class Far:
    """A table at the other side of a broker."""

    table: LeagueTable
    journal: Journal
    confirmed: Confirmed | None = None
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def send_all(self, client: Client, most: int = 60, again_s: float = 1.0) -> None:
        """Everything, and again what isn't confirmed in time."""
        topics, key = Topics(self.table.id), bytes.fromhex(self.table.key)
        while self.confirmed is None or self.confirmed.position.number < self.journal.last:
            self.heard.clear()
            if self.confirmed is None:
                said = encode_signed(self.journal.where(), topics.where, key)
                await client.publish(topics.where, said, qos=1)
            else:
                batch = self.journal.batch(self.confirmed.position.number, most, self.confirmed.branch)
                await client.publish(topics.entries, encode_signed(batch, topics.entries, key), qos=1)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.heard.wait(), again_s)

    def hear(self, payload: bytes) -> None:
        topics, key = Topics(self.table.id), bytes.fromhex(self.table.key)
        confirmed = decode_signed(payload, topics.confirmed, key, Confirmed)
        if self.journal.has_position(confirmed.position):
            self.confirmed = confirmed
            self.heard.set()


@asynccontextmanager
async def connected(port: int, tables: list[Far]) -> AsyncIterator[Client]:
    """Tables with one connection together."""
    async with Client(HOST, port) as client:

        async def hear() -> None:
            async for message in client.messages:
                for far in tables:
                    if message.topic.matches(Topics(far.table.id).confirmed):
                        far.hear(bytes(message.payload))  # pyright: ignore[reportArgumentType]

        for far in tables:
            await client.subscribe(Topics(far.table.id).confirmed, qos=1)
        hearing = asyncio.create_task(hear())
        try:
            yield client
        finally:
            await cancel_all([hearing])


@asynccontextmanager
async def working(settings: LeagueSettings, engine: Engine, name: str = "w") -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(Worker(settings, engine, name, LEASE_MS).run())
    try:
        yield task
    finally:
        await cancel_all([task])
        if not task.cancelled():
            task.result()


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    try:
        with mosquitto() as found:
            yield found
    except NotInstalled as error:
        pytest.skip(str(error))


def settings_for(port: int) -> LeagueSettings:
    return read_settings(f'[mqtt]\nhost = "{HOST}"\nport = {port}\n', Path("league.toml"))


def far_tables(engine: Engine, number: int, games: int = 2) -> list[Far]:
    found: list[Far] = []
    for each in range(number):
        with write_transaction(engine) as connection:
            table = add_table(connection, f"Table {each}", "club", 0)
        journal = Journal(f"{each:032}")
        for game in range(games):
            journal.play(simulate_game(each + game), ANN, BOB)
        found.append(Far(table, journal))
    return found


def all_is_stored(engine: Engine, tables: list[Far]) -> None:
    with read_transaction(engine) as connection:
        for far in tables:
            assert stored(connection, far.table.id) == {
                (far.journal.identity, 0): [text for _, text in far.journal.texts]
            }


async def test_what_tables_send_is_stored_and_counted(engine: Engine, broker: Mosquitto) -> None:
    tables = far_tables(engine, 3)
    async with asyncio.timeout(DEADLINE_S), connected(broker.port, tables) as client:
        async with working(settings_for(broker.port), engine):
            await asyncio.gather(*(far.send_all(client) for far in tables))
            while True:
                with read_transaction(engine) as connection:
                    if {row.games for row in connection.execute(select(ratings))} == {6}:
                        break
                await asyncio.sleep(0.02)
        with read_transaction(engine) as connection:
            assert {row.owner for row in connection.execute(select(leases))} == {""}  # it has left
    all_is_stored(engine, tables)


async def test_a_worker_that_dies_is_taken_over(engine: Engine, broker: Mosquitto) -> None:
    """Two workers share the shards. One of them loses all its leases in mid-work, and its shards are served all the
    same."""
    tables = far_tables(engine, 6)
    settings = settings_for(broker.port)
    async with (
        asyncio.timeout(DEADLINE_S),
        connected(broker.port, tables) as client,
        working(settings, engine, "one"),
        working(settings, engine, "two"),
    ):
        await until(engine, {"one", "two"})
        await asyncio.gather(*(far.send_all(client) for far in tables[:3]))
        with write_transaction(engine) as connection:
            connection.execute(update(leases).where(leases.c.owner == "one").values(owner="dead", until_ms=0))
        await asyncio.gather(*(far.send_all(client) for far in tables))
    all_is_stored(engine, tables)


async def until(engine: Engine, owners: set[str]) -> None:
    """Until the shards are these workers'."""
    while True:
        with read_transaction(engine) as connection:
            if {row.owner for row in connection.execute(select(leases))} == owners:
                return
        await asyncio.sleep(0.02)


@pytest.mark.long
async def test_each_of_two_faults_is_logged_once_until_its_work_succeeds(
    engine: Engine, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker and the database fail in turn: the faults of one don't hide that the other's were logged."""
    monkeypatch.setattr(worker, "PAUSE_S", 0.02)
    caplog.set_level(logging.WARNING, worker.__name__)
    failed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_error(_: ExceptionContext) -> None:
        loop.call_soon_threadsafe(failed.set)

    async def many_failures() -> set[str]:
        caplog.clear()
        for _ in range(3):  # of the database; the broker fails more often
            failed.clear()
            await failed.wait()
        found = [record.getMessage() for record in caplog.records if record.name == worker.__name__]
        assert len(found) == len(set(found)), found
        return set(found)

    def rename(name: str, new: str) -> None:
        with write_transaction(engine) as connection:
            connection.execute(text(f"ALTER TABLE {name} RENAME TO {new}"))

    event.listen(engine, "handle_error", on_error)
    async with asyncio.timeout(DEADLINE_S), working(settings_for(free_port()), engine):
        await until(engine, {"w"})
        rename("leases", "hidden")
        while not any("leases" in each for each in await many_failures()):
            pass
        assert not await many_failures()
        rename("hidden", "leases")
        with write_transaction(engine) as connection:
            connection.execute(update(leases).values(owner="dead", until_ms=0))
        await until(engine, {"w"})
        rename("leases", "hidden")
        while not any("leases" in each for each in await many_failures()):
            pass


async def test_a_broker_that_forgets_everything_gets_it_again(engine: Engine) -> None:
    """The confirmations are published again once the broker is back."""
    (far,) = tables = far_tables(engine, 1)
    port = free_port()
    try:
        async with asyncio.timeout(DEADLINE_S), working(settings_for(port), engine):
            with mosquitto(port=port):
                async with connected(port, tables) as client:
                    await far.send_all(client)
            before, far.confirmed = far.confirmed, None
            far.heard.clear()
            with mosquitto(port=port):
                async with connected(port, tables):
                    await far.heard.wait()
            assert far.confirmed == before
    except NotInstalled as error:
        pytest.skip(str(error))
