"""What is counted of a pad's reader, on the Pi's SPI or on a seat board, so that healing hides no failing reader; and
when its misread looks are so many that somebody is to know. Knows no bus."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from taptable.core.settings import US_PER_S

MANY_ON_BOARD, MANY_ON_SPI = 500, 100
"""So many misread looks within SPAN_S are said: a card that comes or goes costs a few of 15,000, or of 1,200."""
MANY_IN_ALL = 10_000
"""So many of a board that was never asked before are said at once: an evening of taps makes some hundreds."""
SPAN_S, WARN_EVERY_S = 60, 600

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """How often the chip was set up after the first time, how many registers were found wrong, after how many resets
    without another reason a card was heard at once, how many cards couldn't be selected, and how many looks were
    garbled."""

    set_ups: int = 0
    wrong: int = 0
    healed: int = 0
    unread: int = 0
    misread: int = 0


class MisreadWatch:
    """Counts the misread looks of the pad called `part`, and warns in the log when `many` come within SPAN_S, at most
    every SAID_EVERY_S."""

    def __init__(self, part: str, many: int) -> None:
        self.count = 0
        self._part = part
        self._many = many
        self._span: tuple[int, int] | None = None  # when it began, and the count then
        self._silent_until_us = 0

    def add(self, now_us: int) -> None:
        """One more look was misread."""
        self.set_count(self.count + 1, now_us)

    def set_count(self, count: int, now_us: int) -> None:
        """The count by now; one that has fallen counts from 0 again."""
        before, self.count = self.count, count
        if self._span is None:
            self._span = now_us, 0 if count >= MANY_IN_ALL else count
        elif count < before or now_us - self._span[0] > SPAN_S * US_PER_S:
            self._span = now_us, min(before, count)
        lately = count - self._span[1]
        if lately >= self._many and now_us >= self._silent_until_us:
            self._silent_until_us = now_us + WARN_EVERY_S * US_PER_S
            _log.warning(
                "%s: %d looks misread, %d of them lately: a card that can't be read, noise, or a failing reader",
                self._part,
                count,
                lately,
            )
