"""The table at a real broker: what is heard there, and what becomes of both when the broker, the table or the account
isn't what it should be."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from aiomqtt.exceptions import MqttConnectError
from page_server.rig import a_daemon, a_folder_of_sockets

from bridge.broker import Broker, a_client, a_listener, may_read, may_write, retained_at
from bridge.rig import NAME, a_bridge, a_config, at_table, tap

ONLINE = f"taptable/{NAME}/online"
STATE = f"taptable/{NAME}/state"
DEVICE = f"homeassistant/device/taptable-{NAME}/config"


async def test_a_table_says_how_it_stands_and_what_happens(broker: Broker, tmp_path: Path) -> None:
    async with a_listener(broker) as listener, at_table(a_config(tmp_path, broker.settings())) as table:
        state = await listener.state(lambda _: True)
        assert (state["table"], state["game"], state["phase"], state["turn"]) == (NAME, "online", "turn", 1)
        await listener.online("online")
        await tap(table, "email#1", 1)
        refused = await listener.event("refusal", "refused")
        assert refused["seat"] == 1
        assert refused["code"] == "line-not-up"
        await tap(table, "online#1", 1)
        await tap(table, "hacker#1", 1)
        struck = await listener.event("hacker", "struck")
        assert struck["seat"] == 1
        table.hardware.press(2)
        first = await listener.event("patrol", "first")
        assert (first["seat"], first["hacker"], first["tied"]) == (2, 1, [])
        assert first["bound_us"] > 0
        await tap(table, "cyber-patrol#1", 2)
        stopped = await listener.event("patrol", "stopped")
        assert (stopped["seat"], stopped["hacker"]) == (2, 1)
    for topic in (ONLINE, STATE, DEVICE):
        assert await retained_at(broker, topic) is not None
    assert not any(retain for topic, _, retain in listener.heard if topic.endswith("/event"))


async def test_a_table_that_goes_is_offline_until_it_is_back(broker: Broker, tmp_path: Path) -> None:
    config = a_config(tmp_path, broker.settings())
    with a_folder_of_sockets() as sockets:
        async with a_listener(broker) as listener, a_bridge(config, sockets):
            async with a_daemon(config, sockets):
                await listener.online("online")
            await listener.online("offline")
            async with a_daemon(config, sockets):
                await listener.online("online")


async def test_a_broker_that_isn_t_there_at_the_start_gets_the_state_when_it_is(tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker")
    try:
        async with at_table(a_config(tmp_path, broker.settings())) as table:
            await tap(table, "online#1", 1)
            broker.start()
            async with a_listener(broker) as listener:
                await listener.online("online")
            assert await retained_at(broker, STATE) is not None
    finally:
        broker.kill()


async def test_a_broker_that_has_forgotten_everything_gets_everything_again(broker: Broker, tmp_path: Path) -> None:
    async with at_table(a_config(tmp_path, broker.settings())):
        async with a_listener(broker) as listener:
            await listener.online("online")
        broker.kill()
        broker.start()
        async with a_listener(broker) as listener:
            await listener.online("online")
        for topic in (STATE, DEVICE):
            assert await retained_at(broker, topic) is not None


async def test_the_table_judges_on_while_the_broker_stands_still(broker: Broker, tmp_path: Path) -> None:
    async with at_table(a_config(tmp_path, broker.settings())) as table:
        async with a_listener(broker) as listener:
            await listener.online("online")
        broker.freeze()
        for card in ("online#1", "email#1", "email#2"):
            async with asyncio.timeout(5):
                await tap(table, card, 1)
        broker.thaw()
        async with a_listener(broker) as listener:
            state = await listener.state(lambda said: said["teams"][0]["score"])
            assert state["phase"] == "turn"


async def test_a_wrong_password_is_reported_and_tried_again(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("open barley\n")
    wrong.chmod(0o600)
    settings = replace(broker.settings(), account=broker.account(password_file=wrong))
    async with at_table(a_config(tmp_path, settings)):
        while "refuses the account table" not in caplog.text:
            await asyncio.sleep(0.01)
        wrong.write_text(broker.account("table").password_file.read_text())  # type: ignore[union-attr]
        async with a_listener(broker) as listener:
            await listener.online("online")


async def test_who_has_no_account_isn_t_heard(broker: Broker) -> None:
    with pytest.raises(MqttConnectError):
        async with a_client(broker.account(user=None, password_file=None)):
            pass


OWN = [f"taptable/{NAME}/{each}" for each in ("online", "state", "event")] + [DEVICE]
OTHERS = [
    "taptable/other/state",
    "homeassistant/device/other/config",
    "anything",
    "taptable-league/ab12cd34/up/entries",
]


async def test_the_table_s_account_writes_at_its_own_topics_and_nowhere_else(broker: Broker) -> None:
    assert [
        topic for topic in (*OWN, *OTHERS, f"taptable/{NAME}/command") if await may_write(broker, "table", topic)
    ] == OWN
    assert await may_read(broker, "table", f"taptable/{NAME}/command")
    assert not await may_read(broker, "table", "taptable/other/state")


async def test_a_table_of_a_league_writes_and_reads_below_its_own_topic_alone(broker: Broker) -> None:
    mine, other = "taptable-league/ab12cd34", "taptable-league/ef56"
    assert await may_write(broker, "ab12cd34", f"{mine}/up/entries")
    assert await may_read(broker, "ab12cd34", f"{mine}/down/confirmed")
    assert await may_read(broker, "league", f"{mine}/up/entries")
    for topic in (f"{mine}/down/confirmed", f"{other}/up/entries", *OWN):
        assert not await may_write(broker, "ab12cd34", topic)
    assert not await may_read(broker, "ab12cd34", f"{other}/down/confirmed")
