"""Somebody is deleted, and a name that was typed in is redacted, at a table that runs with its page, its bridge and all
who look on: neither is to be found anywhere afterwards, from that moment on."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import pytest
from cli.commands import Terminal
from deadline import DEADLINE_S
from page_server.rig import Client, Table, a_client, a_daemon, a_folder_of_sockets, a_page, get
from ports import free_port
from taptable.api.socket_paths import FOLDER_VARIABLE
from taptable.config import Config, MqttSettings
from taptable.core.game_options import GameOptions
from taptable.sim.setting_up import set_up

from bridge.broker import OBSERVER, Broker, Listener, a_listener, retained_at
from bridge.rig import NAME, a_bridge, tap

MEMBER, GUEST = "Quirin", "Xaver"
NAMES = (MEMBER, GUEST)
TAPTABLE = Path(sys.executable).with_name("taptable")


def a_config(folder: Path, settings: MqttSettings) -> Config:
    """The configuration of a table with a page, whose names may go out by MQTT."""
    config = set_up(folder, "online", GameOptions(2, "de", {}, 1), "en", page=free_port())
    return replace(config, table=replace(config.table, name=NAME), mqtt=settings)


@dataclass
class Evening:
    """A table, all its listeners, and the commands of somebody with a terminal there."""

    table: Table
    listener: Listener
    terminal: Terminal
    environment: dict[str, str]
    clients: list[Client] = field(default_factory=list)

    async def run(self, *arguments: str) -> str:
        """The output of a command about this table's journal."""
        ran = await asyncio.to_thread(self.terminal.run, *arguments, "--config", self.table.config.file)
        assert ran.status == 0, ran.err
        return ran.out

    async def _start(self, *arguments: str) -> Process:
        return await asyncio.create_subprocess_exec(
            TAPTABLE, *arguments, stdout=PIPE, stderr=PIPE, env=self.environment
        )

    @asynccontextmanager
    async def following(self) -> AsyncIterator[Process]:
        """``taptable status --follow``."""
        process = await self._start("status", "--json", "--follow", "--config", str(self.table.config.file))
        try:
            yield process
        finally:
            process.kill()
            await process.communicate()

    async def ask(self, verb: str, **fields: object) -> dict[str, object]:
        """Send a request from the first client and return the page's answer."""
        answer = await self.clients[0].ask(verb, **fields)
        assert answer["ok"], answer
        return answer

    async def all_see(self, seen: Callable[[Client], bool]) -> None:
        """Wait until every client does."""
        async with asyncio.timeout(DEADLINE_S):
            for client in self.clients:
                await client.until(seen)


@asynccontextmanager
async def an_evening(folder: Path, broker: Broker, capsys: pytest.CaptureFixture[str]) -> AsyncIterator[Evening]:
    """Two devices and an overlay look on."""
    config = a_config(folder, broker.settings(names=True))
    async with AsyncExitStack() as stack:
        sockets = stack.enter_context(a_folder_of_sockets())
        stack.enter_context(pytest.MonkeyPatch.context()).setenv(FOLDER_VARIABLE, str(sockets))
        listener = await stack.enter_async_context(a_listener(broker, OBSERVER))
        table = await stack.enter_async_context(a_daemon(config, sockets))
        table.served = await stack.enter_async_context(a_page(config, sockets))
        await stack.enter_async_context(a_bridge(config, sockets))
        await asyncio.wait_for(table.page.game_known.wait(), DEADLINE_S)
        evening = Evening(table, listener, Terminal(capsys), {**os.environ, FOLDER_VARIABLE: str(sockets)})
        for more in ({}, {"language": "de"}, {"in_public": True}):
            client = await stack.enter_async_context(a_client(table.port))
            await client.hello(**more)
            evening.clients.append(client)
        yield evening


async def plays(evening: Evening) -> None:
    """Two games with both names in them, the second under way and paused."""
    await evening.ask("enrol-member", name=MEMBER)
    member = evening.table.daemon.members.all[0].id
    await evening.ask("enrol-member-stop")
    await evening.ask("save-preset", name="Sunday", players=2, names=["", GUEST])
    for _ in range(2):
        await evening.ask("name-players", names=["", GUEST])
        await evening.ask("seat-member", member=member, seat=1)
        await tap(evening.table, "online#1", 1)
        await tap(evening.table, "email#1", 2)
        await evening.ask("new-game")
    await tap(evening.table, "online#1", 1)
    await evening.ask("pause")
    await evening.ask("game", id=1)  # it is kept


