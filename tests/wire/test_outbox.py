"""A board's outbox, in given time: when it sends an event again, and what it reports if it has no room."""

from __future__ import annotations

import pytest
from tapshared.lines import Lines
from tapshared.outbox import CAPACITY, MAX_IN_FLIGHT, OLD_US, Outbox
from tapshared.sentences import Message
from tapshared.ticks import PERIOD, ticks_add
from tapshared.verbs import BOARD

MS = 1000


def press(outbox: Outbox, now: int = 0) -> None:
    outbox.put("press", (now, ""), now)


def numbers(said: bytes) -> list[int]:
    return [message.number for message in Lines(BOARD).feed(said)]


@pytest.mark.parametrize("begin", [0, PERIOD - 1000 * MS], ids=["", "over the wrap of the ticks"])
def test_an_event_is_sent_at_once_and_again_after_100_ms_doubling(begin: int) -> None:
    outbox = Outbox(1)
    press(outbox, begin)
    sent_ms = []
    for ms in range(8000):
        if outbox.take_due(ticks_add(begin, ms * MS)):
            sent_ms.append(ms)
    assert sent_ms == [0, 100, 300, 700, 1500, 3100, 4700, 6300, 7900]


def test_it_says_how_long_to_wait() -> None:
    outbox = Outbox(1)
    assert (outbox.take_due(0), outbox.wait_us) == (b"", None)
    press(outbox)
    outbox.take_due(0)
    assert outbox.wait_us == 100 * MS
    press(outbox, 20 * MS)
    outbox.take_due(30 * MS)
    assert outbox.wait_us == 70 * MS


def test_events_are_kept_until_they_are_acknowledged() -> None:
    outbox = Outbox(7)
    for _ in range(3):
        press(outbox)
    assert numbers(outbox.take_due(0)) == [7, 8, 9]
    outbox.acknowledge(8)
    assert (len(outbox.pending), outbox.oldest) == (1, 9)
    assert numbers(outbox.take_due(100 * MS)) == [9]
    outbox.acknowledge(9)
    assert (len(outbox.pending), outbox.oldest) == (0, 10)


def test_an_acknowledgement_that_came_late_or_twice_changes_nothing() -> None:
    outbox = Outbox(1)
    for _ in range(3):
        press(outbox)
    for number in (2, 2, 1, 0):
        outbox.acknowledge(number)
    assert outbox.oldest == 3


def test_at_least_64_events_are_kept_and_it_says_how_many_were_lost() -> None:
    outbox = Outbox(1)
    for _ in range(CAPACITY + 5):
        press(outbox)
    assert CAPACITY >= 64
    assert (len(outbox.pending), outbox.lost) == (CAPACITY, 5)


def test_what_was_lost_leaves_no_gap_in_the_numbers() -> None:
    outbox = Outbox(1)
    for _ in range(CAPACITY + 5):
        press(outbox)
    outbox.acknowledge(CAPACITY)
    press(outbox)
    assert numbers(outbox.take_due(0)) == [CAPACITY + 1]


def test_a_full_outbox_is_not_sent_all_at_once() -> None:
    outbox = Outbox(1)
    for _ in range(CAPACITY):
        press(outbox)
    assert numbers(outbox.take_due(0)) == list(range(1, MAX_IN_FLIGHT + 1))
    outbox.acknowledge(3)
    assert numbers(outbox.take_due(0)) == [MAX_IN_FLIGHT + 1, MAX_IN_FLIGHT + 2, MAX_IN_FLIGHT + 3]


def test_when_the_pi_has_come_everything_is_due_and_the_delays_restart() -> None:
    outbox = Outbox(1)
    press(outbox)
    for ms in range(2000):
        outbox.take_due(ms * MS)
    outbox.resend_all(2000 * MS)
    assert numbers(outbox.take_due(2000 * MS)) == [1]
    assert outbox.wait_us == 100 * MS


def test_a_stamp_that_may_have_wrapped_when_it_arrives_is_marked_as_old() -> None:
    outbox = Outbox(1)
    press(outbox, 5)
    outbox.mark_old_stamps(5 + OLD_US)
    assert Lines(BOARD).feed(outbox.take_due(5 + OLD_US)) == [Message("press", {"ticks": 5, "age": ""}, 1)]
    outbox.mark_old_stamps(6 + OLD_US)
    later = ticks_add(5, PERIOD + 100 * MS)  # the ticks have come round, the mark stays
    outbox.mark_old_stamps(later)
    outbox.resend_all(later)
    assert Lines(BOARD).feed(outbox.take_due(later)) == [Message("press", {"ticks": 5, "age": "old"}, 1)]
