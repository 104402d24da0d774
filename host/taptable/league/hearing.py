"""Which tables a worker hears at the broker: each of those whose shards it holds, by a subscription of its own. So one
that floods can be left out for a while, and what it says ends at the broker, which has nobody to pass it on to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from aiomqtt import Client, Message

from taptable.league.limits import (
    LONGEST_ASIDE_MS,
    MOST_REFUSED,
    REFUSED_WITHIN_S,
    UNHEARD_BYTES,
    aside_ms,
)
from taptable.uplink.broker import subscribed
from taptable.uplink.messages import ROOT

AT_ONCE = 100
"""Tables in one request to the broker."""


class UnheardQueue(asyncio.Queue[Message]):
    """What the client has received and nobody has looked at yet: full at so many bytes, too. What comes then is lost,
    and sent again by its table."""

    _bytes = 0

    def full(self) -> bool:
        """Is there no more room?"""
        return super().full() or self._bytes >= UNHEARD_BYTES

    def _put(self, item: Message) -> None:
        self._bytes += _size(item)
        super()._put(item)

    def _get(self) -> Message:
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


class Hearing:
    """The tables of one worker. `outside_s` is a time in seconds."""

    def __init__(self, outside_s: Callable[[], float] = time.monotonic) -> None:
        self._outside_s = outside_s
        self._tables: frozenset[str] = frozenset()
        self._heard: set[str] = set()
        self._refused: dict[str, _Refused] = {}
        self._turn = asyncio.Lock()

    def are(self, tables: Collection[str]) -> None:
        """These are to be heard from now on, once `keep` has seen to it."""
        self._tables = frozenset(tables)

    def refuse(self, table: str) -> bool:
        """There was no room for a message of this table; is it to be left out for a while from now on?"""
        now_s = self._outside_s()
        refused = self._refused.setdefault(table, _Refused(now_s))
        if now_s < refused.until_s:
            return False  # what was on its way
        if now_s - refused.since_s > REFUSED_WITHIN_S:
            refused.since_s, refused.count = now_s, 0
        if now_s - refused.until_s > LONGEST_ASIDE_MS / 1000:
            refused.times = 0
        refused.count += 1
        if refused.count < MOST_REFUSED:
            return False
        refused.times, refused.count = refused.times + 1, 0
        refused.until_s = now_s + aside_ms(refused.times) / 1000
        return True

    @property
    def left_out(self) -> set[str]:
        """The tables that aren't to be heard now."""
        now_s = self._outside_s()
        return {table for table, refused in self._refused.items() if now_s < refused.until_s}

    def begin(self) -> None:
        """The connection is a new one, by which nobody is heard yet."""
        self._heard.clear()

    async def keep(self, client: Client) -> None:
        """Hear at this client those who are to be heard, and nobody else; `MqttError` if it can't be so."""
        async with self._turn:
            wanted = self._tables - self.left_out
            for some in _in_parts(sorted(self._heard - wanted)):
                await client.unsubscribe([_topic(table) for table in some])
                self._heard -= set(some)
            for some in _in_parts(sorted(wanted - self._heard)):
                await subscribed(client, *(_topic(table) for table in some), qos=1)
                self._heard |= set(some)


def _topic(table: str) -> str:
    return f"{ROOT}/{table}/up/#"


def _in_parts(tables: list[str]) -> list[list[str]]:
    return [tables[first : first + AT_ONCE] for first in range(0, len(tables), AT_ONCE)]


def _size(message: Message) -> int:
    return len(bytes(message.payload))  # pyright: ignore[reportArgumentType]
