"""The bridge's process: one link to the table, and a connection for each of what the configuration has, the messages of
the table and the league, from its start until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Collection, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from aiomqtt import MqttError, ProtocolVersion, Will

from taptable import __version__
from taptable.api.facts import TableFacts
from taptable.api.link import TableLink, TableListener
from taptable.bridge.commands import forward_command
from taptable.bridge.connection import keep_connected, run_once, run_until_first_ends
from taptable.bridge.discovery import birth_topic
from taptable.bridge.league_uplink import LeagueUplink
from taptable.bridge.outbox import MqttOutbox
from taptable.bridge.publisher import TablePublisher
from taptable.bridge.retained import Retained, state_file_of
from taptable.bridge.state_files import UplinkStateFile, league_state_file_of
from taptable.bridge.topics import OFFLINE, ONLINE, TableTopics, short_client_id
from taptable.config import Config, MqttSettings, UplinkSettings
from taptable.config.passwords import read_key
from taptable.uplink.broker import BrokerClient

STATE_FOLDER_VARIABLE = "STATE_DIRECTORY"
"""The environment variable by which systemd names the folder that a service may write in."""

VERSIONS = (ProtocolVersion.V5, ProtocolVersion.V311)
"""Of MQTT: one of version 5 says what it drops, and who is thrown out by whom."""
ECHO_S = 10.0
"""How long a broker may take to say what was said to itself."""
LEAVE_S = 1.0
"""How long a broker may take to hear that the bridge ends."""

_log = logging.getLogger(__name__)


class TableListeners:
    """Several who are told of one table."""

    def __init__(self, listeners: Sequence[TableListener]) -> None:
        self._listeners = listeners

    def on_connected(self, facts: TableFacts) -> None:
        """It is there."""
        for onlooker in self._listeners:
            onlooker.on_connected(facts)

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """These of its topics are so now."""
        for onlooker in self._listeners:
            onlooker.on_topics_changed(topics)

    def on_disconnected(self) -> None:
        """It isn't there any more."""
        for onlooker in self._listeners:
            onlooker.on_disconnected()


