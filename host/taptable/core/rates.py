"""Limits how often something may happen, for any caller: browsers, boards, log lines. The limits are the caller's, and
the time is an argument. Must not know what is limited."""

from __future__ import annotations

from collections.abc import Callable


class RateLimiter:
    """A token bucket: `per_s` tokens in a second, up to `burst` at once. `now_s` returns the time in seconds."""

    def __init__(self, per_s: float, burst: int, now_s: Callable[[], float]) -> None:
        self._per_s = per_s
        self._burst = burst
        self._now_s = now_s
        self._left = float(burst)
        self._at_s = now_s()

    def consume(self, count: float = 1) -> None:
        """Consume tokens. The balance may become negative."""
        self._refill()
        self._left -= count

    def can_consume(self, count: float) -> bool:
        """Return whether this many tokens can be taken without a debt."""
        self._refill()
        return self._left >= count

    def wait_s(self) -> float:
        """Return how long the caller has to wait until the balance is 0 again. The debt counts as paid by that wait."""
        owed_s = max(0.0, -self._left / self._per_s)
        if owed_s:
            self._left = 0.0
            self._at_s += owed_s
        return owed_s

    def _refill(self) -> None:
        now_s = self._now_s()
        self._left = min(self._burst, self._left + max(0.0, now_s - self._at_s) * self._per_s)
        self._at_s = max(self._at_s, now_s)
