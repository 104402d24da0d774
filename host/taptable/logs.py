"""The log of a process that others can reach: each place of the code writes so many lines, whoever makes it do so, and
what others have said is written without control characters."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable

from taptable.core.rates import RateLimiter
from taptable.core.spelling import escape_control_chars

MOST_AT_ONCE, PER_S = 30, 0.1
"""How many records of one place of the code are written at once, and in a second after that."""

SERVICE_STYLE = "%(levelname)s: %(message)s"
"""The journal of the system has the time of each line."""

_Place = tuple[str, str, int]


def log_to_stderr(level: int, style: str = logging.BASIC_FORMAT) -> None:
    """Write records of `level` and above to standard error. Handlers that the process has already are left alone."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter(style))
    handler.addFilter(SparingFilter())
    logging.basicConfig(level=level, handlers=[handler])


class PlainFormatter(logging.Formatter):
    """Writes control characters as their numbers, and lines that follow the first of a record further in: nobody can
    make one look like a record of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        return escape_control_chars(super().format(record)).replace("\n", "\n  ")


class SparingFilter(logging.Filter):
    """Leaves out records of a place that logs too often. The next one says how many were left out."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._limiters: dict[_Place, RateLimiter] = {}
        self._left_out: Counter[_Place] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        place = record.name, record.pathname, record.lineno
        limiter = self._limiters.setdefault(place, RateLimiter(PER_S, MOST_AT_ONCE, self._now_s))
        if not limiter.can_consume(1):
            self._left_out[place] += 1
            return False
        limiter.consume()
        if left_out := self._left_out.pop(place, 0):
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this were left out)", ()
        return True
