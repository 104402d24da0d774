"""The servers of `servers` keep what they should, through what tests and measurements do to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from aiomqtt import Client, MqttError
from deadline import DEADLINE_S
from servers import HOST, LEAGUE, Nats, NotInstalled, PostgreSQL, mosquitto, program
from taptable.uplink.messages import ROOT as TABLES

UP = f"{TABLES}/t1/up/entries"
DOWN = f"{TABLES}/t1/down/confirmed"
KEYS = {LEAGUE: "secret", "t1": "key1", "t2": "key2"}


@asynccontextmanager
async def a_client(port: int, user: str) -> AsyncIterator[Client]:
    """Once it is let in."""
    while True:
        client = Client(HOST, port, username=user, password=KEYS[user], identifier=f"{user}-{port}")
        try:
            await client.__aenter__()
            break
        except MqttError:
            await asyncio.sleep(0.1)
    try:
        yield client
    finally:
        await client.__aexit__(None, None, None)


async def first(client: Client) -> tuple[str, object]:
    async with asyncio.timeout(DEADLINE_S):
        message = await anext(aiter(client.messages))
        return message.topic.value, message.payload


async def each_table_reaches_the_league_alone(league_port: int, table_port: int) -> None:
    async with asyncio.timeout(DEADLINE_S), a_client(league_port, LEAGUE) as league:
        await league.subscribe(f"{TABLES}/+/up/#", qos=1)
        async with a_client(table_port, "t2") as stranger:
            await stranger.publish(UP, b"of another", qos=0)
        async with a_client(table_port, "t1") as table:
            await table.publish(UP, b"mine", qos=1)
            assert await first(league) == (UP, b"mine")
            await league.publish(DOWN, b"heard", qos=1, retain=True)
            await table.subscribe(f"{TABLES}/t1/down/#", qos=1)
            assert await first(table) == (DOWN, b"heard")


async def test_mosquitto_keeps_what_it_was_told_when_it_is_killed_after_it_wrote_it_down():
    with mosquitto(KEYS) as broker:
        await each_table_reaches_the_league_alone(broker.port, broker.port)
        broker.stop()
        broker.start()
        async with a_client(broker.port, "t1") as table:
            await table.subscribe(f"{TABLES}/t1/down/#", qos=1)
            assert await first(table) == (DOWN, b"heard")


async def test_mosquitto_lets_in_whom_its_accounts_name():
    with mosquitto({LEAGUE: KEYS[LEAGUE]}) as broker:
        with pytest.raises(MqttError, match="Not authorized"):
            await Client(HOST, broker.port, username="t1", password=KEYS["t1"]).__aenter__()
        broker.accounts(KEYS)
        async with asyncio.timeout(DEADLINE_S), a_client(broker.port, "t1"):
            pass


def test_postgresql_has_what_was_committed_before_it_was_killed(postgres: PostgreSQL, database: str):
    address = database.replace("+psycopg", "")
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    postgres.kill()
    postgres.start()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]


async def test_postgresql_answers_when_it_goes_on_after_it_was_held_still(postgres: PostgreSQL, database: str):
    async with (
        asyncio.timeout(DEADLINE_S),
        await psycopg.AsyncConnection.connect(database.replace("+psycopg", "")) as connection,
    ):
        postgres.freeze()
        asyncio.get_running_loop().call_later(0.1, postgres.thaw)
        assert await (await connection.execute("SELECT 7")).fetchall() == [(7,)]


@pytest.mark.long
async def test_what_is_said_at_one_node_of_nats_is_heard_at_another(nats: Nats):
    nats.accounts(KEYS)
    one, two, _ = nats.nodes
    await each_table_reaches_the_league_alone(one.port, two.port)


def test_what_is_not_installed_is_named_with_what_gets_it():
    with pytest.raises(NotInstalled, match="there is no brokerd: scripts/setup-servers gets it"):
        program("brokerd")
