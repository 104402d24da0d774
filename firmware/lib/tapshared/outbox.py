"""What a seat board keeps: its events, numbered, sent again and again until the Pi has them in its journal. Times are
the board's ticks, handed in; `age` wants to be called every few minutes at least. Knows no port."""

from tapshared.sentences import Message, encode
from tapshared.ticks import ticks_add, ticks_diff

KEPT = 64  # events; what comes when it is full is dropped and counted
AT_ONCE = 16  # of the oldest are under way at a time, so that a full outbox doesn't flood the line
FIRST_AGAIN_US = 100_000
LAST_AGAIN_US = 1_600_000
OLD_US = 300_000_000  # stamps older than this are marked, since they may have wrapped when they arrive


class Outbox:
    """Events in the order of their numbers, which begin with `first`. `lost` counts those for which there was no
    room.
    """

    def __init__(self, first: int) -> None:
        self.lost = 0
        self._next_number = first
        self._letters = []

    def __len__(self) -> int:
        return len(self._letters)

    @property
    def oldest(self) -> int:
        """The number of the oldest event kept, or of the next one where none is."""
        return self._letters[0].message.number if self._letters else self._next_number

    def put(self, verb: str, fields: dict[str, int | str], now: int) -> None:
        """Keep an event, to be sent at once. One without room takes no number, so numbers have no gaps."""
        if len(self._letters) >= KEPT:
            self.lost += 1
            return
        self._letters.append(_Letter(Message(verb, fields, self._next_number), now))
        self._next_number += 1

    def acknowledge(self, number: int) -> None:
        """Events up to and with `number` needn't be kept any longer."""
        while self._letters and self._letters[0].message.number <= number:
            self._letters.pop(0)

    def age(self, now: int) -> None:
        """Mark the stamps that have become old."""
        for letter in self._letters:
            if ticks_diff(now, letter.kept_at) > OLD_US and "age" in letter.message.fields:
                letter.message.fields["age"] = "old"

    def due(self, now: int) -> bytes:
        """The sentences to be sent by now, oldest first."""
        said = b""
        place = 0
        while place < AT_ONCE and place < len(self._letters):
            if ticks_diff(now, self._letters[place].due) >= 0:
                said += self._letters[place].send(now)
            place += 1
        return said

    def wait_us(self, now: int) -> int | None:
        """Microseconds until something is due; None where nothing is kept."""
        wait_us = None
        place = 0
        while place < AT_ONCE and place < len(self._letters):
            us = ticks_diff(self._letters[place].due, now)
            if wait_us is None or us < wait_us:
                wait_us = us
            place += 1
        return wait_us and max(0, wait_us)

    def again(self, now: int) -> None:
        """The Pi has just come: everything is due now, whatever was tried before."""
        for letter in self._letters:
            letter.due = now
            letter.delay_us = FIRST_AGAIN_US


class _Letter:
    def __init__(self, message, now):
        self.message = message
        self.kept_at = now
        self.due = now
        self.delay_us = FIRST_AGAIN_US

    def send(self, now):
        self.due = ticks_add(now, self.delay_us)
        self.delay_us = min(2 * self.delay_us, LAST_AGAIN_US)
        return encode(self.message)
