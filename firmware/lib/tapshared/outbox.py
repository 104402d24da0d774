"""The outbox of a seat board: stores its events, numbered, and sends them again until the Pi has them in its journal.
Times are the board's ticks, passed in; `mark_old_stamps` must be called every few minutes at least. Knows no port."""

from tapshared.sentences import encode_values
from tapshared.ticks import ticks_add, ticks_diff
from tapshared.verbs import VERBS

CAPACITY = 64  # events that are kept until the Pi acknowledges them; while they fill it, new ones are dropped
MAX_IN_FLIGHT = 16  # of these the oldest, which are sent; the others wait, or a full outbox would flood the line
FIRST_RETRY_US = 100_000  # until an event is sent again, doubled each time; the Pi repeats lights by limits of its own
MAX_RETRY_US = 1_600_000  # the longest of these waits
INTERRUPT_DELAY_US = 85  # from the contact to an interrupt's stamp: 20 to 150
OLD_US = 300_000_000  # older stamps are marked, since the ticks may wrap before they arrive (`tapshared.ticks`)


class Outbox:
    """Events in the order of their numbers, which begin with `first`. `pending` holds them. `lost` counts the events
    for which there was no room. `wait_us`: how long after the last `take_due` the next event is due, None if none was
    pending."""

    def __init__(self, first: int) -> None:
        self.lost = 0
        self.pending = []
        self.wait_us: int | None = None
        self._next_number = first

    @property
    def oldest(self) -> int:
        """The number of the oldest pending event, or of the next event if none is pending."""
        return self.pending[0].number if self.pending else self._next_number

    def put(self, verb: str, values: "tuple[int | str, ...]", now: int) -> None:
        """Store an event, to be sent at once; `values` are its fields. One without room takes no number, so numbers
        have no gaps."""
        if len(self.pending) >= CAPACITY:
            self.lost += 1
            return
        self.pending.append(_Letter(self._next_number, verb, values, now))
        self._next_number += 1

    def acknowledge(self, number: int) -> None:
        """Remove the events up to and with `number`."""
        while self.pending and self.pending[0].number <= number:
            self.pending.pop(0)

    def mark_old_stamps(self, now: int) -> None:
        """Mark the stamps that have become old."""
        for letter in self.pending:
            if ticks_diff(now, letter.queued_at) > OLD_US and VERBS[letter.verb][2][-1][0] == "age":
                letter.values = letter.values[:-1] + ("old",)  # noqa: RUF005 - the VM has no unpacking

    def drop_exact_stamps(self) -> None:
        """Turn exact presses into ones stamped by an interrupt: another Pi may have connected, which doesn't know exact
        ones."""
        for letter in self.pending:
            if letter.values[-1] == "exact":
                letter.values = ticks_add(letter.values[0], INTERRUPT_DELAY_US), ""

    def take_due(self, now: int) -> bytes:
        """Return the sentences that are due by now, oldest first."""
        data = b""
        least_us = None
        place = 0
        while place < MAX_IN_FLIGHT and place < len(self.pending):
            letter = self.pending[place]
            wait_us = ticks_diff(letter.due, now)
            if wait_us <= 0:
                wait_us = letter.delay_us
                data += letter.send(now)
            if least_us is None or wait_us < least_us:
                least_us = wait_us
            place += 1
        self.wait_us = least_us
        return data

    def resend_all(self, now: int) -> None:
        """Make every event due now, because the Pi has just connected."""
        for letter in self.pending:
            letter.due = now
            letter.delay_us = FIRST_RETRY_US


class _Letter:
    def __init__(self, number, verb, values, now):
        self.number = number
        self.verb = verb
        self.values = values
        self.queued_at = now
        self.due = now
        self.delay_us = FIRST_RETRY_US

    def send(self, now):
        self.due = ticks_add(now, self.delay_us)
        if self.delay_us < MAX_RETRY_US:
            self.delay_us *= 2
        return encode_values(self.verb, (self.number,) + self.values)  # noqa: RUF005
