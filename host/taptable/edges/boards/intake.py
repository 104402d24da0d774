"""The numbered events of one boot of a board: each has its turn when all before it are committed, whatever was
doubled, late or sent again. Knows no port, no time and no verb."""

from __future__ import annotations

from dataclasses import dataclass

from tapshared.sentences import Message

AHEAD = 64  # numbers that may come before their turn; what is further ahead comes again


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event and when it first arrived, in table time."""

    message: Message
    at_us: int


class Intake:
    """All events up to `committed` are committed; it begins with the next."""

    def __init__(self, committed: int) -> None:
        self.committed = committed
        self._waiting: dict[int, Arrival] = {}

    def begin_at(self, oldest: int) -> None:
        """The board keeps nothing below `oldest` any more: that has been acknowledged, whoever did it."""
        self._commit_all(max(self.committed, oldest - 1))

    def arrive(self, message: Message, at_us: int) -> None:
        """Take an event, unless it is committed or too far ahead."""
        if self.committed < message.number <= self.committed + AHEAD:
            self._waiting.setdefault(message.number, Arrival(message, at_us))

    def turn(self) -> Arrival | None:
        """The event whose turn it is, if it is there."""
        return self._waiting.get(self.committed + 1)

    def commit(self, number: int) -> None:
        """The event is committed, if it was its turn."""
        if number == self.committed + 1:
            self._commit_all(number)

    def give_back(self) -> None:
        """What waits couldn't be committed: it may come again."""
        self._waiting.clear()

    def _commit_all(self, upto: int) -> None:
        self.committed = upto
        self._waiting = {number: arrival for number, arrival in self._waiting.items() if number > upto}
