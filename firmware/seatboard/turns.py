"""Schedules the parts of a board: in each turn, runs those that are due, in a fixed order. Mostly none is due, and then
it only compares. Must not know what a part does."""

import time

from tapshared.ticks import ticks_diff

MAX_REST_US = 100_000  # the longest rest, if no part is due before


class Turns:
    """`parts`: in their order, each with its `due` in ticks, None while it has nothing to do; `actions`: called with
    the time when a part is due."""

    def __init__(self, parts, actions):
        self._parts = parts
        self._actions = actions
        self._count = len(parts)

    def run_due(self, now):
        """Run all parts that are due. Returns the µs until the next one is."""
        rest_us = MAX_REST_US
        parts = self._parts
        place = 0
        while place < self._count:
            wait_us = parts[place].due
            if wait_us is not None:
                wait_us = ticks_diff(wait_us, now)
                if wait_us <= 0:
                    wait_us = self._run_action(place, now)
                if wait_us < rest_us:
                    rest_us = wait_us
            place += 1
        rest_us -= ticks_diff(time.ticks_us(), now)
        return rest_us if rest_us > 0 else 0

    def _run_action(self, place, now):
        self._actions[place](now)
        return MAX_REST_US if self._parts[place].due is None else ticks_diff(self._parts[place].due, now)
