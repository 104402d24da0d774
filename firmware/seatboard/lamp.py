"""The lamp in the button: off, on or blinking."""

from tapshared.ticks import ticks_add, ticks_diff

BLINK_US = 250_000  # lit, and dark


class Lamp:
    """The lamp at an output pin, lit by a 1."""

    def __init__(self, pin):
        self._pin = pin
        self._blinks = False
        self._due = 0
        pin(0)

    def show(self, lamp, now):
        """Show one of `lights.LAMPS` from now on; one that blinks already keeps its beat."""
        if lamp == "blink" and self._blinks:
            return
        self._blinks = lamp == "blink"
        self._due = ticks_add(now, BLINK_US)
        self._pin(0 if lamp == "off" else 1)

    def step(self, now):
        """Blink when it is time to."""
        if self._blinks and ticks_diff(now, self._due) >= 0:
            self._due = ticks_add(now, BLINK_US)
            self._pin(1 - self._pin())

    def wait_us(self, now):
        """Microseconds until a step has something to do, None where it doesn't blink."""
        return max(0, ticks_diff(self._due, now)) if self._blinks else None
