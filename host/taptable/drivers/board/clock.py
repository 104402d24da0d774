"""Converts a board's stamps into table time. Each answered ping shows that at the board's stamp the table's clock stood
between sending and receiving. What is certain of one stamp is certain of any other, widened by the possible drift of
the two clocks in between; the interval of a stamp is the intersection of all that is certain. So the bound always
holds; it is no estimate. Knows no board and no wire."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from tapshared.ticks import PERIOD

DRIFT_PPM = 100  # between a board and table time
ROUNDING_US = 2  # stamps and table time are whole microseconds, rounded down
MAX_BOUNDS = 512  # the most anchors that a bound keeps; the oldest are dropped


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant between these two, in table time."""

    earliest_us: int
    latest_us: int

    @property
    def at_us(self) -> int:
        """The middle of the interval."""
        return (self.earliest_us + self.latest_us) // 2

    @property
    def uncertainty_us(self) -> int:
        """The largest distance of the interval's ends from `at_us`."""
        return self.latest_us - self.at_us


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A board's time, without wraps, and the interval of table time that contains it."""

    board_us: int
    sent_us: int
    received_us: int


class _Floor:
    """A lower bound of a quantity at any of the board's times. At some of them the quantity is known, and it changes no
    faster than clocks drift. Keeps only anchors that give a better bound at their own time than any other anchor."""

    def __init__(self, drift_ppm: int) -> None:
        self._drift_ppm = drift_ppm
        self._board_us: list[int] = []
        self._least_us: list[int] = []

    def add(self, board_us: int, least_us: int) -> None:
        """Add a lower bound at a time. Times must be added in ascending order."""
        if self._board_us and self._seen_from(-1, board_us) >= least_us:
            return
        while self._board_us and least_us - self._drift_us(board_us - self._board_us[-1]) >= self._least_us[-1]:
            del self._board_us[-1], self._least_us[-1]
        self._board_us.append(board_us)
        self._least_us.append(least_us)
        del self._board_us[:-MAX_BOUNDS], self._least_us[:-MAX_BOUNDS]

    def at(self, board_us: int) -> int:
        """Return the best lower bound at a time. Of the anchors before it the last one gives the best bound, and of
        those after it the first, since each gives a better bound at its own time than any other."""
        after = bisect_right(self._board_us, board_us)
        return max(self._seen_from(place, board_us) for place in (after - 1, after) if 0 <= place < len(self._board_us))

    def _seen_from(self, place: int, board_us: int) -> int:
        return self._least_us[place] - self._drift_us(board_us - self._board_us[place])

    def _drift_us(self, span_us: int) -> int:
        """Return the most that the clocks may drift apart over a span of either of them, rounded up."""
        return abs(span_us) * self._drift_ppm // (1_000_000 - self._drift_ppm) + 1


class BoardClock:
    """The clock of one boot of a board, against another that drifts away from it by `drift_ppm` at most. Of all
    exchanges it keeps those that still bound some stamp better than the others do."""

    def __init__(self, drift_ppm: int = DRIFT_PPM) -> None:
        self._drift_ppm = drift_ppm
        self._latest: _Exchange | None = None
        self._discontinuity: tuple[_Exchange, _Exchange] | None = (
            None  # between these the clocks drifted more than they may
        )
        self._forget()

    @property
    def is_synchronized(self) -> bool:
        """Whether there has been an exchange, so that stamps can be converted."""
        return self._latest is not None

    def add_exchange(self, sent_us: int, ticks: int, received_us: int) -> None:
        """Add an exchange: a ping sent not before `sent_us` was answered with `ticks`, and the answer arrived by
        `received_us`. Must be called in the order of the pings."""
        board_us = self._unwrap(ticks, received_us)
        exchange = _Exchange(board_us, sent_us, received_us)
        if self._latest is not None and not self._agrees(exchange):
            self._discontinuity = (self._latest, exchange)
            self._forget()
        self._lead.add(board_us, sent_us - board_us)
        self._lag.add(board_us, board_us - received_us)
        self._latest = exchange

    def moment(self, ticks: int, arrived_us: int) -> Moment:
        """Return when the board stamped `ticks`. The stamp arrived by `arrived_us`, less than 10 minutes old. Needs an
        exchange before."""
        board_us = self._unwrap(ticks, arrived_us)
        if self._discontinuity is not None and board_us < self._discontinuity[1].board_us:
            before, after = self._discontinuity
            return _ordered(before, board_us, min(after.received_us, arrived_us))
        earliest_us, latest_us = self._bounds(board_us)
        latest_us = min(latest_us, arrived_us)
        if earliest_us > latest_us:
            # The clocks have parted since the last exchange, as when the Pi's stood still. Only their order is left.
            assert self._latest is not None
            return _ordered(self._latest, board_us, arrived_us)
        return Moment(earliest_us, latest_us)

    def _forget(self) -> None:
        self._lead, self._lag = (
            _Floor(self._drift_ppm),
            _Floor(self._drift_ppm),
        )  # by how much the table's clock leads the board's, and lags it

    def _bounds(self, board_us: int) -> tuple[int, int]:
        return board_us + self._lead.at(board_us) - ROUNDING_US, board_us - self._lag.at(board_us) + ROUNDING_US

    def _agrees(self, exchange: _Exchange) -> bool:
        """Return whether an exchange is compatible with what was certain before."""
        assert self._latest is not None
        earliest_us, latest_us = self._bounds(exchange.board_us)
        in_order = exchange.board_us >= self._latest.board_us
        return in_order and earliest_us <= exchange.received_us and exchange.sent_us <= latest_us

    def _unwrap(self, ticks: int, arrived_us: int) -> int:
        """Return the board's time without wraps: the one that ends in `ticks` and lies at most a quarter of a wrap
        after the expected time."""
        if self._latest is None:
            return ticks
        end_us = self._latest.board_us + (arrived_us - self._latest.sent_us) + PERIOD // 4
        return end_us - (end_us - ticks) % PERIOD


def _ordered(before: _Exchange, board_us: int, latest_us: int) -> Moment:
    """Return what is certain of a stamp if the clocks' rates are not: it came after an exchange, or at any time."""
    return Moment(before.sent_us if board_us >= before.board_us else 0, latest_us)
