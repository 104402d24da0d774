"""The benches measure what they say, of the real code, and the page of measurements speaks of the same."""

from __future__ import annotations

import io
import re
from contextlib import aclosing
from pathlib import Path
from random import Random

import pytest
from choosing import long_params
from firmware.vm.process import find_program
from taptable.core.arbiter import Press, Ruling, first_press
from taptable.core.game_options import GameOptions
from taptable.core.observations import TimePassed
from taptable.sim.statistics import quantiles

from bench import cards, clock, controllers, reader, referee, wire
from bench.board_costs import measure_board
from bench.clock import OTHERS, OURS, compare, interval_errors, run_races, stress
from bench.distant_board import BEHIND_HUB, LOADED, POLLED_USB, DistantBoard
from bench.memory import Evening, compare_memory, evenings_at_a_table
from bench.tap_costs import PARTS, measure_host, measure_traffic

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
S_NS = 1_000_000_000
needs_vm = pytest.mark.skipif(find_program() is None, reason="needs MicroPython: scripts/setup-micropython")


def test_the_page_of_measurements_names_every_bench_line_and_clock() -> None:
    benches = {f"scripts/{path.name}" for path in (ROOT / "scripts").glob("bench-*")}
    assert [name for name in (*benches, *clock.LINES, OURS, *OTHERS) if name not in PAGE] == []


def test_the_referee_is_measured_by_legal_moves_and_they_are_all_listed() -> None:
    out = io.StringIO()
    assert referee.run(out, games=6) == 0
    shares = [float(share) for share in re.findall(r"([\d.]+)%", out.getvalue())]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert re.search(r"moves a second of CPU time on one core: median [\d,]+, best [\d,]+", out.getvalue())


def test_time_that_passes_is_no_move() -> None:
    observations, mix = referee.record(GameOptions(3, "de", {}, 1), Random(1))
    assert mix.total() == sum(not isinstance(each, TimePassed) for each in observations)


def test_the_stock_package_needs_2013_transfers_for_an_empty_pad() -> None:
    stock = reader.measure_stock()
    assert (stock["empty poll"].transfers, stock["empty poll"].moved_bytes) == (2013, 4026)
    assert stock["first read"].found == "88" + reader.UID[:3].hex()
    assert stock["known card"].found == ""  # the tag was left selected


def rows_of_the_benchmark() -> list[list[str]]:
    out = io.StringIO()
    assert reader.run(out) == 0
    return [line.split() for line in out.getvalue().splitlines() if re.match(r"(empty|first|known) ", line)]


def test_the_benchmark_prints_ours_beside_stock_and_keeps_its_aims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "find_program", lambda: None)
    rows = rows_of_the_benchmark()
    assert [row[2] for row in rows] == ["Pi", "stock"] * 3
    assert rows[1][3:5] == ["2013", "4026"]
    assert rows[0][-1] == "nothing"
    assert rows[2][-1] == rows[4][-1] == reader.UID.hex()


@needs_vm
@pytest.mark.long
def test_the_firmware_in_the_vm_looks_with_the_same_transfers_as_the_pi() -> None:
    rows = {(row[0], row[2]): row[3:5] for row in rows_of_the_benchmark()}
    for case in ("empty", "first", "known"):
        assert rows[case, "board"] == rows[case, "Pi"]


def test_a_read_takes_the_airs_4_45_ms_and_2_83_when_known() -> None:
    ours = reader.measure_ours()
    assert ours["first read"].air_ms == pytest.approx(4.45, abs=0.02)
    assert ours["known card"].air_ms == pytest.approx(2.83, abs=0.02)


@pytest.mark.parametrize("stamps", long_params([20_000, 100_000]))
def test_the_truth_never_lies_outside_the_bound(stamps: int) -> None:
    placed = stress(stamps, seed=2)
    assert len(placed.bounds_us) == stamps
    assert placed.out_of_bounds == 0


