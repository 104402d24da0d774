"""A table that sends too much loses its own messages, and delays nobody else's."""

from __future__ import annotations

from taptable.league.inbox import MessageInbox
from taptable.league.ingest import MqttMessage
from taptable.league.limits import TRANSACTION_OF_A_TABLE_BYTES
from taptable.uplink.messages import LONGEST, Topics


def message(table: str, payload: bytes = b"x") -> MqttMessage:
    return MqttMessage(Topics(table).entries, payload)


def test_one_table_has_room_for_a_limited_number() -> None:
    pending = MessageInbox(most_of_a_table=2)
    assert [pending.put(message("loud", bytes([each]))) for each in range(3)] == [True, True, False]
    assert pending.put(message("quiet"))
    assert [each.payload for each in pending.take(1)] == [b"\0", b"\1"]
    assert [each.topic for each in pending.take(1)] == [message("quiet").topic]
    assert not pending
    assert pending.take(1) == []


def test_all_have_room_for_a_limited_number_of_bytes_and_each_for_one() -> None:
    pending = MessageInbox(most_bytes=10)
    assert pending.put(message("loud", b"x" * 10))
    assert not pending.put(message("loud"))
    assert pending.put(message("quiet"))
    (long, _) = pending.take(100)
    assert len(long.payload) == 10
    assert pending.put(message("loud", b"x" * 10))
    pending.drop("loud")
    pending.drop("nobody")
    assert not pending
    assert pending.put(message("quiet", b"x" * 10))


def test_what_is_too_long_anyway_takes_no_more_room() -> None:
    pending = MessageInbox()
    assert pending.put(message("loud", b"x" * 10 * LONGEST))
    (kept,) = pending.take(1)
    assert len(kept.payload) == LONGEST + 1


def test_a_table_is_taken_in_part_and_the_rest_after_the_others() -> None:
    pending = MessageInbox()
    large = b"x" * (TRANSACTION_OF_A_TABLE_BYTES // 2)
    for number in range(3):
        assert pending.put(message("loud", bytes([number]) + large))
    assert pending.put(message("quiet"))
    taken = pending.take(2**30)
    assert [(each.topic, each.payload[:1]) for each in taken] == [
        (message("loud").topic, b"\0"),
        (message("quiet").topic, b"x"),
    ]
    assert [each.payload[:1] for each in pending.take(2**30)] == [b"\1"]


def test_what_was_taken_and_not_heard_comes_first_and_what_is_left_last() -> None:
    pending = MessageInbox()
    for table in ("a", "b", "c"):
        pending.put(message(table, b"1"))
    unheard, left = message("b", b"0"), message("a", b"0")
    pending.put_back([unheard], [left])
    assert [each.payload for each in pending.take(100)] == [b"0", b"1", b"1", b"0", b"1"]
    assert not pending


def test_a_table_that_took_long_waits_while_others_do() -> None:
    now_s = [0.0]
    pending = MessageInbox(monotonic_s=lambda: now_s[0])
    pending.charge({"slow": 1.0, "quick": 0.001})
    now_s[0] = 0.1
    for _ in range(2):
        pending.put(message("slow"))
        pending.put(message("quick"))
    assert [each.topic for each in pending.take(100)] == [message("quick").topic] * 2
    assert [each.topic for each in pending.take(100)] == [message("slow").topic] * 2  # now nobody else waits
    pending.put(message("slow"))
    pending.put(message("quick"))
    now_s[0] = 9.1
    assert len(pending.take(100)) == 2
