"""When a board's stamp was made, in table time. Each answered ping says: at the board's stamp the table's clock stood
between sending and receiving. What is certain of one stamp is certain of any other, widened by what the two clocks
may drift apart in between; the interval of a stamp is where all that is certain meets. So the bound always holds; it
is no estimate. Knows no board and no wire."""

from __future__ import annotations

from dataclasses import dataclass

from tapshared.ticks import PERIOD

DRIFT_PPM = 100
ROUNDING_US = 2  # stamps and table time are whole microseconds, rounded down
ANCHORS = 64


@dataclass(frozen=True, slots=True)
class Moment:
    """It was between these two, in table time."""

    earliest_us: int
    latest_us: int

    @property
    def at_us(self) -> int:
        """The middle."""
        return (self.earliest_us + self.latest_us) // 2

    @property
    def uncertainty_us(self) -> int:
        """`at_us` give or take this covers the whole interval."""
        return self.latest_us - self.at_us


@dataclass(frozen=True, slots=True)
class _Anchor:
    """The table's time at a board's time (without wraps), or a bound of it."""

    board_us: int
    table_us: int

    def least_us(self, board_us: int) -> int:
        """The earliest the table's clock can show at `board_us`, if the anchor is a lower bound."""
        return self.table_us + (board_us - self.board_us) - _drift_us(board_us - self.board_us)

    def most_us(self, board_us: int) -> int:
        """The latest the table's clock can show at `board_us`, if the anchor is an upper bound."""
        return self.table_us + (board_us - self.board_us) + _drift_us(board_us - self.board_us)


class BoardClock:
    """The clock of one boot of a board. Of all exchanges it keeps those that still bound some stamp better than the
    others do.
    """

    def __init__(self) -> None:
        self._latest: _Anchor | None = None
        self._floors: list[_Anchor] = []
        self._ceilings: list[_Anchor] = []

    @property
    def known(self) -> bool:
        """Whether there has been an exchange, so that stamps can be told."""
        return self._latest is not None

    def exchange(self, sent_us: int, ticks: int, received_us: int) -> None:
        """A ping sent not before `sent_us` was answered with `ticks`, and the answer was there by `received_us`."""
        board_us = self._unwrapped(ticks, received_us)
        floor, ceiling = _Anchor(board_us, sent_us), _Anchor(board_us, received_us)
        if self.known and not self._agrees(board_us, sent_us, received_us):
            # The clocks came apart faster than they may: what was certain before isn't any more.
            self._floors, self._ceilings = [], []
        if all(kept.least_us(board_us) < sent_us for kept in self._floors):
            needed = [kept for kept in self._floors if floor.least_us(kept.board_us) < kept.table_us]
            self._floors = [*needed, floor][-ANCHORS:]
        if all(kept.most_us(board_us) > received_us for kept in self._ceilings):
            needed = [kept for kept in self._ceilings if ceiling.most_us(kept.board_us) > kept.table_us]
            self._ceilings = [*needed, ceiling][-ANCHORS:]
        self._latest = floor

    def moment(self, ticks: int, arrived_us: int) -> Moment:
        """When the board stamped `ticks`, which arrived by `arrived_us` less than 10 minutes old. Needs an exchange
        before.
        """
        board_us = self._unwrapped(ticks, arrived_us)
        latest_us = min(self._ceiling_us(board_us) + ROUNDING_US, arrived_us)
        return Moment(min(self._floor_us(board_us) - ROUNDING_US, latest_us), latest_us)

    def _unwrapped(self, ticks: int, arrived_us: int) -> int:
        """The board's time without wraps: what ends in `ticks` and lies at most a quarter of a wrap after what is to
        be expected.
        """
        if self._latest is None:
            return ticks
        end_us = self._latest.board_us + (arrived_us - self._latest.table_us) + PERIOD // 4
        return end_us - (end_us - ticks) % PERIOD

    def _agrees(self, board_us: int, sent_us: int, received_us: int) -> bool:
        return (
            self._floor_us(board_us) - ROUNDING_US <= received_us
            and sent_us <= self._ceiling_us(board_us) + ROUNDING_US
        )

    def _floor_us(self, board_us: int) -> int:
        return max(kept.least_us(board_us) for kept in self._floors)

    def _ceiling_us(self, board_us: int) -> int:
        return min(kept.most_us(board_us) for kept in self._ceilings)


def _drift_us(span_us: int) -> int:
    """How far the clocks may come apart over a span of either of them, rounded up."""
    return abs(span_us) * DRIFT_PPM // (1_000_000 - DRIFT_PPM) + 1
