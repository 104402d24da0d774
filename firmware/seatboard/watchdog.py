"""The watchdog of the chip: a board that hangs starts anew. MicroPython can't stop it, yet who interrupts the program
to flash the board needs more time at the prompt than it grants; so it is stopped at its register."""

from machine import WDT, mem32
from seatboard.chip import IS_RP2350

TIMEOUT_MS = 4000

_CTRL_RP2040 = 0x40058000  # its data sheet, 4.7.6
_CTRL_RP2350 = 0x400D8000  # its data sheet, 12.9.7
_CLEAR = 0x3000  # added to an address: the bits written as 1 are cleared (2.1.2)
_ENABLE = 1 << 30


def start():
    """Start it; the result wants its `feed` called within TIMEOUT_MS, again and again."""
    return WDT(timeout=TIMEOUT_MS)


def stop():
    """Stop it."""
    mem32[(_CTRL_RP2350 if IS_RP2350 else _CTRL_RP2040) + _CLEAR] = _ENABLE
