"""Starts the board, and decides what happens when it ends: an interrupt from the Pi leaves it at the prompt, with the
watchdog off; anything else restarts it, after a pause in which the Pi can interrupt."""

import sys
import time

import machine
from seatboard import watchdog

PAUSE_MS = 3000  # else a board that fails at once could never be flashed; shorter than the watchdog's timeout

try:
    try:
        from seatboard import preload  # noqa: F401 - it imports
        from seatboard.loop import run

        run()
    except Exception as error:
        sys.print_exception(error)
        time.sleep_ms(PAUSE_MS)
        machine.reset()
except KeyboardInterrupt:
    watchdog.stop()
