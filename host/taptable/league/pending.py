"""Messages that wait to be taken in: a few of each table, so that one that sends too much only loses its own, and table
after table when they are taken. What is lost here was never confirmed, and is sent again."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence

from taptable.league.ingest import Message
from taptable.league.limits import WAITING_BYTES, WAITING_OF_A_TABLE
from taptable.uplink.messages import LONGEST, table_of


class Pending:
    """At most so many bytes, and messages of one table."""

    def __init__(self, most_bytes: int = WAITING_BYTES, most_of_a_table: int = WAITING_OF_A_TABLE) -> None:
        self._most_bytes = most_bytes
        self._most_of_a_table = most_of_a_table
        self._waiting: OrderedDict[str, deque[Message]] = OrderedDict()
        self._bytes = 0

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
        """Some of them, of each table in its order: the tables that have waited longest first, all that one has."""
        taken: list[Message] = []
        while self._waiting and most_bytes > 0:
            _, waiting = self._waiting.popitem(last=False)
            size = sum(len(message.payload) for message in waiting)
            self._bytes -= size
            most_bytes -= size
            taken += waiting
        return taken

    def put_back(self, unheard: Sequence[Message], left: Sequence[Message]) -> None:
        """Let messages that were taken wait again, before what came from their tables since: the `unheard` are taken
        first the next time, and what is `left` after all others."""
        for first, messages in ((True, unheard), (False, left)):
            for message in reversed(messages):
                table = table_of(message.topic)
                self._waiting.setdefault(table, deque()).appendleft(message)
                self._waiting.move_to_end(table, last=not first)
                self._bytes += len(message.payload)
