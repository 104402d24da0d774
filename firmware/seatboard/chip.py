"""Which chip the board has, and where its timer is."""

import sys

IS_RP2350 = "RP2350" in getattr(sys.implementation, "_machine", "")  # a Pico 2's
TIMERAWL = (
    0x400B0028 if IS_RP2350 else 0x40054028
)  # the µs of `ticks_us`, before these wrap (data sheets, 12.8.5; 4.6.5)
