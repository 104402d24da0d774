"""The kind of the board's chip, and the address of its timer. Must not know what the timer is used for."""

import sys

IS_RP2350 = "RP2350" in getattr(sys.implementation, "_machine", "")  # a Pico 2's
# the µs of `ticks_us`, before these wrap (RP2350 data sheet, 12.8.5; RP2040's, 4.6.5)
TIMERAWL = 0x400B0028 if IS_RP2350 else 0x40054028
