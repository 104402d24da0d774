"""A table removes what it retained at a real broker once it isn't true any more. It keeps topics that were there
before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from deadline import DEADLINE_S
from page_server.rig import a_daemon, a_folder_of_sockets
from taptable.bridge import process, retained
from taptable.bridge.discovery import discovery_topic
from taptable.bridge.retained import Published, Retained, read_published, state_file_of
from taptable.bridge.topics import OFFLINE, ONLINE, TableTopics, earlier_topics_of, topics_of
from taptable.config import Config

from bridge.broker import OBSERVER, Broker, Listener, a_client, a_listener, retained_at
from bridge.rig import NAME, a_bridge, a_config

HOME, DEN = TableTopics("taptable", NAME), TableTopics("taptable", "den")
PREFIX = "homeassistant"
LIVING_ROOM = "Living room"


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker beside the bridge sends at once what it has retained."""
    monkeypatch.setattr(retained, "RETAINED_S", 0.5)


@pytest.fixture
def config(broker: Broker, tmp_path: Path) -> Config:
    """The configuration of a table whose account may do everything."""
    return a_config(tmp_path, replace(broker.settings(), account=broker.account(OBSERVER)))


def called(config: Config, name: str, **more: Any) -> Config:
    """The same table by this name, with more of its settings."""
    assert config.mqtt is not None
    return replace(config, table=replace(config.table, name=name), mqtt=replace(config.mqtt, **more))


def file_of(config: Config) -> Path:
    return state_file_of(config.file.parent, config)


@asynccontextmanager
async def speaking(config: Config, broker: Broker, topics: TableTopics) -> AsyncGenerator[Listener]:
    """A table and its bridge, once it has said at these topics that it is there."""
    async with a_listener(broker, OBSERVER) as listener:
        with a_folder_of_sockets() as sockets:
            async with a_daemon(config, sockets), a_bridge(config, sockets):
                while await listener.hear() != (topics.online, ONLINE.encode()):
                    pass
                yield listener


async def cleared(listener: Listener, *topics: str) -> None:
    """Until each of these has been cleared."""
    missing = set(topics) - {topic for topic, payload, _ in listener.heard if not payload}
    while missing:
        topic, payload = await listener.hear()
        if not payload:
            missing.discard(topic)


async def components(broker: Broker, topics: TableTopics) -> dict[str, Any]:
    """The components that Home Assistant would find."""
    kept = await retained_at(broker, discovery_topic(PREFIX, topics))
    assert kept is not None
    return msgspec.json.decode(kept)["components"]


async def test_nothing_is_retained_of_what_is_no_more(broker: Broker, config: Config) -> None:
    async with speaking(called(config, NAME, commands=True), broker, HOME):
        assert len((await components(broker, HOME))["pause"]) > 1
    async with speaking(called(config, NAME), broker, HOME) as listener:
        assert (await components(broker, HOME))["pause"] == {"platform": "button"}
        assert all(payload for _, payload, _ in listener.heard)
    async with speaking(called(config, "den"), broker, DEN) as listener:
        await cleared(listener, HOME.online, HOME.state, discovery_topic(PREFIX, HOME))
        assert await retained_at(broker, discovery_topic(PREFIX, DEN)) is not None
    async with speaking(called(config, "den", discovery="ha"), broker, DEN) as listener:
        await cleared(listener, discovery_topic(PREFIX, DEN))
    async with speaking(called(config, "den", discovery=""), broker, DEN) as listener:
        await cleared(listener, discovery_topic("ha", DEN))
        assert await retained_at(broker, DEN.state) is not None
    published = read_published(file_of(config))
    assert published is not None
    assert published.retained == {DEN.online: (DEN.state, DEN.online)}


