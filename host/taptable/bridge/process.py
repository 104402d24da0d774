"""The bridge's process: one link to the table, and one connection each for the table's MQTT messages and for the
league, as configured, from its start until SIGTERM or SIGINT. It puts the other modules together, and must not know
what the messages contain."""

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
"""The environment variable in which systemd names the folder that a service may write to."""

VERSIONS = (ProtocolVersion.V5, ProtocolVersion.V311)
"""Versions of MQTT, the preferred one first: a broker of version 5 reports which messages it drops, and that another
client has taken over an id."""
ECHO_S = 10.0
"""Seconds within which a broker has to send our own message back to us; else it is assumed to drop our messages."""
LEAVE_S = 1.0
"""Seconds to try publishing that the bridge ends."""

_log = logging.getLogger(__name__)


class TableListeners:
    """Passes each event of the table on to several listeners."""

    def __init__(self, listeners: Sequence[TableListener]) -> None:
        self._listeners = listeners

    def on_connected(self, facts: TableFacts) -> None:
        """Pass on that the table has connected."""
        for listener in self._listeners:
            listener.on_connected(facts)

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Pass on which topics have changed."""
        for listener in self._listeners:
            listener.on_topics_changed(topics)

    def on_disconnected(self) -> None:
        """Pass on that the table is away."""
        for listener in self._listeners:
            listener.on_disconnected()


class Messages:
    """The MQTT messages of the table with this name, published and received as configured. The topics at which it
    retained messages are remembered in a state file."""

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
        """Coroutines to run as long as the bridge runs; none of them returns."""
        return self.publisher.following.keep_up(), self._publish(), self._clear()

    async def _publish(self) -> None:
        """Find out at which topics to publish, if no file has them, and then publish there. Never returns."""
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
        """Clear the retained messages that are obsolete, and then wait forever."""
        await self._settled.wait()
        if self._retained.leftovers:
            identifier = short_client_id(f"{self._retained.probe_topics.client} clears")
            await run_once(self._settings.account, identifier, self._retained.clear, VERSIONS)
        await asyncio.get_running_loop().create_future()

    def _dropped(self, topics: Collection[str], access: str = "write") -> None:
        """Log, and store for the doctor, the topics at which the broker drops messages because the account lacks this
        `access`; none: it drops no more."""
        sentence = ""
        if topics:
            sentence = (
                f"the broker drops the table's messages at {', '.join(topics)}: its access list must let the account"
                f" {self._settings.account.user or 'without a name'} {access} there"
            )
            _log.warning("Messages dropped: %s", sentence)
        self._retained.trouble("dropped", sentence)

    async def _serve(self, topics: TableTopics, client: BrokerClient) -> None:
        try:
            await run_until_first_ends(self._outbox.send(client), self._receive(topics, client))
        except asyncio.CancelledError:
            # by itself a broker announces only clients that vanish as gone
            with suppress(MqttError):
                await client.publish(topics.online, OFFLINE, qos=1, retain=True, timeout=LEAVE_S)
            raise

    async def _receive(self, topics: TableTopics, client: BrokerClient) -> None:
        """Receive commands, if they are allowed, and Home Assistant's start, after which it knows nothing and needs all
        retained messages again."""
        birth = birth_topic(self._settings.discovery) if self._settings.discovery else None
        subscriptions = [topics.command] if self._settings.commands else []
        if birth is not None:
            subscriptions.append(birth)
        for topic in subscriptions:
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
                elif message.retain:  # it would be from some earlier time
                    pass
                elif topic == topics.online:
                    echoed()
                else:
                    await forward_command(message.payload, self._link)

    @contextmanager
    def _echo(self, topics: TableTopics, client: BrokerClient) -> Generator[Callable[[], None]]:
        """Report if nothing that is published at `online` comes back within `ECHO_S`, where the broker doesn't report
        what it drops. The caller calls the yielded function when something does."""
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
    """Run the bridge of the table whose socket is `table`, whether it answers yet or not, until SIGTERM or SIGINT."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    link = TableLink(table)
    folder = Path(os.environ.get(STATE_FOLDER_VARIABLE, config.table.journal.parent))
    listeners: list[TableListener] = []
    coroutines: list[Coroutine[Any, Any, None]] = []
    if config.mqtt is not None:
        messages = Messages(link, config.mqtt, config.table.name, state_file_of(folder, config))
        listeners.append(messages.publisher)
        coroutines += messages.tasks
    if config.league is not None:
        uplink = make_uplink(config.league, link, folder)
        listeners.append(uplink)
        coroutines.append(keep_connected(config.league.account, config.league.table, uplink.serve))
    _log.info("Bridge started (taptable %s, table %s)", __version__, config.table.name)
    link.open(TableListeners(listeners))
    try:
        # the others end only by a bug of ours
        await run_until_first_ends(_until(stopping), *coroutines)
    finally:
        await link.close()


def make_uplink(league: UplinkSettings, link: TableLink, folder: Path) -> LeagueUplink:
    """Return the uplink of the table that answers at this link; its state file is in the folder. Raises `ConfigError`
    if its key can't be read."""
    assert league.account.password_file is not None
    key = read_key(league.account.password_file)
    return LeagueUplink(league.table, key, link.call, UplinkStateFile(league_state_file_of(folder, league.table)))


async def _until(event: asyncio.Event) -> None:
    await event.wait()
