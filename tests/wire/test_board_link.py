"""The Pi's side of a board's line, in given time: what it says to what it hears, and when."""

from __future__ import annotations

from zlib import crc32

import pytest
from tapshared.lines import Lines
from tapshared.outbox import OLD_US
from tapshared.sentences import Message, encode
from tapshared.verbs import PI
from taptable.core.cues import SeatLights
from taptable.core.device_events import Origin
from taptable.drivers.board.bus import Socket, UsbBus
from taptable.drivers.board.link import FIRST_PING_EVERY_US, BoardLink
from taptable.drivers.board.link_events import (
    BoardConnected,
    BoardEvent,
    BoardLost,
    EventsLost,
    LinkEvent,
    Misread,
    ReaderCounts,
    ReaderState,
)

MS = 1000
SECOND_US = 1_000_000


class Pi:
    """A link with its port open at time 0, and what it has said."""

    def __init__(self, taken: int = 0, *, buzzes: bool = False) -> None:
        self.link = BoardLink("b1", lambda _board, _boot: taken, has_button=buzzes)
        self.link.port_opened(0)
        self._lines = Lines(PI)

    def said(self) -> list[Message]:
        return self._lines.feed(self.link.take_outgoing())

    def verbs(self) -> list[str]:
        return [message.verb for message in self.said()]

    def hear(self, verb: str, at_us: int = 0, number: int = 0, **fields: int | str) -> list[LinkEvent]:
        return self.link.data_received(encode(Message(verb, fields, number)), at_us)

    def hear_hello(self, at_us: int = 0, **fields: int | str) -> list[LinkEvent]:
        about = {"protocol": 1, "board": "b1", "boot": 6, "firmware": "1.0.0", "pads": 1, "pixels": 12, "buttons": 1}
        return self.hear("hello", at_us, **{**about, "oldest": 1, **fields})

    def answer_ping(self, at_us: int = 0, light: int = 0) -> list[LinkEvent]:
        ping = [message.number for message in self.said() if message.verb == "ping"][-1]
        return self.hear("pong", at_us, ping=ping, ticks=at_us, light=light)

    def talk(self) -> Pi:
        self.hear_hello()
        self.answer_ping()
        return self

    def hear_tag(self, number: int, at_us: int = 0) -> list[LinkEvent]:
        return self.hear("tag", at_us, number, uid="04a2b3c4", ticks=at_us, how="")

    def take(self) -> list[BoardEvent]:
        """Commit the events whose turn it is."""
        taken = []
        while (event := self.link.next_event()) is not None:
            taken.append(event)
            self.link.acknowledge(event.origin)
        return taken

    def pass_time(self, until_us: int) -> list[tuple[int, list[str], list[LinkEvent]]]:
        """Let time pass without an answer of the board; return the times with the sentences and the events."""
        log = []
        while self.link.due_us is not None and self.link.due_us <= until_us:
            now_us = self.link.due_us
            news = self.link.tick(now_us)
            log.append((now_us // MS, self.verbs(), news))
        return log


def acks(said: list[Message]) -> list[int | str]:
    return [message.fields["upto"] for message in said if message.verb == "ack"]


def test_it_asks_who_is_there_until_it_gets_an_answer() -> None:
    pi = Pi()
    assert pi.verbs() == ["hello?"]
    assert [(ms, said) for ms, said, _ in pi.pass_time(1000 * MS)] == [(500, ["hello?"]), (1000, ["hello?"])]
    assert pi.hear_hello(1100 * MS) == [BoardConnected("1.0.0", restarted=True)]
    assert pi.verbs() == ["ack", "ping"]


def test_a_board_that_does_not_answer_is_reported_once() -> None:
    news = [(ms, item) for ms, _, items in Pi().pass_time(10 * SECOND_US) for item in items]
    assert news == [(2500, BoardLost("doesn't answer"))]


def test_a_board_that_falls_silent_is_reported_and_asked_for() -> None:
    pi = Pi().talk()
    pi.said()
    log = pi.pass_time(3 * SECOND_US)
    assert [(ms, said) for ms, said, _ in log] == [
        (100, ["ping"]),
        (1100, ["ping"]),
        (2100, ["ping"]),
        (2500, ["hello?"]),
        (3000, ["hello?"]),
    ]
    assert [item for _, _, items in log for item in items] == [BoardLost("doesn't answer")]
    pi.hear_tag(1, 3 * SECOND_US)
    assert pi.take() == []
    assert pi.hear_hello(3 * SECOND_US) == [BoardConnected("1.0.0", restarted=False)]


def test_it_pings_once_a_second_and_the_first_time_until_there_is_an_answer() -> None:
    pi = Pi()
    pi.hear_hello()
    assert pi.verbs() == ["hello?", "ack", "ping"]
    assert [ms for ms, said, _ in pi.pass_time(300 * MS) if said == ["ping"]] == [100, 200, 300]
    pi.link.data_received(encode(Message("pong", {"ping": 4, "ticks": 5, "light": 0})), 350 * MS)
    assert [ms for ms, said, _ in pi.pass_time(2400 * MS) if said == ["ping"]] == [400, 1400, 2400]


def pings_in_a_window(*, buzzes: bool) -> list[int]:
    """The ms at which it pings, of a window that closes after 300 ms, and of the second after it."""
    pi = Pi(buzzes=buzzes).talk()
    pi.link.show(SeatLights("window", ends_at_us=300 * MS, whole_us=300 * MS), 0)
    [light] = [message.number for message in pi.said() if message.verb == "light"]
    pi.hear("pong", 0, ping=light + 1, ticks=0, light=light)
    return [ms for ms, said, _ in pi.pass_time(1400 * MS) if said == ["ping"]]


def test_a_board_whose_button_may_buzz_is_pinged_more_often_while_a_window_is_open() -> None:
    assert pings_in_a_window(buzzes=True) == [50, 100, 150, 200, 250, 300, 1300]
    assert pings_in_a_window(buzzes=False) == [1000]


def test_an_event_waits_until_its_time_is_known() -> None:
    pi = Pi()
    pi.hear_hello()
    pi.hear("press", 1 * MS, 1, ticks=0, age="")
    assert pi.take() == []
    pi.answer_ping(2 * MS)
    [event] = pi.take()
    assert event.origin == Origin("b1", 6, 1)


def numbers(events: list[BoardEvent]) -> list[int]:
    return [event.origin.number for event in events]


def test_an_event_is_acknowledged_when_it_is_committed_and_not_before_and_again_when_it_comes_again() -> None:
    pi = Pi().talk()
    pi.said()
    pi.hear_tag(1)
    pi.hear_tag(2)
    event = pi.link.next_event()
    assert event is not None
    assert acks(pi.said()) == []
    pi.link.acknowledge(event.origin)
    assert acks(pi.said()) == [1]
    pi.hear_tag(1)
    assert acks(pi.said()) == [1]


def test_the_next_event_has_its_turn_when_the_one_before_is_committed() -> None:
    pi = Pi().talk()
    pi.hear_tag(1)
    pi.hear_tag(2)
    assert pi.link.next_event() == pi.link.next_event()
    pi.link.acknowledge(Origin("b1", 6, 2))
    assert numbers(pi.take()) == [1, 2]


def test_an_event_in_the_journal_is_acknowledged_and_not_reported_again() -> None:
    pi = Pi(taken=3)
    pi.hear_hello()
    assert acks(pi.said()) == [3]
    pi.link.tick(FIRST_PING_EVERY_US)
    pi.answer_ping()
    pi.hear_tag(3)
    pi.hear_tag(4)
    assert numbers(pi.take()) == [4]


def test_what_the_board_no_longer_keeps_is_not_waited_for() -> None:
    pi = Pi()
    pi.hear_hello(oldest=500)
    pi.answer_ping()
    pi.hear_tag(500)
    assert numbers(pi.take()) == [500]


def test_numbers_far_ahead_are_from_another_boot_and_not_believed() -> None:
    pi = Pi().talk()
    pi.hear_tag(100_001)
    for number in range(1, 100):
        pi.hear_tag(number)
        pi.take()
    assert pi.link.next_event() is None


def test_a_new_boot_counts_from_the_start() -> None:
    pi = Pi().talk()
    pi.hear_tag(1)
    assert pi.hear_hello(boot=7) == [BoardConnected("1.0.0", restarted=True)]
    pi.hear_tag(1)
    assert pi.take() == []  # its clock is another
    pi.answer_ping()
    assert [event.origin for event in pi.take()] == [Origin("b1", 7, 1)]


def test_a_late_hello_of_an_earlier_boot_is_not_believed() -> None:
    pi = Pi().talk()
    assert pi.hear_hello(boot=5) == []
    pi.hear_tag(1)
    assert [event.origin for event in pi.take()] == [Origin("b1", 6, 1)]


def test_a_late_answer_of_an_earlier_boot_says_nothing_of_the_new_clock() -> None:
    pi = Pi()
    pi.hear_hello()
    [ping] = [message.number for message in pi.said() if message.verb == "ping"]
    pi.hear_hello(boot=7)
    pi.hear("pong", ping=ping, ticks=123, light=0)
    assert not pi.link.clock.is_synchronized


def test_a_board_that_lost_count_of_its_boots_is_heard_after_a_silence() -> None:
    pi = Pi().talk()
    pi.pass_time(3 * SECOND_US)
    assert pi.hear_hello(3 * SECOND_US, boot=1) == [BoardConnected("1.0.0", restarted=True)]


def test_an_acknowledgement_for_an_earlier_boot_is_not_sent() -> None:
    pi = Pi().talk()
    pi.hear_tag(1)
    pi.hear_hello(boot=7)
    pi.said()
    pi.link.acknowledge(Origin("b1", 6, 1))
    assert pi.said() == []


def test_a_port_with_another_board_on_it_is_reported() -> None:
    pi = Pi()
    assert pi.hear_hello(board="b2") == [BoardLost("calls itself board b2")]
    assert "ack" not in pi.verbs()


def test_a_board_that_speaks_another_version_is_reported_once_and_not_used() -> None:
    pi, said = Pi(), b"#0 hello 2 b1"
    line = b"%s*%08x\n" % (said, crc32(said))
    assert pi.link.data_received(line, 0) == [BoardLost("speaks version 2 of the wire, not 1", unfit=True)]
    assert pi.link.data_received(line, 500 * MS) == []
    assert "ack" not in pi.verbs()


def test_a_board_with_firmware_that_is_too_old_is_reported_once_and_not_used() -> None:
    pi = Pi()
    too_old = BoardLost("has firmware 0.9.12, older than 1.0.0", unfit=True)
    assert pi.hear_hello(firmware="0.9.12") == [too_old]
    assert pi.hear_hello(500 * MS, firmware="0.9.12") == []
    assert pi.hear_tag(1, 600 * MS) == []
    assert pi.link.next_event() is None
    assert "ack" not in pi.verbs()


def test_a_board_that_was_missed_and_comes_with_firmware_that_is_too_old_is_reported() -> None:
    pi = Pi().talk()
    assert pi.link.port_closed("unplugged") == [BoardLost("unplugged")]
    pi.link.port_opened(SECOND_US)
    assert [item.unfit for item in pi.hear_hello(SECOND_US, firmware="0.1.0")] == [True]
    assert pi.link.port_closed("unplugged") == []
    pi.link.port_opened(2 * SECOND_US)
    assert pi.hear_hello(2 * SECOND_US) == [BoardConnected("1.0.0", restarted=False)]


@pytest.mark.parametrize("firmware", ["1.0.0", "1.0.1", "2.10.3", "mine", "1.0", "1.0.0-rc1"])
def test_any_other_firmware_is_used(firmware: str) -> None:
    assert Pi().hear_hello(firmware=firmware) == [BoardConnected(firmware, restarted=True)]


def test_a_deaf_reader_is_distinguished_from_a_board_that_is_gone() -> None:
    pi = Pi().talk()
    health: dict[str, int | str] = {"misread": 0, "damaged": 0, "lost": 0, "free": 0}
    assert pi.hear("health", reader="deaf", **health) == [ReaderState(deaf=True)]
    assert pi.hear("health", reader="deaf", **health) == []
    assert pi.hear("health", reader="ok", **health) == [ReaderState(deaf=False)]


def test_the_number_of_lost_events_is_reported_once() -> None:
    pi = Pi().talk()
    health: dict[str, int | str] = {"reader": "ok", "misread": 0, "damaged": 0, "free": 0}
    told = [item for lost in (0, 3, 3, 5) for item in pi.hear("health", lost=lost, **health)]
    assert told == [ReaderState(deaf=False), EventsLost(3), EventsLost(2)]


def test_the_number_of_misread_looks_is_reported_when_it_grows() -> None:
    pi = Pi().talk()
    health: dict[str, int | str] = {"reader": "ok", "lost": 0, "damaged": 0, "free": 0}
    told = [item for misread in (0, 7, 7, 73501) for item in pi.hear("health", misread=misread, **health)]
    assert told == [ReaderState(deaf=False), Misread(7), Misread(73501)]


@pytest.mark.parametrize(("firmware", "times"), [("1.0.0", 0), ("1.2.0", 0), ("1.3.0", 3), ("2.0.0", 3), ("mine", 0)])
def test_only_a_board_that_counts_is_asked_how_its_reader_is(firmware: str, times: int) -> None:
    pi = Pi()
    pi.hear_hello(firmware=firmware)
    verbs = pi.verbs()
    for second in range(1, 5):
        pi.hear("pong", second * SECOND_US, ping=2, ticks=0, light=0)  # it is there
        pi.link.tick(second * SECOND_US)
        verbs += pi.verbs()
    assert verbs.count("reader?") == times
    if times:
        counts: dict[str, int | str] = {"setups": 31, "wrong": 4, "healed": 1, "unread": 2, "now": "unread"}
        assert pi.hear("reader", **counts) == [ReaderCounts(31, 4, 1, 2, has_unreadable=True)]


def test_a_light_is_sent_until_the_board_shows_it_with_the_rest_of_its_time() -> None:
    pi = Pi().talk()
    pi.link.show(SeatLights("window", "blink", ends_at_us=5 * SECOND_US, whole_us=5 * SECOND_US), now_us=0)
    lights = []
    for now_us in (0, 100 * MS, 300 * MS, 700 * MS):
        pi.link.tick(now_us)
        lights += [message for message in pi.said() if message.verb == "light"]
    assert [light.fields["left_ms"] for light in lights] == [5000, 4900, 4700, 4300]
    assert len({light.number for light in lights}) == 1
    pi.link.show(SeatLights("idle"), now_us=700 * MS)
    [light, _] = pi.said()
    pi.link.tick(1_500 * MS)
    pi.answer_ping(1_500 * MS, light=light.number)
    assert "light" not in [verb for _, said, _ in pi.pass_time(2_400 * MS) for verb in said]


def test_a_board_that_restarts_gets_its_light_again() -> None:
    pi = Pi().talk()
    pi.link.show(SeatLights("your-turn"), now_us=0)
    pi.hear_hello(1 * MS, boot=7)
    pi.said()
    assert [said for _, said, _ in pi.pass_time(1 * MS)] == [["light", "ping"]]


@pytest.mark.parametrize("shown", ["reading", "deaf"])
def test_after_a_board_s_own_light_the_table_s_is_sent_until_it_arrives(shown: str) -> None:
    pi = Pi().talk()
    health: dict[str, int | str] = {"misread": 0, "damaged": 0, "lost": 0, "free": 0}
    pi.link.show(SeatLights("your-turn"), now_us=0)
    [arrived] = [message for message in pi.said() if message.verb == "light"]
    if shown == "deaf":
        pi.hear("health", reader="deaf", **health)
        pi.hear("health", reader="ok", **health)
    else:
        pi.link.refresh_light(0)
    [lost, ping] = pi.said()
    assert lost.verb == "light"
    pi.hear("pong", ping=ping.number, ticks=0, light=arrived.number)
    assert "light" in [verb for _, said, _ in pi.pass_time(200 * MS) for verb in said]


def test_nothing_is_believed_that_may_have_lain_on_the_line_for_minutes() -> None:
    pi = Pi().talk()
    tag = encode(Message("tag", {"uid": "04a2b3c4", "ticks": 5, "how": ""}, 1))
    assert pi.link.data_received(tag, OLD_US) == [BoardLost("doesn't answer")]
    assert pi.verbs()[-1] == "hello?"


def test_a_press_that_is_too_old_for_its_stamp_may_have_been_at_any_time() -> None:
    pi = Pi().talk()
    pi.hear("press", 90 * MS, 1, ticks=5, age="old")
    [event] = pi.take()
    assert event.moment is not None
    assert (event.moment.earliest_us, event.moment.latest_us) == (0, 90 * MS)


def test_a_reset_names_the_boot_that_it_ends() -> None:
    pi = Pi().talk()
    pi.said()
    pi.link.reset()
    assert pi.said() == [Message("reset", {"boot": 6})]


@pytest.mark.parametrize(
    ("firmware", "asked"), [("1.0.0", None), ("1.1.9", ""), ("1.2.0", "exact"), ("2.0.0", "exact"), ("mine", None)]
)
def test_a_board_is_asked_for_what_its_firmware_can(firmware: str, asked: str | None) -> None:
    pi = Pi()
    pi.link.bus_clock = UsbBus(1, False).plug_in(1, Socket("pci", "hub"))
    pi.hear_hello(firmware=firmware)
    assert [message.fields["presses"] for message in pi.said() if message.verb == "anchors"] == (
        [] if asked is None else [asked]
    )
