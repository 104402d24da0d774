"""Messages that wait to be taken in: a few of each table, so that one that sends too much only loses its own, and table
after table when they are taken, those last that took long before. What is lost here was never confirmed, and is sent
again."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence

from taptable.league.ingest import Message
from taptable.league.limits import SHARE_OF_A_TABLE, TAKEN_OF_A_TABLE_BYTES, WAITING_BYTES, WAITING_OF_A_TABLE
from taptable.uplink.messages import LONGEST, table_of


class Pending:
    """At most so many bytes, and messages of one table."""

    def __init__(
        self,
        most_bytes: int = WAITING_BYTES,
        most_of_a_table: int = WAITING_OF_A_TABLE,
        outside_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes = most_bytes
        self._most_of_a_table = most_of_a_table
        self._waiting: OrderedDict[str, deque[Message]] = OrderedDict()
        self._bytes = 0
        self._outside_s = outside_s
        self._not_before_s: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, message: Message) -> bool:
        """Let it wait, the whole of it unless it is too long anyway; False if there is no room for it."""
        payload = message.payload[: LONGEST + 1]
        waiting = self._waiting.setdefault(table_of(message.topic), deque())
        if waiting and (len(waiting) >= self._most_of_a_table or self._bytes + len(payload) > self._most_bytes):
            return False
        waiting.append(Message(message.topic, payload))
        self._bytes += len(payload)
        return True

    def take(self, most_bytes: int) -> list[Message]:
        """Some of them, of each table in its order: the tables that have waited longest first, and those that took long
        only where no other waits."""
        now_s = self._outside_s()
        self._not_before_s = {table: until_s for table, until_s in self._not_before_s.items() if until_s > now_s}
        tables = [table for table in self._waiting if table not in self._not_before_s] or list(self._waiting)
        taken: list[Message] = []
        for table in tables:
            if most_bytes <= 0:
                break
            some = self._some_of(table)
            most_bytes -= sum(len(message.payload) for message in some)
            taken += some
        return taken

    def drop(self, table: str) -> None:
        """Forget what waits of a table."""
        self._bytes -= sum(len(message.payload) for message in self._waiting.pop(table, ()))

    def took(self, spent_s: Mapping[str, float]) -> None:
        """So much time was spent with what these tables sent: each has its share."""
        now_s = self._outside_s()
        for table, each_s in spent_s.items():
            self._not_before_s[table] = now_s + each_s * (1 / SHARE_OF_A_TABLE - 1)

    def _some_of(self, table: str) -> list[Message]:
        waiting, some, size = self._waiting[table], list[Message](), 0
        while waiting and (not some or size + len(waiting[0].payload) <= TAKEN_OF_A_TABLE_BYTES):
            some.append(waiting.popleft())
            size += len(some[-1].payload)
        self._bytes -= size
        if waiting:
            self._waiting.move_to_end(table)
        else:
            del self._waiting[table]
        return some

    def put_back(self, unheard: Sequence[Message], left: Sequence[Message]) -> None:
        """Let messages that were taken wait again, before what came from their tables since: the `unheard` are taken
        first the next time, and what is `left` after all others."""
        for first, messages in ((True, unheard), (False, left)):
            for message in reversed(messages):
                table = table_of(message.topic)
                self._waiting.setdefault(table, deque()).appendleft(message)
                self._waiting.move_to_end(table, last=not first)
                self._bytes += len(message.payload)
