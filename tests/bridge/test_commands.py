"""Commands that others may send to a table by MQTT: a pause and its end, if the configuration allows them. Nothing else
has an effect, whatever message arrives and even if somebody has taken over the bridge."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from api.rig import Client
from api.rig import a_client as a_caller
from api.rig import at_table as at_an_api
from hypothesis import given
from hypothesis import strategies as st
from page_server.rig import a_daemon, a_folder_of_sockets
from taptable.api.requests import REQUESTS, VERSION, Change, Command, Reading, Role
from taptable.api.socket_paths import socket_path
from taptable.bridge.commands import COMMANDS, decode_command
from taptable.bridge.topics import TableTopics
from taptable.config import Account, Config, MqttSettings

from bridge.broker import Broker, a_client, a_listener
from bridge.rig import NAME, a_config, at_table

HOSTILE: tuple[bytes, ...] = (
    b"",
    b"\x00" * 1000,
    b"PAUSE",
    b"pause ",
    b'"pause"',
    b'{"command": "pause"}',
    b"end-game",
    b"\xff\xfe\xfd",
    b"[" * 100_000,
    b"pause\n" * 40_000,
    "päuse".encode(),
)
TOPIC = TableTopics("taptable", NAME).command
NOWHERE = Account("broker.invalid", 1883)


@given(st.binary(max_size=12) | st.sampled_from(HOSTILE))
def test_nothing_but_the_words_is_a_command(payload: bytes) -> None:
    assert (decode_command(payload) is not None) == (payload in {word.encode() for word in COMMANDS})


async def test_a_command_pauses_the_game_and_whatever_else_comes_does_nothing(broker: Broker, tmp_path: Path) -> None:
    async with a_client(broker.account("homeassistant")) as other:
        await other.publish(TOPIC, b"pause", qos=1, retain=True)  # of some earlier time
        async with (
            at_table(a_config(tmp_path, broker.settings(commands=True))) as table,
            a_listener(broker) as listener,
        ):
            await listener.online("online")
            for payload in HOSTILE:
                await other.publish(TOPIC, payload, qos=1)
            assert table.events == []
            await other.publish(TOPIC, b"pause", qos=1)
            await listener.state(lambda state: state["paused"])
            await asyncio.sleep(1.1)  # one is taken a second
            await other.publish(TOPIC, b"resume", qos=1)
            await listener.state(lambda state: not state["paused"])


async def test_without_commands_the_bridge_hears_none(broker: Broker, tmp_path: Path) -> None:
    async with at_table(a_config(tmp_path, broker.settings())) as table, a_listener(broker) as listener:
        await listener.online("online")
        async with a_client(broker.account("homeassistant")) as other:
            await other.publish(TOPIC, b"pause", qos=1)
        assert table.daemon.controller.session.table.paused_at_us is None


async def asked(config: Config, *commands: str) -> list[Any]:
    """The table's answers to somebody at the bridge's socket."""
    answers: list[Any] = []
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets):
            reader, writer = await asyncio.open_unix_connection(socket_path(sockets, Role.BRIDGE))
            client = Client(reader, writer)
            await client.call("hello", version=VERSION)
            for command in commands:
                answer = await client.answer("command", command=command)
                answers.append(answer.get("error", {}).get("data", {}).get("key") or "done")
            writer.close()
    return answers


@pytest.mark.parametrize(
    ("mqtt", "answer"),
    [
        (None, "no-commands"),
        (MqttSettings(NOWHERE), "no-commands"),
        (MqttSettings(NOWHERE, commands=True), "done"),
    ],
)
async def test_the_table_looks_at_its_own_configuration(mqtt: MqttSettings | None, answer: str, tmp_path: Path) -> None:
    config = replace(a_config(tmp_path, MqttSettings(NOWHERE)), mqtt=mqtt)
    assert await asked(config, "pause") == [answer]


async def test_the_table_takes_one_command_a_second(tmp_path: Path) -> None:
    config = a_config(tmp_path, MqttSettings(NOWHERE, commands=True))
    assert await asked(config, "pause", "resume", "resume") == ["done", "too-many", "too-many"]


def test_whoever_has_the_bridge_may_change_nothing_else() -> None:
    mine = {name: request for name, request in REQUESTS.items() if Role.BRIDGE in request.roles}
    assert not any(issubclass(request, Change) for request in mine.values())
    own = {name for name, request in mine.items() if not issubclass(request, Reading)}
    assert own == {"command", "stream", "positions", "member-secrets", "away-asked"}
    # all but the first read: the journal, members, and what members asked for
    assert Command.roles == {Role.BRIDGE}


async def test_the_bridge_never_learns_the_number_of_a_tag(tmp_path: Path) -> None:
    async with at_an_api(tmp_path) as table, a_caller(table, Role.BRIDGE) as client:
        await client.call("hello", version=VERSION)
        await client.call("subscribe", topics=["journal"])
        await client.until(lambda topics: topics["journal"]["game"])
        before = client.topics["journal"]["entry"]
        table.hardware.put("04deadbeef4242", 1)
        await client.until(lambda topics: topics["journal"]["entry"] > before)
        entries = await client.call("entries", game=client.topics["journal"]["game"])
    assert "04deadbeef4242" not in str(entries)