@pytest.mark.long
def test_a_press_made_first_wins_though_it_arrives_last() -> None:
    races = run_races(600, 2, (BEHIND_HUB, POLLED_USB))
    assert races.arrived_last > 60
    assert races.wrong["arrival"] == races.arrived_last
    assert races.wrong["regression"] > 0
    assert races.wrong[OURS] == 0
    assert races.tied < 100
    assert races.margins_outside == 0


@pytest.mark.long
def test_on_lines_alike_only_presses_of_less_than_half_a_millisecond_apart_tie() -> None:
    races = run_races(300, 3, (POLLED_USB, POLLED_USB))
    assert races.wrong[OURS] == 0
    assert races.widest_tie_us < 500


def test_the_bound_of_a_press_in_a_window_is_half_as_wide() -> None:
    rarely, often = (quantiles(compare(LOADED, 600, 4, window=window).bounds_us, 0.5)[0] for window in (False, True))
    assert often < 0.55 * rarely


def test_a_load_that_delays_arrivals_by_milliseconds_hardly_widens_the_bound() -> None:
    calm, loaded = (compare(line, 600, 5, window=True) for line in (POLLED_USB, LOADED))
    assert quantiles(map(abs, loaded.errors_us["arrival"]), 0.99)[0] > 8_000
    assert quantiles(loaded.bounds_us, 0.99)[0] < 1.5 * quantiles(calm.bounds_us, 0.99)[0]


def test_the_models_of_the_other_clocks_are_off_by_what_was_measured_for_them() -> None:
    between = interval_errors(*(compare(POLLED_USB, 2_000, seed, window=False) for seed in (1, 2)))
    assert 250 < quantiles(map(abs, between["arrival"]), 0.5)[0] < 340  # facts: 293 µs
    assert quantiles(map(abs, between["regression"]), 0.5)[0] < 30  # facts: 13 µs


def test_a_host_that_stands_still_reads_when_it_wakes_what_came_meanwhile() -> None:
    board = DistantBoard("one", POLLED_USB, Random(1))
    board.run_until(5 * S_NS)
    board.suspend_host(60 * S_NS)
    board.run_until(30 * S_NS)
    board.press()
    board.run_until(64 * S_NS)
    assert board.events == []
    board.run_until(66 * S_NS)
    [(event, read_us)] = board.events
    assert (event.moment.earliest_us, read_us) <= (5_000_000, 5_002_000)
    assert board.table_ns == 6 * S_NS


def test_the_bench_of_controllers_finds_a_bound_that_is_too_narrow() -> None:
    assert all(controllers.place_presses(make, 100, 1).outside == 0 for make in controllers.MAKES.values())
    assert controllers.place_presses(controllers.Make(4_000, 16_000, bounces=False), 100, 1).outside > 0
    for places in controllers.TABLES.values():
        result = controllers.race(100, 1, places)
        assert (result.wrong, result.out_of_bounds) == (0, 0)
        assert 0 < result.ties < 100

    def by_stamp(presses: tuple[Press, ...], after: int, seats: int) -> Ruling:
        del after, seats
        first = min(presses, key=lambda press: press.pressed_at_us)
        return Ruling(first, (), 0, 0)

    assert controllers.race(300, 1, controllers.TABLES["Buzz!, pins and boards mixed"], by_stamp).wrong > 0


def test_the_bench_of_cards_finds_a_reader_that_is_later_than_stated_and_a_rule_that_is_wrong() -> None:
    for places in cards.TABLES.values():
        result = cards.race(100, 1, places)
        assert (result.wrong, result.outside) == (0, 0)
        assert 0 < result.ties < 100
    with_pins = cards.TABLES["cards and pins"]
    assert cards.race(100, 1, with_pins, noticed_us=2 * cards.STATED_US).outside > 0

    def latest_known(presses: tuple[Press, ...], after: int, seats: int) -> Ruling:
        return first_press(presses[-1:], after, seats)

    assert cards.race(100, 1, with_pins, rule_on=latest_known).wrong > 0


