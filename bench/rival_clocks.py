"""Other ways to find the time of a board's stamp, to compare ours with: by the arrival of the message, by a regression
as in Klipper, and by the best round trip. Each receives the answered pings, and gives one time, without a bound."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from tapshared.ticks import ticks_diff


class OtherClock(Protocol):
    """A clock to compare with. Stamps are in a board's time without wraps, everything else in table time, in µs."""

    def add_exchange(self, sent_us: int, board_us: int, received_us: int) -> None:
        """A ping was answered."""
        ...

    def estimate_us(self, board_us: int, arrived_us: int) -> float:
        """The estimated time of a stamp whose message arrived at `arrived_us`."""
        ...


class Unwrapping:
    """A board's time without wraps, for news that are less than half a wrap apart."""

    def __init__(self) -> None:
        self._board_us: int | None = None

    def board_us(self, ticks: int) -> int:
        """The time that ends in these ticks."""
        last_us = ticks if self._board_us is None else self._board_us
        self._board_us = last_us + ticks_diff(ticks, last_us)
        return self._board_us


class Arrival:
    """The arrival of the message, as in most buzzers."""

    def add_exchange(self, sent_us: int, board_us: int, received_us: int) -> None:
        """Ignore the exchange."""

    def estimate_us(self, board_us: int, arrived_us: int) -> float:
        """The arrival."""
        del board_us
        return arrived_us


class BestRoundTrip:
    """The middle of the shortest of the last round trips, and from there by the board's own rate."""

    LAST = 8

    def __init__(self) -> None:
        self._last: deque[tuple[int, float]] = deque(
            maxlen=self.LAST
        )  # each round trip, and by how much table time leads

    def add_exchange(self, sent_us: int, board_us: int, received_us: int) -> None:
        """Keep it among the last."""
        self._last.append((received_us - sent_us, (sent_us + received_us) / 2 - board_us))

    def estimate_us(self, board_us: int, arrived_us: int) -> float:
        """By the best of the last."""
        del arrived_us
        return board_us + min(self._last)[1]


class Regression:
    """A line through the board's time over the time of sending. Old exchanges have little weight, and those that took
    much longer than the shortest round trip none. The estimate adds half of that trip."""

    DECAY = 1 / 30
    FAR_US = 1_200

    def __init__(self) -> None:
        self._count = 0
        self._sent_us = self._board_us = 0.0  # where the averages are
        self._variance = self._covariance = 0.0
        self._shortest_us = float("inf")

    def add_exchange(self, sent_us: int, board_us: int, received_us: int) -> None:
        """Take it in, unless it took too long."""
        self._shortest_us = min(self._shortest_us, received_us - sent_us)
        if received_us - sent_us > self._shortest_us + self.FAR_US:
            return
        if self._count == 0:
            self._sent_us, self._board_us = sent_us, board_us
        self._count += 1
        share = max(self.DECAY, 1 / self._count)
        sent_off, board_off = sent_us - self._sent_us, board_us - self._board_us
        self._sent_us += share * sent_off
        self._board_us += share * board_off
        self._variance = (1 - share) * (self._variance + share * sent_off**2)
        self._covariance = (1 - share) * (self._covariance + share * sent_off * board_off)

    def estimate_us(self, board_us: int, arrived_us: int) -> float:
        """By the line."""
        del arrived_us
        return self._sent_us + (board_us - self._board_us) / self._rate + self._shortest_us / 2

    @property
    def _rate(self) -> float:
        return self._covariance / self._variance if self._variance else 1.0