async def test_a_topic_that_can_t_be_cleared_is_reported_and_tried_again(
    broker: Broker, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    left = {DEN.online: (DEN.state, DEN.online)}
    file_of(config).write_bytes(msgspec.json.encode(Published(NAME, "taptable", retained=left)))
    closed = called(config, NAME, account=broker.account())
    async with speaking(closed, broker, HOME):
        while "Retained messages not cleared" not in caplog.text:
            await asyncio.sleep(0.01)
    published = read_published(file_of(config))
    assert published is not None
    assert published.retained[DEN.online] == left[DEN.online]
    async with a_client(broker.account(OBSERVER)) as eye:
        await eye.publish(DEN.state, b"{}", qos=1, retain=True)
    async with speaking(called(config, NAME), broker, HOME) as listener:
        await cleared(listener, DEN.state)


async def test_what_another_table_has_there_by_now_is_left(
    broker: Broker, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retained, "VANISHED_S", 0)
    left = {DEN.online: (discovery_topic(PREFIX, DEN), DEN.state, DEN.online)}
    file_of(config).write_bytes(msgspec.json.encode(Published("den", "taptable", retained=left)))
    async with a_client(broker.account(OBSERVER)) as eye:
        for topic in left[DEN.online]:
            await eye.publish(topic, ONLINE.encode(), qos=1, retain=True)
        async with speaking(config, broker, HOME):
            while (published := read_published(file_of(config))) is None or DEN.online in published.retained:
                await asyncio.sleep(0.01)
        assert [await retained_at(broker, topic) for topic in left[DEN.online]] == [ONLINE.encode()] * 3


async def test_discovery_that_was_turned_off_before_an_upgrade_is_cleared(broker: Broker, config: Config) -> None:
    async with a_client(broker.account(OBSERVER)) as eye:
        await eye.publish(discovery_topic(PREFIX, HOME), b"{}", qos=1, retain=True)
    async with speaking(called(config, NAME, discovery=""), broker, HOME) as listener:
        await cleared(listener, discovery_topic(PREFIX, HOME))


@pytest.mark.parametrize(
    ("state", "earlier"),
    [(b'{"table":"Living room"}', True), (b'{"table":"living room"}', False), (b"\xff", False), (b"", False)],
    ids=["its own", "another's", "nonsense", "none"],
)
async def test_a_table_that_spoke_there_before_an_upgrade_keeps_its_topics(
    state: bytes, earlier: bool, broker: Broker, config: Config
) -> None:
    before, new = earlier_topics_of("taptable", LIVING_ROOM), topics_of("taptable", LIVING_ROOM)
    async with a_client(broker.account(OBSERVER)) as eye:
        await eye.publish(before.state, state, qos=1, retain=True)
        await eye.publish(before.online, OFFLINE.encode(), qos=1, retain=True)
        topics = before if earlier else new
        async with speaking(called(config, LIVING_ROOM), broker, topics):
            assert (await retained_at(broker, new.state) is None) == earlier
        await eye.publish(before.state, b"", qos=1, retain=True)
    # from then on it is known by the file
    assert config.mqtt is not None
    assert Retained(file_of(config), config.mqtt, LIVING_ROOM).topics == topics
    assert Retained(file_of(config), config.mqtt, "living room").topics == topics_of("taptable", "living room")


async def test_a_broker_that_drops_messages_is_reported(
    broker: Broker, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    other = called(config, "den", account=broker.account())
    await _dropped(other, f"{discovery_topic(PREFIX, DEN)}, {DEN.online}, {DEN.state}", "write there", caplog)


async def test_a_broker_of_3_1_1_that_drops_messages_is_reported(
    broker: Broker, config: Config, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "VERSIONS", (process.VERSIONS[-1],))
    monkeypatch.setattr(process, "ECHO_S", 0.5)
    await _dropped(called(config, "den", account=broker.account()), DEN.online, "write and read there", caplog)
    caplog.clear()
    monkeypatch.setattr(process, "ECHO_S", DEADLINE_S)
    async with speaking(called(config, NAME, account=broker.account()), broker, HOME):
        while (published := read_published(file_of(config))) is None or published.troubles:
            await asyncio.sleep(0.01)
    assert "drops" not in caplog.text
    assert await retained_at(broker, HOME.online) == OFFLINE.encode()


async def _dropped(config: Config, topics: str, wanted: str, caplog: pytest.LogCaptureFixture) -> None:
    """Run a table until its bridge records that the broker drops messages at these topics."""
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets), a_bridge(config, sockets):
            while (published := read_published(file_of(config))) is None or not published.troubles:
                await asyncio.sleep(0.01)
    sentence = f"the broker drops the table's messages at {topics}: its access list must let the account table {wanted}"
    assert published.troubles == (sentence,)
    assert caplog.text.count(sentence) == 1
