"""A worker's inbox: the tables to which it subscribes at the broker, and their messages that wait to be stored. Each
table in the worker's shards has a subscription of its own, so that a table that floods can be suspended: the worker
unsubscribes, and the broker drops the table's messages. (A table whose messages can't be stored is suspended by
`Ingest` instead, which still receives them.) Must not know what the messages say."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import aiomqtt

from taptable.league.ingest import MqttMessage
from taptable.league.limits import (
    LONGEST_SUSPENSION_MS,
    MAX_REFUSED,
    QUEUED_BYTES,
    REFUSED_WITHIN_S,
    SHARE_OF_A_TABLE,
    TRANSACTION_OF_A_TABLE_BYTES,
    WAITING_BYTES,
    WAITING_OF_A_TABLE,
    suspension_ms,
)
from taptable.uplink.broker import subscribe
from taptable.uplink.messages import LONGEST, ROOT, table_of

AT_ONCE = 100
"""Tables in one request to subscribe or unsubscribe."""


class UnreadQueue(asyncio.Queue[aiomqtt.Message]):
    """The queue of received messages that nobody has read yet. It is also full at `QUEUED_BYTES`; messages beyond that
    are dropped, and their table sends them again."""

    _bytes = 0

    def full(self) -> bool:
        """Whether there is no more room, in messages or in bytes."""
        return super().full() or self._bytes >= QUEUED_BYTES

    def _put(self, item: aiomqtt.Message) -> None:
        self._bytes += _size(item)
        super()._put(item)

    def _get(self) -> aiomqtt.Message:
        item = super()._get()
        self._bytes -= _size(item)
        return item


@dataclass(slots=True)
class _Refused:
    """Messages of a table that found no room: how many since `since_s`, how often the table was suspended in a row, and
    until when."""

    since_s: float
    count: int = 0
    times: int = 0
    until_s: float = 0.0


class TableSubscriptions:
    """The subscriptions of one worker. `monotonic_s` returns the time in seconds."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._tables: frozenset[str] = frozenset()
        self._subscribed: set[str] = set()
        self._refused: dict[str, _Refused] = {}
        self._lock = asyncio.Lock()

    def set_tables(self, tables: Collection[str]) -> None:
        """Set the tables to subscribe to; `update_subscriptions` does so."""
        self._tables = frozenset(tables)

    def refuse(self, table: str) -> bool:
        """Count a message of this table for which there was no room; returns whether the table is suspended from now
        on."""
        now_s = self._monotonic_s()
        refused = self._refused.setdefault(table, _Refused(now_s))
        if now_s < refused.until_s:
            return False  # it was sent before the suspension
        if now_s - refused.since_s > REFUSED_WITHIN_S:
            refused.since_s, refused.count = now_s, 0
        if now_s - refused.until_s > LONGEST_SUSPENSION_MS / 1000:
            refused.times = 0
        refused.count += 1
        if refused.count < MAX_REFUSED:
            return False
        refused.times, refused.count = refused.times + 1, 0
        refused.until_s = now_s + suspension_ms(refused.times) / 1000
        return True

    @property
    def suspended(self) -> set[str]:
        """The tables that are suspended now because they flood."""
        now_s = self._monotonic_s()
        return {table for table, refused in self._refused.items() if now_s < refused.until_s}

    def begin(self) -> None:
        """Start over with a new connection, which has no subscriptions yet."""
        self._subscribed.clear()

    async def update_subscriptions(self, client: aiomqtt.Client) -> None:
        """Subscribe to the tables that aren't suspended, and unsubscribe from all others. Raises `MqttError` if that
        fails."""
        async with self._lock:
            tables = self._tables - self.suspended
            for some in _in_parts(sorted(self._subscribed - tables)):
                await client.unsubscribe([_topic(table) for table in some])
                self._subscribed -= set(some)
            for some in _in_parts(sorted(tables - self._subscribed)):
                await subscribe(client, *(_topic(table) for table in some), qos=1)
                self._subscribed |= set(some)


