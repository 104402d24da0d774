"""The topics at which a table retains messages at its broker, remembered in a file, so that the table keeps its topics
and ids, and clears those that became obsolete by a change of its name or configuration. Must not know what the messages
contain, except the table's name in its state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from taptable.bridge.discovery import discovery_topic
from taptable.bridge.state_files import StateStore
from taptable.bridge.topics import ONLINE, TableTopics, are_the_same, earlier_topics_of, normalize_name, topics_of
from taptable.config import Config, MqttSettings
from taptable.uplink.broker import BrokerClient

RETAINED_S = 2.0
"""Seconds to wait for a broker's retained messages after a subscription."""
VANISHED_S = 30.0
"""Seconds after which a broker has surely announced a vanished bridge as offline."""
USUAL_PREFIX = "homeassistant"
"""The default of Home Assistant's discovery prefix, and of `MqttSettings.discovery`."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Published:
    """The contents of the state file: the table's name and base; whether it has the ids of version 0.2; the topics at
    which it may have retained messages, by the topic `online` of the name that it had then; and, as sentences, what is
    wrong with the connection."""

    name: str = ""
    base: str = ""
    earlier: bool = False
    retained: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    troubles: tuple[str, ...] = ()


class _PublishedStore(StateStore[Published]):
    empty = Published()
    unreadable_message = damaged_message = (
        "State of the MQTT messages not read from {path}, the broker is asked again: {why}"
    )
    unwritable_message = "State of the MQTT messages not written to {path}, old topics may stay retained: {why}"


class _RetainedState(msgspec.Struct):
    """The only field of a retained `TableState` that is read here."""

    table: str


def state_file_of(folder: Path, config: Config) -> Path:
    """Return the path of the state file about a table's messages. A folder may contain those of several tables."""
    return folder / f"mqtt-{config.table.journal.stem}.json"


def read_published(path: Path) -> Published | None:
    """Return the contents of a bridge's state file; None if there is none, or it can't be decoded. Raises `OSError` if
    it can't be opened."""
    try:
        published, damage = _PublishedStore.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    return None if damage else published


def is_state_of(payload: bytes, name: str) -> bool:
    """Return whether a payload is the state of a table with this name."""
    try:
        return normalize_name(msgspec.json.decode(payload, type=_RetainedState).table) == normalize_name(name)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False


class Retained:
    """The retained topics of the table with this name, as far as the file at `path` knows them. `topics` is None until
    `determine_topics` has found out whether the table had topics at the broker before the file existed."""

    def __init__(self, path: Path, settings: MqttSettings, name: str) -> None:
        self._file = _PublishedStore(path)
        self._settings = settings
        self._name = normalize_name(name)
        self._usual_topics = topics_of(settings.base, name)
        self._earlier = earlier_topics_of(settings.base, name)
        self._guessed: set[str] = set()
        self._troubles: dict[str, str] = {}
        self.topics: TableTopics | None = None
        saved = self._file.value
        if self._file.existed:
            is_same = (saved.name, saved.base) == (self._name, settings.base)
            self._take(self._earlier if is_same and saved.earlier else self._usual_topics)
        elif are_the_same(self._usual_topics, self._earlier):
            self._take(self._usual_topics)

    # ---- topics

    @property
    def probe_topics(self) -> TableTopics:
        """The topics and ids with which to ask the broker before they are determined."""
        return self._usual_topics

    async def determine_topics(self, client: BrokerClient) -> None:
        """Ask the broker whether this table has published there under the ids of version 0.2, and keep them if so."""
        retained = await _fetch_retained(client, [self._earlier.state])
        had_earlier_ids = is_state_of(retained.get(self._earlier.state, b""), self._name)
        self._take(self._earlier if had_earlier_ids else self._usual_topics)

    def _take(self, topics: TableTopics) -> None:
        """Use these topics from now on. They are on the disk before anything is published there."""
        self.topics = topics
        before = dict(self._file.value.retained)
        if not self._file.existed:
            # up to version 0.2 nothing remembered what discovery had retained when it was turned off
            self._guessed = {discovery_topic(USUAL_PREFIX, topics)} - set(self._retained_now)
        own_topics = dict.fromkeys((*before.get(topics.online, ()), *self._retained_now, *self._guessed))
        retained = {**before, topics.online: tuple(own_topics)}
        self._keep(Published(self._name, self._settings.base, topics.earlier, retained))

    @property
    def _retained_now(self) -> Sequence[str]:
        """Topics at which this table retains messages now."""
        assert self.topics is not None
        prefix = self._settings.discovery
        return (*([discovery_topic(prefix, self.topics)] if prefix else []), self.topics.state, self.topics.online)

    # ---- leftovers at other topics

    @property
    def leftovers(self) -> Mapping[str, Sequence[str]]:
        """Topics at which this table may have retained messages in the past and doesn't now, in the form of
        `Published`."""
        now = set(self._retained_now)
        each = self._file.value.retained.items()
        leftovers = {online: [topic for topic in topics if topic not in now] for online, topics in each}
        return {online: topics for online, topics in leftovers.items() if topics}

    async def clear(self, client: BrokerClient) -> None:
        """Clear the leftovers, except where another table publishes by now."""
        assert self.topics is not None
        leftovers, closed, cleared = self.leftovers, dict[str, tuple[str, ...]](), False
        in_use = await _topics_online(client, [online for online in leftovers if online != self.topics.online])
        for online, topics in leftovers.items():
            if online in in_use:
                continue
            arrived = [topic for topic in topics if await client.deliver(topic, b"", retain=True)]
            cleared = cleared or bool(set(arrived) - self._guessed)
            if not_cleared := tuple(topic for topic in topics if topic not in arrived and topic not in self._guessed):
                closed[online] = not_cleared
        if closed:
            _log.warning(
                "Retained messages not cleared at %s: the broker's access list must let the account %s write there",
                ", ".join(topic for topics in closed.values() for topic in topics),
                self._settings.account.user or "without a name",
            )
        if cleared:
            _log.info("Retained messages of an earlier name or configuration cleared")
        own_topics = (*closed.pop(self.topics.online, ()), *self._retained_now)
        self._keep(replace(self._file.value, retained={**closed, self.topics.online: own_topics}))

    # ---- faults

    def trouble(self, kind: str, sentence: str) -> None:
        """Store a sentence about a kind of fault for the doctor; "" when it is over."""
        self._troubles[kind] = sentence
        self._keep(replace(self._file.value, troubles=tuple(filter(None, self._troubles.values()))))

    def _keep(self, published: Published) -> None:
        if self.topics is not None:
            self._file.save(published)


async def _topics_online(client: BrokerClient, onlines: Sequence[str]) -> set[str]:
    """Return at which of these topics somebody else is online. Waits for one that has only vanished to be announced."""
    if not onlines:
        return set()
    retained = await _fetch_retained(client, onlines)
    if ONLINE.encode() in retained.values():
        await asyncio.sleep(VANISHED_S)
        retained = await _fetch_retained(client, onlines)
    return {topic for topic, payload in retained.items() if payload == ONLINE.encode()}


async def _fetch_retained(client: BrokerClient, topics: Sequence[str]) -> dict[str, bytes]:
    """Return the messages that a broker has retained at these topics, as far as this account may read them."""
    found: dict[str, bytes] = {}
    for topic in topics:
        await client.subscribe(topic, qos=1)
    try:
        async with asyncio.timeout(RETAINED_S):
            async for message in client.messages:
                found[str(message.topic)] = bytes(message.payload)
                if len(found) == len(topics):
                    break
    except TimeoutError:
        pass
    for topic in topics:
        await client.unsubscribe(topic)
    return found
