"""Counters of a pad's reader, on a bus of this computer or on a seat board, so that healing hides no failing reader;
and a warning when too many looks are misread. Knows no bus."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from taptable.core.settings import US_PER_S

MANY_ON_BOARD, MANY_ON_BUS = 500, 100
"""Misread looks within SPAN_S that cause a warning. A card that comes or goes costs a few of 15,000 looks on a board,
or of 1,200 on a bus of this computer."""
MANY_IN_ALL = 10_000
"""A first count of this many from a board causes a warning at once: an evening of taps makes some hundreds."""
SPAN_S, WARN_EVERY_S = 60, 600
"""The span in which misread looks are counted, and the least time between two warnings."""

_log = logging.getLogger(__name__)

FOUND_AFTER_RESET = (
    "Reader found a card only after a reset (%s): its receiver may have hung; if it repeats, check its power and wires"
)
"""The warning about a card that a reader missed until its chip was reset."""


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """Counters of a reader. `set_ups` counts set-ups after the first one, `wrong` registers found wrong, `healed`
    resets without another reason after which a card was found at once, `unread` cards that couldn't be selected,
    `misread` garbled looks."""

    set_ups: int = 0
    wrong: int = 0
    healed: int = 0
    unread: int = 0
    misread: int = 0


class MisreadWatch:
    """Counts the misread looks of the pad called `part`, and logs a warning when `many` come within SPAN_S, at most
    every WARN_EVERY_S."""

    def __init__(self, part: str, many: int) -> None:
        self.count = 0
        self._part = part
        self._many = many
        self._span: tuple[int, int] | None = None  # its beginning, and the count then
        self._silent_until_us = 0

    def add(self, now_us: int) -> None:
        """Count one more misread look."""
        self.set_count(self.count + 1, now_us)

    def set_count(self, count: int, now_us: int) -> None:
        """Set the count. One that has fallen counts from 0 again."""
        before, self.count = self.count, count
        if self._span is None:
            self._span = now_us, 0 if count >= MANY_IN_ALL else count
        elif count < before or now_us - self._span[0] > SPAN_S * US_PER_S:
            self._span = now_us, min(before, count)
        lately = count - self._span[1]
        if lately >= self._many and now_us >= self._silent_until_us:
            self._silent_until_us = now_us + WARN_EVERY_S * US_PER_S
            _log.warning(
                "Misread looks (%s): %d, %d of them lately: a card that can't be read, noise, or a failing reader",
                self._part,
                count,
                lately,
            )
