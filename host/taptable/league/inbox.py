"""What comes to a worker: which tables it hears at the broker, and what waits of theirs. It hears each of those whose
shards it holds by a subscription of its own. So one that floods can be left out for a while, and what it says ends at
the broker, which has nobody to pass it on to."""

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
    MOST_REFUSED,
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
"""Tables in one request to the broker."""


class UnheardQueue(asyncio.Queue[aiomqtt.Message]):
    """What the client has received and nobody has looked at yet: full at so many bytes, too. What comes then is lost,
    and sent again by its table."""

    _bytes = 0

    def full(self) -> bool:
        """Is there no more room?"""
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
    """Since when how many messages of a table found no room; how often it was left out in a row, and until when."""

    since_s: float
    count: int = 0
    times: int = 0
    until_s: float = 0.0


class TableSubscriptions:
    """The tables of one worker. `outside_s` is a time in seconds."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._tables: frozenset[str] = frozenset()
        self._subscribed: set[str] = set()
        self._refused: dict[str, _Refused] = {}
        self._lock = asyncio.Lock()

    def set_tables(self, tables: Collection[str]) -> None:
        """These are to be heard from now on, once `keep` has seen to it."""
        self._tables = frozenset(tables)

    def refuse(self, table: str) -> bool:
        """There was no room for a message of this table; is it to be left out for a while from now on?"""
        now_s = self._monotonic_s()
        refused = self._refused.setdefault(table, _Refused(now_s))
        if now_s < refused.until_s:
            return False  # what was on its way
        if now_s - refused.since_s > REFUSED_WITHIN_S:
            refused.since_s, refused.count = now_s, 0
        if now_s - refused.until_s > LONGEST_SUSPENSION_MS / 1000:
            refused.times = 0
        refused.count += 1
        if refused.count < MOST_REFUSED:
            return False
        refused.times, refused.count = refused.times + 1, 0
        refused.until_s = now_s + suspension_ms(refused.times) / 1000
        return True

    @property
    def suspended(self) -> set[str]:
        """The tables that aren't to be heard now."""
        now_s = self._monotonic_s()
        return {table for table, refused in self._refused.items() if now_s < refused.until_s}

    def begin(self) -> None:
        """The connection is a new one, by which nobody is heard yet."""
        self._subscribed.clear()

    async def update_subscriptions(self, client: aiomqtt.Client) -> None:
        """Hear at this client those who are to be heard, and nobody else; `MqttError` if it can't be so."""
        async with self._lock:
            wanted = self._tables - self.suspended
            for some in _in_parts(sorted(self._subscribed - wanted)):
                await client.unsubscribe([_topic(table) for table in some])
                self._subscribed -= set(some)
            for some in _in_parts(sorted(wanted - self._subscribed)):
                await subscribe(client, *(_topic(table) for table in some), qos=1)
                self._subscribed |= set(some)


def _topic(table: str) -> str:
    return f"{ROOT}/{table}/up/#"


def _in_parts(tables: list[str]) -> list[list[str]]:
    return [tables[first : first + AT_ONCE] for first in range(0, len(tables), AT_ONCE)]


def _size(message: aiomqtt.Message) -> int:
    return len(bytes(message.payload))  # pyright: ignore[reportArgumentType]


class MessageInbox:
    """Messages that wait to be taken in: a few of each table, so that one that sends too much only loses its own, and
    table after table when they are taken, those last that took long before. What finds no room was never confirmed, and
    is sent again. It holds at most `most_bytes`, and `most_of_a_table` messages of one table; `outside_s` is a time in
    seconds."""

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
        """Let it wait, the whole of it unless it is too long anyway; False if there is no room for it."""
        payload = message.payload[: LONGEST + 1]
        waiting = self._waiting.setdefault(table_of(message.topic), deque())
        if waiting and (len(waiting) >= self._most_of_a_table or self._bytes + len(payload) > self._most_bytes):
            return False
        waiting.append(MqttMessage(message.topic, payload))
        self._bytes += len(payload)
        return True

    def take(self, most_bytes: int) -> list[MqttMessage]:
        """Some of them, of each table in its order: the tables that have waited longest first, and those that took long
        only where no other waits."""
        now_s = self._monotonic_s()
        self._not_before_s = {table: until_s for table, until_s in self._not_before_s.items() if until_s > now_s}
        tables = [table for table in self._waiting if table not in self._not_before_s] or list(self._waiting)
        taken: list[MqttMessage] = []
        for table in tables:
            if most_bytes <= 0:
                break
            some = self._take_from(table)
            most_bytes -= sum(len(message.payload) for message in some)
            taken += some
        return taken

    def drop(self, table: str) -> None:
        """Forget what waits of a table."""
        self._bytes -= sum(len(message.payload) for message in self._waiting.pop(table, ()))

    def charge(self, spent_s: Mapping[str, float]) -> None:
        """So much time was spent with what these tables sent: each has its share."""
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
        """Let messages that were taken wait again, before what came from their tables since: the `unprocessed` are
        taken first the next time, and what is `left` after all others."""
        for first, messages in ((True, unprocessed), (False, deferred)):
            for message in reversed(messages):
                table = table_of(message.topic)
                self._waiting.setdefault(table, deque()).appendleft(message)
                self._waiting.move_to_end(table, last=not first)
                self._bytes += len(message.payload)
