"""A board's side of the wire: says hello until the Pi knows this boot, stores its events until they are acknowledged,
answers pings and reports its health. Takes and returns bytes. Must not know a port, nor how reader or lights work."""

from tapshared.lines import LONGEST_PING, Lines
from tapshared.outbox import Outbox
from tapshared.sentences import Message, encode, encode_values
from tapshared.ticks import ticks_add, ticks_diff
from tapshared.verbs import PI, PROTOCOL

HELLO_EVERY_US = 500_000  # until the Pi has acknowledged this boot
HEALTH_EVERY_US = 5_000_000  # from then on
URGENT_HEALTH_EVERY_US = 200_000  # a new state of the reader is reported this often …
URGENT_HEALTH_COUNT = 4  # … this many times, since a health sentence isn't acknowledged
PONGS_BYTES = 400  # the most bytes of answers that wait, for a Pi that sends pings and reads nothing
EVENTS_A_BOOT = 100_000  # between the first numbers of two boots: a late event of the earlier one has no number of this


class Conversation:
    """`hello_fields` are the fields of ``hello`` except `protocol` and `oldest`. `health` has the fields of ``health``
    that the board keeps up to date. `due`: when `take_outgoing` has something to send, if nothing happens before."""

    def __init__(self, hello_fields: dict[str, int | str], now: int) -> None:
        self.due: int = now
        self.anchor_every_us: int = 0  # the interval of anchors that the Pi requests, 0 for none
        self.accepts_exact: bool = False  # whether the Pi knows what an exact press is
        self.outbox = Outbox(hello_fields["boot"] % 10_000 * EVENTS_A_BOOT + 1)
        self.health = {"reader": "ok", "misread": 0, "free": 0}
        self._hello_fields = hello_fields
        self._lines = Lines(PI)
        self._is_connected = False
        self._light = self._urgent_left = 0
        self._status_due = now  # of hello until the board is known, of health from then on
        self._reported_reader, self._answers = None, b""

    def receive(self, data: bytes, now: int) -> list[Message]:
        """Take the Pi's bytes, read by `now`. Returns what the board has to do: ``light``, ``anchors``, ``gain``,
        ``reader?``, ``reset`` of this boot, and the ``ack`` by which the Pi begins to listen."""
        self.due = now
        if (ping := self._lines.parse_ping(data) if len(data) <= LONGEST_PING else None) is None:
            return [message for message in self._lines.feed(data) if self._handle_message(message, now)]
        self._answer_ping(ping, now)
        return []

    def queue_event(self, verb: str, values: "tuple[int | str, ...]", now: int) -> None:
        """Store an event until it is acknowledged; `values` are its fields, in the order of the table of verbs."""
        self.outbox.put(verb, values, now)
        self.due = now

    def set_reader_state(self, state: str, now: int) -> None:
        """Set the reader's state, ``ok`` or ``deaf``, which is reported to the Pi at once."""
        self.health["reader"] = state
        self.due = now

    def answer(self, verb: str, values: "tuple[int | str, ...]", now: int) -> None:
        """Send the answer to a request once, such as an ``anchor``, which the Pi requests by `anchor_every_us`."""
        if self._is_connected and len(self._answers) < PONGS_BYTES:
            self._answers += encode_values(verb, (0,) + values)  # noqa: RUF005 - the VM's
            self.due = now

    def take_outgoing(self, now: int) -> bytes:
        """Return all bytes that are due by now."""
        data = self._answers
        self._answers = b""
        if self._reported_reader != self.health["reader"] and self._is_connected:
            self._reported_reader, self._urgent_left, self._status_due = self.health["reader"], URGENT_HEALTH_COUNT, now
        if ticks_diff(now, self._status_due) >= 0:
            data += self._make_status(now)
        self.due = self._status_due
        if self._is_connected and self.outbox.pending:
            data += self.outbox.take_due(now)
            if self.outbox.wait_us < ticks_diff(self.due, now):
                self.due = ticks_add(now, self.outbox.wait_us)
        return data

    def _make_status(self, now):
        self.outbox.mark_old_stamps(now)
        if not self._is_connected:
            self._status_due = ticks_add(now, HELLO_EVERY_US)
            return encode(Message("hello", dict(self._hello_fields, protocol=PROTOCOL, oldest=self.outbox.oldest)))
        self._status_due = ticks_add(now, URGENT_HEALTH_EVERY_US if self._urgent_left else HEALTH_EVERY_US)
        self._urgent_left = max(0, self._urgent_left - 1)
        return encode(Message("health", dict(self.health, damaged=self._lines.damaged, lost=self.outbox.lost)))

    def _handle_message(self, message, now):
        verb = message.verb
        if verb == "ping":
            self._answer_ping(message.number, now)
        elif verb == "light":
            self._light = message.number
            return self._is_connected
        elif verb == "ack":
            return self._handle_ack(message.fields, now)
        elif verb == "hello?":
            self._is_connected, self._status_due = False, now
            self.anchor_every_us, self.accepts_exact = 0, False  # it may be another Pi, which doesn't know them
            self.outbox.drop_exact_stamps()
        elif verb == "anchors":
            self.anchor_every_us = 1000 * message.fields["every_ms"]
            self.accepts_exact = message.fields["presses"] == "exact"
        return verb in ("anchors", "gain", "reader?") or (
            verb == "reset" and message.fields["boot"] == self._hello_fields["boot"]
        )

    def _answer_ping(self, ping, now):
        if len(self._answers) >= PONGS_BYTES:
            self._answers = b""  # the Pi needs the answer to its latest
        if self._is_connected:
            self._answers += encode_values("pong", (0, ping, now, self._light))

    def _handle_ack(self, fields, now):
        if fields["boot"] != self._hello_fields["boot"]:
            return False
        self.outbox.acknowledge(fields["upto"])
        if self._is_connected:
            return False
        self._is_connected, self._reported_reader = True, None
        self._light = 0  # a Pi that has just connected counts its lights from 1 again
        self.outbox.resend_all(now)
        return True
