"""*Table time ± a bound that always holds*: a board's clock that drifts and wraps, and a line with unequal delays."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tapshared.ticks import PERIOD
from taptable.drivers.board.clock import DRIFT_PPM, BoardClock, Moment

SECOND_US = 1_000_000


@dataclass
class DriftingBoard:
    """A board's clock against the table's, both in nanoseconds inside: its rate changes as it likes, within what is
    allowed.
    """

    random: Random
    table_ns: int = 0
    board_ns: int = 0
    ppm: int = 0

    def wait(self, span_ns: int) -> None:
        self.table_ns += span_ns
        self.board_ns += span_ns + span_ns * self.ppm // 1_000_000

    @property
    def ticks(self) -> int:
        return self.board_ns // 1000 % PERIOD

    @property
    def table_us(self) -> int:
        return self.table_ns // 1000

    def delay(self) -> None:
        """A way over USB that is asked once a millisecond, now and then over a busy host."""
        busy = self.random.random() < 0.1
        self.wait(self.random.randrange(1_100_000) + (self.random.randrange(300_000_000) if busy else 0))

    def exchange(self, clock: BoardClock) -> None:
        sent_us = self.table_us
        self.delay()
        ticks = self.ticks
        self.delay()
        clock.add_exchange(sent_us, ticks, self.table_us)


def holds(moment: Moment, table_ns: int) -> bool:
    return moment.earliest_us * 1000 <= table_ns <= moment.latest_us * 1000 + 999


drifts = st.lists(st.integers(-DRIFT_PPM, DRIFT_PPM), min_size=1, max_size=5)


@given(seed=st.integers(0, 1 << 30), first_ticks=st.integers(0, PERIOD - 1), drifts=drifts)
def test_the_bound_holds_whatever_the_delays_and_the_drift(seed: int, first_ticks: int, drifts: list[int]) -> None:
    random = Random(seed)
    board, clock = DriftingBoard(random, board_ns=first_ticks * 1000), BoardClock()
    board.exchange(clock)
    stamps: list[tuple[int, int]] = []
    for _ in range(60):
        board.ppm = random.choice(drifts)
        board.wait(random.choice((1, 1, 1, 30)) * random.randrange(2 * SECOND_US * 1000))
        stamps.append((board.ticks, board.table_ns))
        board.delay()
        if random.random() < 0.5:
            board.exchange(clock)
        # Stamps are asked for when they arrive, some of them minutes later.
        for ticks, table_ns in stamps[-5:]:
            assert holds(clock.moment(ticks, board.table_us), table_ns)


def test_the_bound_holds_after_hours_of_silence() -> None:
    board, clock = DriftingBoard(Random(1), ppm=-100), BoardClock()
    board.exchange(clock)
    board.wait(5 * 3600 * SECOND_US * 1000)
    ticks, table_ns = board.ticks, board.table_ns
    board.delay()
    assert holds(clock.moment(ticks, board.table_us), table_ns)


def test_the_bound_of_a_stamp_is_as_tight_as_the_best_exchange_near_it_widened_by_the_drift() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=1_000_000, ticks=500, received_us=1_000_200)
    clock.add_exchange(sent_us=2_000_000, ticks=1_000_500, received_us=2_030_000)  # a slow answer adds nothing above
    moment = clock.moment(500 + 1_500_000, arrived_us=3_000_000)
    assert (moment.earliest_us, moment.latest_us) == (2_500_000 - 51 - 2, 2_500_200 + 151 + 2)


def test_a_stamp_lies_between_the_exchanges_around_it() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=0, ticks=100_000, received_us=200_000)
    clock.add_exchange(sent_us=1_000_000, ticks=1_100_000, received_us=1_000_100)
    moment = clock.moment(600_000, arrived_us=2_000_000)
    assert (moment.earliest_us, moment.latest_us) == (500_000 - 51 - 2, 500_100 + 51 + 2)


def test_an_old_stamp_is_as_tight_as_the_exchange_it_was_near_to() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=0, ticks=50, received_us=100)
    clock.add_exchange(sent_us=100_000_000, ticks=100_000_050, received_us=100_000_100)
    assert clock.moment(1_000, arrived_us=100_000_200).uncertainty_us < 60
    assert clock.moment(99_999_000, arrived_us=100_000_200).uncertainty_us < 60


def test_no_stamp_is_later_than_its_arrival() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=0, ticks=5_000, received_us=20_000)
    assert clock.moment(6_000, arrived_us=20_500).latest_us <= 20_500


def test_the_middle_give_or_take_the_uncertainty_covers_the_interval() -> None:
    for moment in (Moment(10, 15), Moment(10, 14), Moment(7, 7)):
        assert moment.at_us - moment.uncertainty_us <= moment.earliest_us
        assert moment.at_us + moment.uncertainty_us >= moment.latest_us


@pytest.mark.parametrize("ppm", [5_000, -5_000])
def test_of_a_clock_that_drifts_more_than_it_may_the_last_exchange_is_believed(ppm: int) -> None:
    board, clock = DriftingBoard(Random(3), ppm=ppm), BoardClock()
    for _ in range(20):
        board.exchange(clock)
        board.wait(SECOND_US * 1000)
    board.exchange(clock)
    moment = clock.moment(board.ticks, board.table_us)
    assert holds(moment, board.table_ns)
    assert moment.uncertainty_us < 2_000


def test_the_bound_holds_after_the_tables_clock_stood_still() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=1_000_000, ticks=500, received_us=1_000_200)
    # The table's clock stops at 1.5 s for a minute, in which the button is pressed once, and once again right after.
    asleep, awake = clock.moment(20_000_500, arrived_us=1_501_000), clock.moment(60_600_500, arrived_us=1_601_000)
    assert (asleep.earliest_us, asleep.latest_us) == (1_000_000, 1_501_000)
    assert (awake.earliest_us, awake.latest_us) == (1_000_000, 1_601_000)


def test_a_stamp_from_before_the_tables_clock_stood_still_is_placed_by_the_exchange_before_it() -> None:
    clock = BoardClock()
    clock.add_exchange(sent_us=1_000_000, ticks=500, received_us=1_000_200)
    clock.add_exchange(sent_us=2_000_000, ticks=61_000_500, received_us=2_000_300)
    between, before = clock.moment(500_500, arrived_us=2_100_000), clock.moment(400, arrived_us=2_100_000)
    assert (between.earliest_us, between.latest_us) == (1_000_000, 2_000_300)
    assert (before.earliest_us, before.latest_us) == (0, 2_000_300)
    after = clock.moment(61_100_500, arrived_us=2_200_000)
    assert (after.earliest_us, after.latest_us) == (2_100_000 - 11 - 2, 2_100_300 + 11 + 2)
