"""A board's side of the wire: it says hello until the Pi knows this boot, keeps its events until they are acknowledged,
answers pings and tells how it is. Bytes and the board's ticks in, bytes out; knows no port, reader or light."""

from tapshared.lines import LONGEST_PING, Lines
from tapshared.outbox import Outbox
from tapshared.sentences import Message, encode, say
from tapshared.ticks import ticks_add, ticks_diff
from tapshared.verbs import PI, PROTOCOL

HELLO_EVERY_US = 500_000
HEALTH_EVERY_US = 5_000_000
HASTE_US = 200_000  # news of the reader are told this often …
HASTE_TIMES = 4  # … this many times, since a health sentence isn't acknowledged
PONGS_BYTES = 400  # more than these wait for a Pi that pings and doesn't read
EVENTS_A_BOOT = 100_000  # so that a late event of an earlier boot has a number that can't be awaited


class Conversation:
    """`about` are the fields of ``hello`` but `protocol` and `oldest`. `health` are those of ``health`` that only the
    board knows, for it to keep up to date. `due`: when there is something to say, if nothing happens before."""

    def __init__(self, about: dict[str, int | str], now: int) -> None:
        self.due: int = now
        self.anchors_us: int = 0  # how often the Pi wants to be told one, 0 where it doesn't
        self.takes_exact: bool = False  # whether it knows what an exact press is
        self.outbox = Outbox(about["boot"] % 10_000 * EVENTS_A_BOOT + 1)
        self.health = {"reader": "ok", "misread": 0, "free": 0}
        self._about = about
        self._lines = Lines(PI)
        self._known = False
        self._light = self._haste = 0
        self._own_due = now  # of hello until the board is known, of health from then on
        self._told, self._answers = None, b""

    def receive(self, data: bytes, now: int) -> list[Message]:
        """Take what the Pi said, read by `now`. Returns what is for the board to do: ``light``, ``anchors``, ``gain``,
        ``reader?``, ``reset`` of this boot, and the ``ack`` by which the Pi begins to listen."""
        self.due = now
        if (ping := self._lines.ping(data) if len(data) <= LONGEST_PING else None) is None:
            return [message for message in self._lines.feed(data) if self._hear(message, now)]
        self._answer(ping, now)
        return []

    def event(self, verb: str, values: "tuple[int | str, ...]", now: int) -> None:
        """Keep an event until it is acknowledged; `values` are its fields, in the order of the table of verbs."""
        self.outbox.put(verb, values, now)
        self.due = now

    def reader_is(self, how: str, now: int) -> None:
        """The reader is ``ok`` or ``deaf``, of which the Pi is to hear at once."""
        self.health["reader"] = how
        self.due = now

    def answer(self, verb: str, values: "tuple[int | str, ...]", now: int) -> None:
        """Say once what the Pi asked for, such as an ``anchor``, which it wants while there are `anchors_us`."""
        if self._known and len(self._answers) < PONGS_BYTES:
            self._answers += say(verb, (0,) + values)  # noqa: RUF005 - the VM's
            self.due = now

    def say(self, now: int) -> bytes:
        """Everything that is to be sent by now."""
        said = self._answers
        self._answers = b""
        if self._told != self.health["reader"] and self._known:
            self._told, self._haste, self._own_due = self.health["reader"], HASTE_TIMES, now
        if ticks_diff(now, self._own_due) >= 0:
            said += self._say_own(now)
        self.due = self._own_due
        if self._known and self.outbox.letters:
            said += self.outbox.due(now)
            if self.outbox.wait_us < ticks_diff(self.due, now):
                self.due = ticks_add(now, self.outbox.wait_us)
        return said

    def _say_own(self, now):
        self.outbox.age(now)
        if not self._known:
            self._own_due = ticks_add(now, HELLO_EVERY_US)
            return encode(Message("hello", dict(self._about, protocol=PROTOCOL, oldest=self.outbox.oldest)))
        self._own_due = ticks_add(now, HASTE_US if self._haste else HEALTH_EVERY_US)
        self._haste = max(0, self._haste - 1)
        return encode(Message("health", dict(self.health, damaged=self._lines.damaged, lost=self.outbox.lost)))

    def _hear(self, message, now):
        verb = message.verb
        if verb == "ping":
            self._answer(message.number, now)
        elif verb == "light":
            self._light = message.number
            return self._known
        elif verb == "ack":
            return self._hear_ack(message.fields, now)
        elif verb == "hello?":
            self._known, self._own_due = False, now
            self.anchors_us, self.takes_exact = 0, False  # it may be another Pi, which doesn't know them
            self.outbox.blur()
        elif verb == "anchors":
            self.anchors_us = 1000 * message.fields["every_ms"]
            self.takes_exact = message.fields["presses"] == "exact"
        return verb in ("anchors", "gain", "reader?") or (
            verb == "reset" and message.fields["boot"] == self._about["boot"]
        )

    def _answer(self, ping, now):
        if len(self._answers) >= PONGS_BYTES:
            self._answers = b""  # it needs the answer to its latest
        if self._known:
            self._answers += say("pong", (0, ping, now, self._light))

    def _hear_ack(self, fields, now):
        if fields["boot"] != self._about["boot"]:
            return False
        self.outbox.acknowledge(fields["upto"])
        if self._known:
            return False
        self._known, self._told = True, None
        self._light = 0  # a Pi that has just come counts its lights from 1 again
        self.outbox.again(now)
        return True
