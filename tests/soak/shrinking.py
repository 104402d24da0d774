"""Finds the smallest set of faults with which an evening still goes wrong, by leaving out ever smaller parts of them
(delta debugging)."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def least(faults: Sequence[int], goes_wrong: Callable[[Sequence[int]], bool], most: int = 60) -> list[int]:
    """Faults of which none can be left out, or as few as `most` trials find; all of them go wrong."""
    left, parts, tried = list(faults), 2, 0
    if not left or goes_wrong([]):
        return []
    while len(left) > 1:
        size = -(-len(left) // parts)
        for first in range(0, len(left), size):
            fewer = left[:first] + left[first + size :]
            if tried == most:
                return left
            tried += 1
            if fewer and goes_wrong(fewer):
                left, parts = fewer, max(2, parts - 1)
                break
        else:
            if size == 1:
                return left
            parts = min(len(left), 2 * parts)
    return left
