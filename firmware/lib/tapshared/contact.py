"""Turns the edges of a contact, bounces and all, into presses and releases: a press is stamped by its first edge, and
counts if the contact is still closed 3 ms later; then nothing counts until it was released, which is checked likewise.
Pure: the board's ticks come in, in order."""

from tapshared.ticks import ticks_add, ticks_diff

DEBOUNCE_US = 3_000
CHATTER_US = 1_000  # open for less than this at the check: checked again


class Contact:
    """One button. A contact that is closed from the beginning counts as pressed only after it has been open.

    Edges are stamped up to `late_us` after they happened, so that much more has to lie between two of them. `events`
    has the presses and releases, each a verb and its stamp, for the owner to take out."""

    def __init__(self, closed: bool, late_us: int = 0) -> None:
        self.events: list[tuple[str, int]] = []
        self.closed = closed
        self._late_us = late_us
        self._was_closed = closed  # at the last check
        self._pressed = False  # whether a press was reported whose release wasn't
        self._first_edge = 0  # the first edge since
        self._last_open = 0  # the last edge after which it was open
        self._check_at: int | None = None  # when to check next

    def add_edge(self, closed: bool, ticks: int) -> None:
        """Take an edge, after which the contact was closed or open."""
        self.advance(ticks)
        self.closed = closed
        if not closed:
            self._last_open = ticks
        if self._check_at is None:  # also if nothing has changed since: a bounce begins like that
            self._first_edge = ticks
            self._check_at = ticks_add(ticks, DEBOUNCE_US + self._late_us)

    def advance(self, now: int) -> None:
        """Advance to now, and check the contact if that is due."""
        while self._check_at is not None and ticks_diff(now, self._check_at) >= 0:
            if not self.closed and ticks_diff(self._check_at, self._last_open) < CHATTER_US + self._late_us:
                self._check_at = ticks_add(self._last_open, CHATTER_US + self._late_us)
            else:
                self._check_at = None
                if self.closed != self._was_closed:
                    self._was_closed = self.closed
                    self._add_event()

    def wait_us(self, now: int) -> int | None:
        """Return the microseconds until the next check; None if none is due."""
        return None if self._check_at is None else max(0, ticks_diff(self._check_at, now))

    def _add_event(self):
        if self.closed:
            self._pressed = True
            self.events.append(("press", self._first_edge))
        elif self._pressed:
            self._pressed = False
            self.events.append(("release", self._last_open))