def _topic(table: str) -> str:
    return f"{ROOT}/{table}/up/#"


def _in_parts(tables: list[str]) -> list[list[str]]:
    return [tables[first : first + AT_ONCE] for first in range(0, len(tables), AT_ONCE)]


def _size(message: aiomqtt.Message) -> int:
    return len(bytes(message.payload))  # pyright: ignore[reportArgumentType]


class MessageInbox:
    """The queue of messages that wait to be stored: a few of each table, so that one that sends too much only loses its
    own. They are taken table by table, those last that took long before. Messages that find no room were never
    confirmed, and are sent again. Holds up to `most_bytes` in all, and `most_of_a_table` messages of one table;
    `monotonic_s` returns the time in seconds."""

    def __init__(
        self,
        most_bytes: int = WAITING_BYTES,
        most_of_a_table: int = WAITING_OF_A_TABLE,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes = most_bytes
        self._most_of_a_table = most_of_a_table
        self._waiting: OrderedDict[str, deque[MqttMessage]] = OrderedDict()
        self._bytes = 0
        self._monotonic_s = monotonic_s
        self._not_before_s: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, message: MqttMessage) -> bool:
        """Queue a message; returns False if there is no room. One that is too long to be valid is cut."""
        payload = message.payload[: LONGEST + 1]
        waiting = self._waiting.setdefault(table_of(message.topic), deque())
        if waiting and (len(waiting) >= self._most_of_a_table or self._bytes + len(payload) > self._most_bytes):
            return False
        waiting.append(MqttMessage(message.topic, payload))
        self._bytes += len(payload)
        return True

    def take(self, most_bytes: int) -> list[MqttMessage]:
        """Take messages of up to about `most_bytes`, those of each table in order: first of the tables that have waited
        longest, and of those that took long only if no other waits."""
        now_s = self._monotonic_s()
        self._not_before_s = {table: until_s for table, until_s in self._not_before_s.items() if until_s > now_s}
        tables = [table for table in self._waiting if table not in self._not_before_s] or list(self._waiting)
        messages: list[MqttMessage] = []
        for table in tables:
            if most_bytes <= 0:
                break
            some = self._take_from(table)
            most_bytes -= sum(len(message.payload) for message in some)
            messages += some
        return messages

    def drop(self, table: str) -> None:
        """Drop the waiting messages of a table."""
        self._bytes -= sum(len(message.payload) for message in self._waiting.pop(table, ()))

    def charge(self, spent_s: Mapping[str, float]) -> None:
        """Note the time that was spent on each table's messages, so that a table gets no more than its share."""
        now_s = self._monotonic_s()
        for table, each_s in spent_s.items():
            self._not_before_s[table] = now_s + each_s * (1 / SHARE_OF_A_TABLE - 1)

    def _take_from(self, table: str) -> list[MqttMessage]:
        waiting, some, size = self._waiting[table], list[MqttMessage](), 0
        while waiting and (not some or size + len(waiting[0].payload) <= TRANSACTION_OF_A_TABLE_BYTES):
            some.append(waiting.popleft())
            size += len(some[-1].payload)
        self._bytes -= size
        if waiting:
            self._waiting.move_to_end(table)
        else:
            del self._waiting[table]
        return some

    def put_back(self, unprocessed: Sequence[MqttMessage], deferred: Sequence[MqttMessage]) -> None:
        """Queue messages again that were taken, before those that their tables have sent since: tables in `unprocessed`
        are taken first the next time, those in `deferred` after all others."""
        for first, messages in ((True, unprocessed), (False, deferred)):
            for message in reversed(messages):
                table = table_of(message.topic)
                self._waiting.setdefault(table, deque()).appendleft(message)
                self._waiting.move_to_end(table, last=not first)
                self._bytes += len(message.payload)
