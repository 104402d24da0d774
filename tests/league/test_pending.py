"""A table that sends too much loses its own messages, and delays nobody else's."""

from __future__ import annotations

from taptable.league.ingest import Message
from taptable.league.pending import Pending
from taptable.uplink.messages import LONGEST, Topics


def message(table: str, payload: bytes = b"x") -> Message:
    return Message(Topics(table).entries, payload)


def test_one_table_has_room_for_so_many() -> None:
    pending = Pending(most_of_a_table=2)
    assert [pending.put(message("loud", bytes([each]))) for each in range(3)] == [True, True, False]
    assert pending.put(message("quiet"))
    assert [each.payload for each in pending.take(1)] == [b"\0", b"\1"]
    assert [each.topic for each in pending.take(1)] == [message("quiet").topic]
    assert not pending
    assert pending.take(1) == []


def test_all_have_room_for_so_many_bytes_and_each_for_one() -> None:
    pending = Pending(most_bytes=10)
    assert pending.put(message("loud", b"x" * 10))
    assert not pending.put(message("loud"))
    assert pending.put(message("quiet"))
    (long, _) = pending.take(100)
    assert len(long.payload) == 10


def test_what_is_too_long_anyway_takes_no_more_room() -> None:
    pending = Pending()
    assert pending.put(message("loud", b"x" * 10 * LONGEST))
    (kept,) = pending.take(1)
    assert len(kept.payload) == LONGEST + 1
