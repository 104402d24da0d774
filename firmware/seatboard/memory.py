"""The board's memory: collects garbage when it is due, before MicroPython has to do so in the middle of something else,
and measures the free memory as often as that is reported. Each takes many ms and so needs a turn of its own; `board`
decides which. Must not know what takes the memory."""

import gc

from tapshared.ticks import ticks_add, ticks_diff

MEASURE_EVERY_US = 5_000_000  # as often as health is reported
COLLECT_EVERY_US = 5_000_000  # an empty pad takes 20 kB in that time, of 170
A_LOOK_BYTES = 3_200  # taken by a look that finds something, and by what the board does from one look to the next


class Memory:
    """Garbage collection. `due`: from when on `tidy` needs a turn. It writes the free bytes into `health`."""

    def __init__(self, health, now):
        self._health = health
        self._is_collected = False
        self._measured_at = ticks_add(now, -MEASURE_EVERY_US)
        self.tidy(now)
        self.tidy(now)

    def tidy(self, now):
        """Collect (15 ms on a Pico); measure the next time (9 ms), if a measurement is due."""
        if self._is_collected:
            self._health["free"] = gc.mem_free()
            self._measured_at = now
            self._is_collected = False
        else:
            gc.collect()
            self._is_collected = ticks_diff(now, self._measured_at) >= MEASURE_EVERY_US
        self._free_estimate = self._health["free"]
        self.due = now if self._is_collected else ticks_add(now, COLLECT_EVERY_US)

    def count_look(self, now):
        """Count a look that has found something."""
        self._free_estimate -= A_LOOK_BYTES
        if self._free_estimate < A_LOOK_BYTES:
            self.due = now
