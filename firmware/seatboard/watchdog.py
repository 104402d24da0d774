"""The watchdog of the RP2040: a board that hangs starts anew. MicroPython can't stop it, yet who interrupts the program
to flash the board needs more time at the prompt than it grants; so it is stopped at its register."""

import sys

from machine import WDT, mem32

TIMEOUT_MS = 4000

_CTRL = 0x40058000  # RP2040 data sheet, 4.7.6
_CLEAR = 0x3000  # added to an address: the bits written as 1 are cleared (2.1.2)
_ENABLE = 1 << 30


def start():
    """Start it; the result wants its `feed` called within TIMEOUT_MS, again and again."""
    return WDT(timeout=TIMEOUT_MS)


def stop():
    """Stop it, where it is known how. A Pico 2 has it elsewhere, and would start anew at the prompt."""
    if "RP2350" not in getattr(sys.implementation, "_machine", ""):
        mem32[_CTRL + _CLEAR] = _ENABLE
