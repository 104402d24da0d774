"""The lamp in the button: off, on or blinking. Must not know why it is shown."""

from tapshared.ticks import ticks_add

# How long each half of a blink lasts, the lit and the dark one. On the Pi, `cues.cueing.BOARD_LAMPS` chooses when a
# board's lamp blinks. `narration.lamps` has the patterns of lamps at the Pi's own pins: `MAY_BUZZ` has the same halves.
BLINK_US = 250_000


class ButtonLamp:
    """The lamp at an output pin, lit by a 1. `due` is when to toggle it, None unless it blinks."""

    def __init__(self, pin):
        self._pin = pin
        self.due = None
        pin(0)

    def show(self, lamp, now):
        """Show one of `lights.LAMPS` from now on; a lamp that blinks already keeps its beat."""
        if lamp == "blink" and self.due is not None:
            return
        self.due = ticks_add(now, BLINK_US) if lamp == "blink" else None
        self._pin(0 if lamp == "off" else 1)

    def step(self, now):
        """Toggle the blinking lamp."""
        self.due = ticks_add(now, BLINK_US)
        self._pin(1 - self._pin())