def test_the_bench_prints_every_clock_on_every_line() -> None:
    out = io.StringIO()
    assert clock.run(out, stamps=500, compared=50, races=20) == 0
    said = out.getvalue()
    for line in clock.LINES:
        assert said.count(f"\n{line}, a ping") == 2
    assert [len(re.findall(rf"^    {name} ", said, re.M)) for name in (OURS, *OTHERS)] == [2 * len(clock.LINES)] * 4
    assert "the bound always held" in said


def rows_in(text: str) -> dict[str, str]:
    """The medians in a table, by the name of the part."""
    return dict(re.findall(r"^(\S.*?)  +(?:model|Pico|Pi|assumed)? +([\d.]+) +[\d.]+ +[\d.]+$", text, re.M))


@needs_vm
@pytest.mark.long
def test_the_parts_of_a_taps_way_add_up_to_it() -> None:
    out = io.StringIO()
    status = wire.run(out, host_taps=24, taps=400, traffic_taps=12)
    boards, *buses = re.split(r"^from a tap to the verdict, ms, ", out.getvalue(), flags=re.M)
    rows = rows_in(boards)
    assert [name for name in rows if name not in PAGE] == []
    for bus in buses:
        parts = rows_in(bus)
        totals = [parts.pop(name) for name in list(parts) if name.startswith("from the tap to the verdict, ")]
        assert [name for name in parts if name not in PAGE] == []
        assert sum(map(float, parts.values())) == pytest.approx(float(totals[-1]), rel=0.15)
    assert len(buses) == 3
    verdict, light = (float(rows.pop(f"from the tap to the {end}")) for end in ("verdict", "light"))
    assert len(rows) == 16
    assert sum(map(float, rows.values())) == pytest.approx(light, rel=0.15)
    assert verdict < light - float(rows["board: light heard"])
    assert ("kept" in out.getvalue()) == (status == 0)


@needs_vm
@pytest.mark.long
def test_a_verdict_is_drawn_at_once_while_another_pattern_moves() -> None:
    program = find_program()
    assert program is not None
    assert max(measure_board(program).ring_us) < 2_000


def test_without_micropython_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPTABLE_MICROPYTHON", "no-such-program")
    out = io.StringIO()
    assert wire.run(out) == 2
    assert "scripts/setup-micropython" in out.getvalue()


def test_every_tap_passes_every_joint_of_the_daemon_once() -> None:
    costs = measure_host(24, seed=3)
    assert {part: len(costs.parts_us[part]) for part in PARTS} == dict.fromkeys(PARTS, 24)
    assert min(min(times_us) for times_us in costs.parts_us.values()) > 0
    assert len(costs.journal_us) == 24


def test_over_good_cables_nothing_is_sent_twice_and_the_verdict_comes_with_the_next_look() -> None:
    traffic = measure_traffic(30, seed=4)
    assert traffic.resent == 0
    assert len(traffic.verdict_ms) == 30
    assert max(traffic.verdict_ms) < 8.0 + 1.2  # a look, and the cable once
    assert traffic.per_tap(by_board=True).wire_bytes < traffic.per_tap(by_board=True).json_bytes


def test_over_bad_cables_lost_sentences_are_sent_again_until_every_tap_has_its_verdict() -> None:
    traffic = measure_traffic(60, seed=5, harmed=0.05)
    assert traffic.resent > 0
    assert len(traffic.verdict_ms) == 60


def test_a_figure_that_grows_by_more_than_it_may_is_reported() -> None:
    evenings: list[Evening] = [{"table": {"PSS MB": 40.0, "files": 10 + number}} for number in range(20)]
    lines, wrong = compare_memory(evenings, 3)
    assert lines == ["table, PSS MB: 40.0 by 40.0, 1.000", "table, files: 27 by 14, 1.929, which is more than 1.1"]
    assert wrong == lines[1:]


@pytest.mark.long
async def test_table_and_page_hold_after_ten_evenings_what_they_held_after_three() -> None:
    passed: list[Evening] = []
    async with aclosing(evenings_at_a_table(whole=0, look=False)) as evenings:
        while len(passed) < 10:
            passed.append(await anext(evenings))
    lines, wrong = compare_memory(passed, 3)
    assert [line for line in lines if line.startswith("page, tasks: ")]
    assert wrong == []
