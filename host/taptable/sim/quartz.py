"""A board's clock as its crystal keeps it: it runs fast or slow, changes its rate with the temperature, and its ticks
wrap. Time in whole nanoseconds, so that nothing is lost over hours; knows no line and no Pi."""

from __future__ import annotations

from random import Random

from tapshared.ticks import PERIOD

WORST_PPM = 100
STEP_NS = 10_000_000_000
CALM_PPM = 1  # in ten seconds, in a room


class Quartz:
    """Shows `first_us` at time 0. Its rate begins anywhere within `WORST_PPM` and stays within them; each `STEP_NS` it
    changes by up to `wander_ppm`.
    """

    def __init__(self, random: Random, first_us: int = 0, wander_ppm: int = CALM_PPM) -> None:
        self._random = random
        self._wander_ppm = wander_ppm
        self._ppm = random.randint(-WORST_PPM, WORST_PPM)
        self._since_ns = 0
        self._shown_ns = first_us * 1000

    def ticks(self, at_ns: int) -> int:
        """The ticks at a time not more than `STEP_NS` before any that was asked for."""
        while at_ns >= self._since_ns + STEP_NS:
            self._shown_ns = self._at_ns(self._since_ns + STEP_NS)
            self._since_ns += STEP_NS
            wandered = self._ppm + self._random.randint(-self._wander_ppm, self._wander_ppm)
            self._ppm = max(-WORST_PPM, min(WORST_PPM, wandered))
        return self._at_ns(at_ns) // 1000 % PERIOD

    def _at_ns(self, at_ns: int) -> int:
        span_ns = at_ns - self._since_ns
        return self._shown_ns + span_ns + span_ns * self._ppm // 1_000_000
