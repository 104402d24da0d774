"""A board's side of the wire, in given time: what it says of itself, and whom it listens to."""

from __future__ import annotations

from tapshared.conversation import Conversation
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD

MS = 1000
FIRST = 600_001  # the first number of boot 6


class Board:
    """A board in its boot 6, asked for what it has to say whenever it wants to."""

    def __init__(self) -> None:
        about = {"board": "b1", "boot": 6, "firmware": "1.0.0", "pads": 1, "pixels": 12, "buttons": 1}
        self.conversation = Conversation(about, 0)
        self._lines = Lines(BOARD)

    def hear(self, verb: str, now: int = 0, number: int = 0, **fields: int | str) -> list[str]:
        said = encode(Message(verb, fields, number))
        return [message.verb for message in self.conversation.receive(said, now)]

    def say(self, now: int) -> list[Message]:
        return self._lines.feed(self.conversation.take_outgoing(now))

    def log(self, begin: int, end: int) -> list[tuple[int, list[str]]]:
        """When it says which verbs, in milliseconds."""
        now, log = begin, []
        while now <= end:
            said = [message.verb for message in self.say(now)]
            log += [(now // MS, said)] if said else []
            now = max(now + 1, self.conversation.due)
        return log

    def press(self, now: int = 0) -> None:
        self.conversation.queue_event("press", (now, ""), now)

    def known(self) -> Board:
        assert self.hear("ack", boot=6, upto=FIRST - 1) == ["ack"]
        return self


def test_it_says_hello_and_nothing_else_until_its_boot_is_known() -> None:
    board = Board()
    board.press()
    assert board.log(0, 1100 * MS) == [(0, ["hello"]), (500, ["hello"]), (1000, ["hello"])]
    assert board.hear("ping", number=1) == []
    assert board.hear("light", number=2, pattern="idle", left_ms=0, whole_ms=0, lamp="off") == []
    assert board.hear("ack", boot=5, upto=FIRST) == []
    assert [message.verb for message in board.say(1100 * MS)] == []
    board.known()
    assert [message.verb for message in board.say(1100 * MS)] == ["health", "press"]


def test_its_hello_names_the_oldest_event_it_keeps() -> None:
    board = Board()
    for _ in range(3):
        board.press()
    [hello] = board.say(0)
    assert hello.fields["oldest"] == FIRST
    board.hear("ack", boot=6, upto=FIRST + 1)
    board.hear("hello?")
    [hello] = board.say(0)
    assert hello.fields["oldest"] == FIRST + 2


def test_the_numbers_of_two_boots_have_nothing_in_common() -> None:
    board = Board().known()
    board.press()
    assert [message.number for message in board.say(0) if message.verb == "press"] == [6 * 100_000 + 1]


def test_a_ping_is_answered_with_its_number_the_ticks_of_its_arrival_and_the_light_shown() -> None:
    board = Board().known()
    assert board.hear("light", number=8, pattern="idle", left_ms=0, whole_ms=0, lamp="off") == ["light"]
    board.hear("ping", now=77, number=9)
    assert Message("pong", {"ping": 9, "ticks": 77, "light": 8}) in board.say(100)


def test_a_pi_that_has_just_come_gets_no_lights_before_its_time() -> None:
    board = Board().known()
    board.hear("light", number=8, pattern="idle", left_ms=0, whole_ms=0, lamp="off")
    board.hear("hello?")
    board.known()
    board.hear("ping", now=77, number=1)
    assert Message("pong", {"ping": 1, "ticks": 77, "light": 0}) in board.say(100)


def test_changes_of_the_reader_are_sent_at_once_and_several_times_and_else_its_health_now_and_then() -> None:
    board = Board().known()
    assert board.log(0, 20_000 * MS) == [(ms, ["health"]) for ms in (0, 200, 400, 600, 800, 5800, 10800, 15800)]
    board.conversation.set_reader_state("deaf", 20_000 * MS)
    assert board.log(20_000 * MS, 21_000 * MS) == [(ms, ["health"]) for ms in (20000, 20200, 20400, 20600, 20800)]


def test_its_health_has_the_damage_it_heard_and_the_events_it_lost() -> None:
    board = Board().known()
    board.conversation.receive(b"#0 pi*00000000\n", 0)
    for _ in range(70):
        board.press()
    [health] = [message for message in board.say(0) if message.verb == "health"]
    assert (health.fields["damaged"], health.fields["lost"]) == (1, 6)


def test_a_reset_is_for_the_boot_that_it_names() -> None:
    board = Board()
    assert board.hear("reset", boot=5) == []
    assert board.hear("reset", boot=6) == ["reset"]


def test_kept_events_are_sent_again_when_the_pi_has_come() -> None:
    board = Board().known()
    board.press()
    board.log(0, 2000 * MS)
    board.hear("hello?", now=2000 * MS)
    assert [message.verb for message in board.say(2000 * MS)] == ["hello"]
    board.known()
    assert "press" in [message.verb for message in board.say(2000 * MS)]


def test_pongs_dont_pile_up_for_a_pi_that_pings_and_doesnt_read() -> None:
    board = Board().known()
    for number in range(1, 1001):
        board.hear("ping", number=number)
    pongs = [message.fields["ping"] for message in board.say(0) if message.verb == "pong"]
    assert pongs[-1] == 1000
    assert len(pongs) < 20
