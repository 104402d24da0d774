"""*Table time ± a bound that always holds*, and *by time of press*: over whole lines, in given time."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random

import pytest
from choosing import mostly_long
from taptable.cli.bench import BENCHES
from taptable.sim import bench_clock
from taptable.sim.buzz_race import run_races
from taptable.sim.clock_trials import OTHERS, OURS, between_boards, compare, try_everything
from taptable.sim.distant import ASKED, BEHIND_HUB, LOADED, DistantBoard
from taptable.sim.statistics import ranks

S_NS = 1_000_000_000


@pytest.mark.parametrize("stamps", mostly_long([20_000, 100_000]))
def test_the_truth_never_lies_outside_the_bound(stamps: int) -> None:
    placed = try_everything(stamps, seed=2)
    assert len(placed.bounds_us) == stamps
    assert placed.outside == 0


@pytest.mark.long
def test_a_press_made_first_wins_though_it_arrives_last() -> None:
    races = run_races(600, 2, (BEHIND_HUB, ASKED))
    assert races.arrived_last > 60
    assert races.wrong["arrival"] == races.arrived_last
    assert races.wrong["regression"] > 0
    assert races.wrong[OURS] == 0
    assert races.tied < 100
    assert races.margins_outside == 0


@pytest.mark.long
def test_on_lines_alike_only_presses_of_less_than_half_a_millisecond_apart_tie() -> None:
    races = run_races(300, 3, (ASKED, ASKED))
    assert races.wrong[OURS] == 0
    assert races.widest_tie_us < 500


def test_the_bound_of_a_press_in_a_window_is_half_as_wide() -> None:
    rarely, often = (ranks(compare(LOADED, 600, 4, window=window).bounds_us, 0.5)[0] for window in (False, True))
    assert often < 0.55 * rarely


def test_a_load_that_delays_arrivals_by_milliseconds_hardly_widens_the_bound() -> None:
    calm, loaded = (compare(line, 600, 5, window=True) for line in (ASKED, LOADED))
    assert ranks(map(abs, loaded.errors_us["arrival"]), 0.99)[0] > 8_000
    assert ranks(loaded.bounds_us, 0.99)[0] < 1.5 * ranks(calm.bounds_us, 0.99)[0]


def test_the_models_of_the_other_clocks_are_off_by_what_was_measured_for_them() -> None:
    between = between_boards(*(compare(ASKED, 2_000, seed, window=False) for seed in (1, 2)))
    assert 250 < ranks(map(abs, between["arrival"]), 0.5)[0] < 340  # facts: 293 µs
    assert ranks(map(abs, between["regression"]), 0.5)[0] < 30  # facts: 13 µs


def test_a_host_that_stands_still_reads_when_it_wakes_what_came_meanwhile() -> None:
    board = DistantBoard("one", ASKED, Random(1))
    board.run_until(5 * S_NS)
    board.stand_still(60 * S_NS)
    board.run_until(30 * S_NS)
    board.press()
    board.run_until(64 * S_NS)
    assert board.events == []
    board.run_until(66 * S_NS)
    [(event, read_us)] = board.events
    assert (event.made.earliest_us, read_us) <= (5_000_000, 5_002_000)
    assert board.table_ns == 6 * S_NS


def test_the_bench_prints_every_clock_on_every_line() -> None:
    out = io.StringIO()
    assert bench_clock.run(out, stamps=500, compared=50, races=20) == 0
    said = out.getvalue()
    for line in bench_clock.LINES:
        assert said.count(f"\n{line}, a ping") == 2
    assert [len(re.findall(rf"^    {name} ", said, re.M)) for name in (OURS, *OTHERS)] == [6] * 4
    assert "the bound always held" in said


def test_the_page_of_measurements_speaks_of_the_same_lines_and_clocks() -> None:
    page = (Path(__file__).parents[2] / "docs" / "measurements.md").read_text(encoding="utf-8")
    assert [name for name in (*bench_clock.LINES, OURS, *OTHERS) if name not in page] == []
    assert [name for name in BENCHES if name != "referee" and f"`taptable bench {name}`" not in page] == []
