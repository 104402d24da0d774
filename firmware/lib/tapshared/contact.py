"""From the edges of a contact, bounces and all, to what is told of it: a press is stamped by its first edge, and counts
if the contact is still closed 3 ms later; then nothing counts until it has been open for long enough. Pure: the
board's ticks come in, in order."""

from tapshared.ticks import ticks_add, ticks_diff

LOOK_US = 3_000
CHATTER_US = 1_000  # open for less than this at the look: looked at again
RELEASED_US = 50_000  # open for less than this is the bounce of a release

_OPEN = 0
_LOOKING = 1
_CLOSED = 2  # told, if it was a press, and not released yet


class Contact:
    """One button. One that is closed from the beginning has not been pressed until it has been open.

    `told` has the presses and releases, each a verb and its stamp, for the owner to take out.
    """

    def __init__(self, closed: bool) -> None:
        self.told: list[tuple[str, int]] = []
        self.closed = closed
        self._state = _CLOSED if closed else _OPEN
        self._pressed = False  # whether a press was told whose release wasn't
        self._down = 0
        self._up = 0
        self._look: int | None = None  # when to look next

    def edge(self, closed: bool, ticks: int) -> None:
        """There was an edge, and after it the contact was closed or open."""
        self.look(ticks)
        self.closed = closed
        if not closed:
            self._up = ticks
        if self._state == _OPEN:  # also where it is open again by now: so does the bounce of a press begin
            self._state = _LOOKING
            self._down = ticks
            self._look = ticks_add(ticks, LOOK_US)
        elif self._state == _CLOSED:
            self._look = None if closed else ticks_add(ticks, RELEASED_US)

    def look(self, now: int) -> None:
        """Let the time pass until now."""
        while self._look is not None and ticks_diff(now, self._look) >= 0:
            if self._state == _CLOSED:
                self._open()
            elif self.closed:
                self._state = _CLOSED
                self._pressed = True
                self._look = None
                self.told.append(("press", self._down))
            elif ticks_diff(self._look, self._up) < CHATTER_US:
                self._look = ticks_add(self._up, CHATTER_US)
            else:
                self._open()  # static, or a brush

    def wait_us(self, now: int) -> "int | None":
        """Microseconds until there is something to look at; None where there is nothing."""
        return None if self._look is None else max(0, ticks_diff(self._look, now))

    def _open(self):
        self._state = _OPEN
        self._look = None
        if self._pressed:
            self._pressed = False
            self.told.append(("release", self._up))
