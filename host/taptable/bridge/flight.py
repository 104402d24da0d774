"""What is on its way to the league: the ends of batches that were sent and aren't confirmed, at most so many, and where
the next one begins. Pure: knows no broker and no time."""

from __future__ import annotations

from collections import deque

from taptable.uplink.messages import Position

WINDOW = 8
"""Batches: with `messages.LONGEST` what may be held in memory."""


class Flight:
    """From a position that was confirmed. `next` is where the next batch begins. `repeated`: what is under way was sent
    again, since when nothing was confirmed; `narrow`: one batch at a time, as nothing was for longer."""

    def __init__(self, confirmed: Position) -> None:
        self._ends: deque[Position] = deque()
        self.confirmed = confirmed
        self.next = confirmed
        self.repeated = self.narrow = False

    @property
    def under_way(self) -> int:
        """How many batches."""
        return len(self._ends)

    @property
    def has_room(self) -> bool:
        """May another batch be sent?"""
        return len(self._ends) < (1 if self.narrow else WINDOW)

    def sent(self, end: Position) -> None:
        """A batch was sent that goes up to there."""
        self._ends.append(end)
        self.next = end

    def is_end(self, position: Position) -> bool:
        """Does a batch that is under way end there?"""
        return position in self._ends

    def confirm(self, position: Position) -> None:
        """All up to there, an end or further, has arrived; what is under way beyond it goes on."""
        while self._ends and self._ends[0].number <= position.number:
            self._ends.popleft()
        if self.next.number <= position.number:
            self.next = position
        self.confirmed = position
        self.repeated = self.narrow = False

    def again(self, *, narrow: bool = False) -> None:
        """Nothing that is under way counts any more: begin again where it is confirmed."""
        self._ends.clear()
        self.next = self.confirmed
        self.repeated, self.narrow = True, narrow
