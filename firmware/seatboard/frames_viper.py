"""`frames.wait_for_frame` in machine code: a turn of its loop takes less than a µs. Only for a Pico, whose registers it
reads through pointers; anywhere else importing it fails."""

import sys
from array import array

import micropython
from seatboard.chip import IS_RP2350, TIMERAWL

if sys.platform != "rp2":
    raise ImportError("no Pico")

WIDE_US = 20  # a search that finds less was not interrupted
_E15 = 0 if IS_RP2350 else 1 << 17  # only the RP2040 has the erratum


@micropython.viper
def _wait_for_frame(anchor: ptr32, timer_at: int, busy: int, most_us: int) -> int:  # noqa: F821 - viper's own word
    sof = ptr32(0x50110048)  # noqa: F821
    inte = ptr32(0x50110090)  # noqa: F821
    timer = ptr32(timer_at)  # noqa: F821
    began = timer[0]
    before = began
    if inte[0] & busy:
        return 0
    first = sof[0] & 0x7FF
    while True:
        now = timer[0]
        if inte[0] & busy or now - began > most_us:
            return 0
        frame = sof[0] & 0x7FF
        if frame != first:
            anchor[0] = frame
            anchor[1] = before & 0x3FFFFFFF
            anchor[2] = timer[0] & 0x3FFFFFFF
            return 1
        before = now


_ANCHOR = array("i", (0, 0, 0))


def wait_for_frame(anchor, most_us):
    """Do the same as `frames.wait_for_frame`."""
    if not _wait_for_frame(_ANCHOR, TIMERAWL, _E15, most_us):
        return False
    anchor[0], anchor[1], anchor[2] = _ANCHOR
    return True
