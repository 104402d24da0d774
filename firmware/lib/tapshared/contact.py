"""From the edges of a contact, bounces and all, to what is told of it: a press is stamped by its first edge, and counts
if the contact is still closed 3 ms later; then nothing counts until it was released, which is looked at likewise. Pure:
the board's ticks come in, in order."""

from tapshared.ticks import ticks_add, ticks_diff

DEBOUNCE_US = 3_000
CHATTER_US = 1_000  # open for less than this at the look: looked at again


class Contact:
    """One button. One that is closed from the beginning has not been pressed until it has been open.

    `told` has the presses and releases, each a verb and its stamp, for the owner to take out.
    """

    def __init__(self, closed: bool) -> None:
        self.events: list[tuple[str, int]] = []
        self.closed = closed
        self._was_closed = closed  # at the last look
        self._pressed = False  # whether a press was told whose release wasn't
        self._first_edge = 0  # the first edge since
        self._last_open = 0  # the last edge after which it was open
        self._check_at: int | None = None  # when to look next

    def add_edge(self, closed: bool, ticks: int) -> None:
        """There was an edge, and after it the contact was closed or open."""
        self.advance(ticks)
        self.closed = closed
        if not closed:
            self._last_open = ticks
        if self._check_at is None:  # also where nothing has changed any more: so does a bounce begin
            self._first_edge = ticks
            self._check_at = ticks_add(ticks, DEBOUNCE_US)

    def advance(self, now: int) -> None:
        """Let the time pass until now."""
        while self._check_at is not None and ticks_diff(now, self._check_at) >= 0:
            if not self.closed and ticks_diff(self._check_at, self._last_open) < CHATTER_US:
                self._check_at = ticks_add(self._last_open, CHATTER_US)
            else:
                self._check_at = None
                if self.closed != self._was_closed:
                    self._was_closed = self.closed
                    self._add_event()

    def wait_us(self, now: int) -> int | None:
        """Microseconds until there is something to look at; None where there is nothing."""
        return None if self._check_at is None else max(0, ticks_diff(self._check_at, now))

    def _add_event(self):
        if self.closed:
            self._pressed = True
            self.events.append(("press", self._first_edge))
        elif self._pressed:
            self._pressed = False
            self.events.append(("release", self._last_open))
