"""The board's memory: collected when it is due, before MicroPython has to do so in the middle of something, and weighed
as often as what is free is told. Each takes many ms, and so wants a turn of its own; which one the board decides."""

import gc

from tapshared.ticks import ticks_add, ticks_diff

MEASURE_EVERY_US = 5_000_000  # as a health is told
COLLECT_EVERY_US = 5_000_000  # an empty pad takes 20 kB in that time, of 170
A_LOOK_BYTES = 3_200  # that a look takes which finds something, and a share of all else


class Memory:
    """`due`: from when on `tidy` wants a turn. `health` is where it is told how much is free."""

    def __init__(self, health, now):
        self._health = health
        self._is_collected = False
        self._measured_at = ticks_add(now, -MEASURE_EVERY_US)
        self.tidy(now)
        self.tidy(now)

    def tidy(self, now):
        """Collect (15 ms on a Pico); the next time weigh (9 ms), if it wasn't weighed since its last telling."""
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
        """A look has found something."""
        self._free_estimate -= A_LOOK_BYTES
        if self._free_estimate < A_LOOK_BYTES:
            self.due = now
