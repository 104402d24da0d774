"""The chip's watchdog, which restarts a board that hangs. MicroPython can't stop it, yet flashing needs more time at
the prompt than its timeout; so `stop` clears its enable bit in the chip's register."""

from machine import WDT, mem32
from seatboard.chip import IS_RP2350

TIMEOUT_MS = 4000

_CTRL_RP2040 = 0x40058000  # its data sheet, 4.7.6
_CTRL_RP2350 = 0x400D8000  # its data sheet, 12.9.7
_CLEAR = 0x3000  # added to an address: the bits written as 1 are cleared (2.1.2)
_ENABLE = 1 << 30


def start():
    """Start the watchdog, and return it; its `feed` must be called within TIMEOUT_MS, again and again."""
    return WDT(timeout=TIMEOUT_MS)


def stop():
    """Stop the watchdog."""
    mem32[(_CTRL_RP2350 if IS_RP2350 else _CTRL_RP2040) + _CLEAR] = _ENABLE
