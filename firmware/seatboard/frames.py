"""The bus as a clock: the USB's host sends a start of frame each millisecond, with a number of 11 bits, which all
boards behind one hub receive together. The board reports an anchor: the frame of this number was received after one of
the board's ticks, and by another. That holds even if something came between. A single read of a frame number proves
nothing, since the frame may be an old one, and the next may be missed.

On an RP2040 reading the number clears an interrupt that the USB stack waits for while it sends (erratum E15), so it is
read in the loop only, and only while that interrupt is off."""

import time

from machine import mem32
from tapshared.ticks import ticks_add, ticks_diff

SOF_RD = 0x50110048  # the number of the last frame (RP2040 data sheet, 4.1.4; RP2350 the same)
INTE = 0x50110090  # which interrupts are on
INTE_SOF = 1 << 17
FRAME_NUMBERS = 1 << 11
FRAME_TIMEOUT_US = 1_200  # a frame is a millisecond
MAX_TRIES = 3  # while more than WIDE_US lie between the two ticks, because something came between

try:  # in machine code on a Pico: an anchor to within a few µs instead of a hundred
    from seatboard.frames_viper import WIDE_US, wait_for_frame
except (ImportError, SyntaxError):  # not a Pico, perhaps without a compiler
    WIDE_US = 200

    def wait_for_frame(anchor, most_us):
        """Wait for a frame with another number than the first one read. Sets `anchor` to its number, and the ticks
        after which and by which it was received. Returns whether one came, and nothing had to be sent meanwhile."""
        began = time.ticks_us()
        first = None
        while True:
            before = time.ticks_us()
            if mem32[INTE] & INTE_SOF or ticks_diff(before, began) > most_us:
                return False
            frame = mem32[SOF_RD] % FRAME_NUMBERS
            if first is not None and frame != first:
                anchor[0] = frame
                anchor[2] = time.ticks_us()
                return True
            first = frame
            anchor[1] = before


class Frames:
    """Finds anchors. `due` is when the next one is to be found, None if the Pi wants none. `anchor` is the last one:
    the frame's number, the tick after which it was received, and the tick by which it was."""

    def __init__(self):
        self.due = None
        self.anchor = [0, 0, 0]
        self._every_us = 0

    def set_interval(self, every_us, now):
        """Set the interval between anchors; 0 for none."""
        self._every_us = every_us
        self.due = now if every_us else None

    def step(self, now):
        """Look for an anchor, which takes 1.2 ms, and seldom 3.6. Returns whether there is one."""
        if not self._every_us:
            return False
        self.due = ticks_add(now, self._every_us)
        for _ in range(MAX_TRIES):
            if not wait_for_frame(self.anchor, FRAME_TIMEOUT_US):
                return False
            if ticks_diff(self.anchor[2], self.anchor[1]) <= WIDE_US:
                break
        return True
