"""Logging of a process that others can reach, for the commands that run one. Limits how often each place in the code
can log, no matter who causes it, and escapes control characters in texts from others. Must not know what is logged."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable

from taptable.core.rates import RateLimiter
from taptable.core.spelling import escape_control_chars

MAX_AT_ONCE, PER_S = 30, 0.1
"""How many records one place in the code may write at once, and how many per second after that."""

SERVICE_STYLE = "%(levelname)s: %(message)s"
"""The format of a service's records: without a time, since the system's journal stamps each line."""

_Place = tuple[str, str, int]
"""A place in the code: the logger's name, the file and the line."""


def log_to_stderr(level: int, style: str = logging.BASIC_FORMAT) -> None:
    """Write records of `level` and above to standard error. Leaves handlers alone that the process has already."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter(style))
    handler.addFilter(SparingFilter())
    logging.basicConfig(level=level, handlers=[handler])


class PlainFormatter(logging.Formatter):
    """Escapes control characters and indents all lines of a record but the first, so that nobody can forge a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record, which may have several lines."""
        return escape_control_chars(super().format(record)).replace("\n", "\n  ")


class SparingFilter(logging.Filter):
    """Drops records of a place in the code that logs too often. The next record that passes says how many were
    dropped."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._limiters: dict[_Place, RateLimiter] = {}
        self._left_out: Counter[_Place] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record may be written."""
        place = record.name, record.pathname, record.lineno
        limiter = self._limiters.setdefault(place, RateLimiter(PER_S, MAX_AT_ONCE, self._now_s))
        if not limiter.can_consume(1):
            self._left_out[place] += 1
            return False
        limiter.consume()
        if left_out := self._left_out.pop(place, 0):
            record.msg, record.args = f"{record.getMessage()} (similar records dropped: {left_out})", ()
        return True