class Messages:
    """What is said of a table of that name by MQTT, and heard, as the configuration wants it. What was retained at the
    broker is remembered in a file."""

    def __init__(self, link: TableLink, settings: MqttSettings, name: str, state_file: Path) -> None:
        self._link = link
        self._settings = settings
        self._retained = Retained(state_file, settings, name)
        self._settled = asyncio.Event()
        topics = self._retained.topics
        self._outbox = MqttOutbox("" if topics is None else topics.event, self._dropped)
        self.publisher = TablePublisher(link, settings, topics, self._outbox)

    @property
    def tasks(self) -> Sequence[Coroutine[Any, Any, None]]:
        """What is to be run, for good."""
        return self.publisher.following.keep_up(), self._publish(), self._clear()

    async def _publish(self) -> None:
        """Find out at which topics to speak, where nobody has kept that, and then speak there for good."""
        account = self._settings.account
        if self._retained.topics is None:
            await run_once(account, self._retained.probe_topics.client, self._retained.determine_topics, VERSIONS)
            assert self._retained.topics is not None
            self._outbox.event_topic = self._retained.topics.event
            self.publisher.publish_at(self._retained.topics)
        self._settled.set()
        topics = self._retained.topics
        will = Will(topics.online, OFFLINE, qos=1, retain=True)
        serve = partial(self._serve, topics)
        report = partial(self._retained.trouble, "twin")
        await keep_connected(account, topics.client, serve, will, report=report, versions=VERSIONS)

    async def _clear(self) -> None:
        """Clear what is retained of what is no more, and then do nothing for good."""
        await self._settled.wait()
        if self._retained.leftovers:
            identifier = short_client_id(f"{self._retained.probe_topics.client} clears")
            await run_once(self._settings.account, identifier, self._retained.clear, VERSIONS)
        await asyncio.get_running_loop().create_future()

    def _dropped(self, topics: Collection[str], access: str = "write") -> None:
        """Log and keep at which topics the broker drops what is said, where the account wants to `wanted`."""
        sentence = ""
        if topics:
            sentence = (
                f"the broker drops what the table says at {', '.join(topics)}: its access list is to let the account"
                f" {self._settings.account.user or 'without a name'} {access} there"
            )
            _log.warning("%s", sentence)
        self._retained.trouble("dropped", sentence)

    async def _serve(self, topics: TableTopics, client: BrokerClient) -> None:
        try:
            await run_until_first_ends(self._outbox.send(client), self._receive(topics, client))
        except asyncio.CancelledError:
            # a broker says by itself only of those who vanish that they are gone
            with suppress(MqttError):
                await client.publish(topics.online, OFFLINE, qos=1, retain=True, timeout=LEAVE_S)
            raise

    async def _receive(self, topics: TableTopics, client: BrokerClient) -> None:
        """Commands, if they are taken, and that Home Assistant has started, which knows nothing then."""
        birth = birth_topic(self._settings.discovery) if self._settings.discovery else None
        heard = [topics.command] if self._settings.commands else []
        if birth is not None:
            heard.append(birth)
        for topic in heard:
            await client.subscribe(topic, qos=1)
        with self._echo(topics, client) as echoed:
            if not client.reports_drops:
                await client.subscribe(topics.online, qos=1)
                now = self._outbox.retained_at(topics.online) or OFFLINE.encode()
                await client.publish(topics.online, now, qos=1, retain=True)
            async for message in client.messages:
                topic = str(message.topic)
                if topic == birth:
                    if message.payload == ONLINE.encode():
                        self._outbox.resend_all()
                elif message.retain:  # which would be of some earlier time
                    pass
                elif topic == topics.online:
                    echoed()
                else:
                    await forward_command(message.payload, self._link)

    @contextmanager
    def _echo(self, topics: TableTopics, client: BrokerClient) -> Generator[Callable[[], None]]:
        """Take note if nothing that is said at `online` comes back soon, where a broker doesn't tell what it drops. The
        function that is given is to be called when something does."""
        if client.reports_drops:
            yield lambda: None
            return
        missed = asyncio.get_running_loop().call_later(ECHO_S, self._dropped, [topics.online], "write and read")

        def echoed() -> None:
            if not missed.cancelled():
                missed.cancel()
                self._dropped([])

        try:
            yield echoed
        finally:
            missed.cancel()


async def serve(config: Config, table: Path) -> None:
    """Run the bridge of the table that answers at the socket `table`, or will, until SIGTERM or SIGINT."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    link = TableLink(table)
    folder = Path(os.environ.get(STATE_FOLDER_VARIABLE, config.table.journal.parent))
    onlookers: list[TableListener] = []
    doing: list[Coroutine[Any, Any, None]] = []
    if config.mqtt is not None:
        messages = Messages(link, config.mqtt, config.table.name, state_file_of(folder, config))
        onlookers.append(messages.publisher)
        doing += messages.tasks
    if config.league is not None:
        uplink = make_uplink(config.league, link, folder)
        onlookers.append(uplink)
        doing.append(keep_connected(config.league.account, config.league.table, uplink.serve))
    _log.info("taptable %s: the bridge of table %s", __version__, config.table.name)
    link.open(TableListeners(onlookers))
    try:
        # none of the others ends by itself but by a bug of ours
        await run_until_first_ends(_until(stopping), *doing)
    finally:
        await link.close()


def make_uplink(league: UplinkSettings, link: TableLink, folder: Path) -> LeagueUplink:
    """The way to the league of the table that answers at this link; what it confirmed last is kept in the folder.
    `ConfigError` if its key can't be read."""
    assert league.account.password_file is not None
    key = read_key(league.account.password_file)
    return LeagueUplink(league.table, key, link.call, UplinkStateFile(league_state_file_of(folder, league.table)))


async def _until(event: asyncio.Event) -> None:
    await event.wait()
