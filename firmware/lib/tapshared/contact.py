"""From the edges of a contact, bounces and all, to what is told of it: a press is stamped by its first edge, and counts
if the contact is still closed 3 ms later; then nothing counts until it was released, which is looked at likewise. Pure:
the board's ticks come in, in order."""

from tapshared.ticks import ticks_add, ticks_diff

LOOK_US = 3_000
CHATTER_US = 1_000  # open for less than this at the look: looked at again


class Contact:
    """One button. One that is closed from the beginning has not been pressed until it has been open.

    `told` has the presses and releases, each a verb and its stamp, for the owner to take out.
    """

    def __init__(self, closed: bool) -> None:
        self.told: list[tuple[str, int]] = []
        self.closed = closed
        self._was_closed = closed  # at the last look
        self._pressed = False  # whether a press was told whose release wasn't
        self._first = 0  # the first edge since
        self._up = 0  # the last edge after which it was open
        self._look: int | None = None  # when to look next

    def edge(self, closed: bool, ticks: int) -> None:
        """There was an edge, and after it the contact was closed or open."""
        self.look(ticks)
        self.closed = closed
        if not closed:
            self._up = ticks
        if self._look is None:  # also where nothing has changed any more: so does a bounce begin
            self._first = ticks
            self._look = ticks_add(ticks, LOOK_US)

    def look(self, now: int) -> None:
        """Let the time pass until now."""
        while self._look is not None and ticks_diff(now, self._look) >= 0:
            if not self.closed and ticks_diff(self._look, self._up) < CHATTER_US:
                self._look = ticks_add(self._up, CHATTER_US)
            else:
                self._look = None
                if self.closed != self._was_closed:
                    self._was_closed = self.closed
                    self._tell()

    def wait_us(self, now: int) -> int | None:
        """Microseconds until there is something to look at; None where there is nothing."""
        return None if self._look is None else max(0, ticks_diff(self._look, now))

    def _tell(self):
        if self.closed:
            self._pressed = True
            self.told.append(("press", self._first))
        elif self._pressed:
            self._pressed = False
            self.told.append(("release", self._up))
