"""How often a client is heard: so many times a second, and more at once after a silence. Counts; must not know what is
said."""

from __future__ import annotations

import time
from collections.abc import Callable


class Allowance:
    """`per_s` in a second and up to `most` at once, by the seconds that pass outside."""

    def __init__(self, per_s: float, most: int, outside_s: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._most = most
        self._outside_s = outside_s
        self._left = float(most)
        self._at_s = outside_s()

    def take(self, count: int = 1) -> None:
        """So many have been used, whether they were there or not."""
        now_s = self._outside_s()
        grown = max(0.0, now_s - self._at_s) * self._per_s
        self._left = min(self._most, self._left + grown) - count
        self._at_s = max(self._at_s, now_s)

    def owed_s(self) -> float:
        """How long to wait until what was used too much is there again; who is told so waits."""
        owed_s = max(0.0, -self._left / self._per_s)
        if owed_s:
            self._left = 0.0
            self._at_s += owed_s
        return owed_s