def texts_of(client: Client, boot: str | None) -> str:
    """Everything that a client was sent since that boot of the feed, and everything that it shows."""
    told = [message for message in client.messages if message["boot"] == boot]
    return json.dumps([told, client.parts, client.items], ensure_ascii=False)


def log_of(client: Client) -> list[str]:
    """The sentences of the log."""
    return [item["text"] for _, item in sorted(client.items.get("log", {}).items())]


async def everything(evening: Evening) -> dict[str, str]:
    """All that can be had of the table afterwards, by where."""
    table = evening.table
    found = {f"client {at}": texts_of(client, client.boot) for at, client in enumerate(evening.clients)}
    for more in ({}, {"language": "fr"}, {"in_public": True}):
        async with a_client(table.port) as newcomer:
            found[f"newcomer {more}"] = json.dumps(await newcomer.hello(**more), ensure_ascii=False)
    listed = await evening.ask("games")
    found["games"] = json.dumps(listed, ensure_ascii=False)
    for game in (1, 2, 3):
        for verb in ("game", "steps", "position"):
            answer = await evening.ask(verb, id=game, **({"number": 0} if verb == "position" else {}))
            found[f"{verb} {game}"] = json.dumps(answer, ensure_ascii=False)
        found[f"file {game}"] = (await get(table.port, f"/games/game-{game}.json")).body.decode()
    found["export"] = await evening.run("games", "export", "1")
    found["show"] = await evening.run("games", "show", "1")
    found["list"] = await evening.run("games")
    found["status"] = await evening.run("status", "--json")
    for topic, read in table.daemon.api.topics.items():
        found[f"topic {topic}"] = msgspec.json.encode(read()).decode()
    for file in table.config.table.journal.parent.iterdir():
        if file.is_file() and file.name != "table.toml":
            found[file.name] = file.read_bytes().decode("latin-1")
    return found


async def test_whoever_is_forgotten_is_named_nowhere_and_nobody_has_to_load_anything_again(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async with an_evening(tmp_path, broker, capsys) as evening:
        await plays(evening)
        await evening.listener.state(lambda said: said["names"] == ["", GUEST])
        await evening.all_see(
            lambda client: client.parts["names"] == [MEMBER, GUEST] and client.parts["turn"]["paused"]
        )
        assert all(any(name in line for line in log_of(client)) for client in evening.clients for name in NAMES)
        async with evening.following() as following:
            assert following.stdout is not None
            assert GUEST.encode() in await asyncio.wait_for(following.stdout.readline(), DEADLINE_S)
            # deleted, and renamed nowhere else: the guest is still called so
            before = [client.boot for client in evening.clients]
            await evening.run("members", "delete", MEMBER)
            await evening.all_see(lambda client: client.boot not in before and client.parts["names"] == ["", GUEST])
            for client in evening.clients:
                assert MEMBER not in texts_of(client, client.boot)
                assert any(GUEST in line for line in log_of(client))
            # redacted
            before = [client.boot for client in evening.clients]
            assert "Blotted out: 0." not in await evening.run("members", "blot", GUEST)
            await evening.listener.state(lambda said: said["names"] == ["", ""])
            await evening.all_see(
                lambda client: client.boot not in before and client.parts["names"] == ["", ""] and bool(log_of(client))
            )
            said = b""
            while b'"names":["",""]' not in said:
                said = await asyncio.wait_for(following.stdout.readline(), DEADLINE_S)
                assert MEMBER.encode() not in said
        found = await everything(evening)
        found["retained"] = str(await retained_at(broker, f"taptable/{NAME}/state"))
        # the game goes on, and so does its log
        evening.table.hardware.press(1)
        await evening.all_see(lambda client: not client.parts["turn"]["paused"])
        found |= {f"client {at} afterwards": texts_of(client, client.boot) for at, client in enumerate(evening.clients)}
    found["log"] = caplog.text
    assert {where: name for where, text in found.items() for name in NAMES if name in text} == {}


async def test_a_log_begins_with_its_game_and_calls_players_as_they_were_called_then(
    broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with an_evening(tmp_path, broker, capsys) as evening:
        await evening.ask("name-players", names=["Ada", "Bo"])
        await tap(evening.table, "online#1", 1)
        await evening.ask("name-players", names=["Cy", "Bo"])
        client = evening.clients[0]
        assert any("Ada" in line for line in log_of(client))
        await evening.ask("new-game")
        assert not any("Ada" in line for line in log_of(client))
        assert log_of(client)[0].startswith("New game")
        async with a_client(evening.table.port) as newcomer:
            await newcomer.hello()
            assert log_of(newcomer) == log_of(client)
