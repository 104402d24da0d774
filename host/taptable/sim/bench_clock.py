"""``taptable bench clock``: how well a press on a seat board is placed in time, and who is said to have buzzed first.

All of it is simulated in given time, so the figures are the same wherever it runs: the boards' conversation, the Pi's
link and clock and the arbiter are the real ones, the line, the boards' crystals and the load of the host are models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from taptable.edges.boards.clock import DRIFT_PPM
from taptable.edges.boards.link import PING_EVERY_US, WINDOW_PING_EVERY_US
from taptable.sim.buzz_race import LONGEST_GAP_US, Races, run_races
from taptable.sim.clock_trials import OTHERS, OURS, Placed, between_boards, compare, try_everything
from taptable.sim.distant import ASKED, BEHIND_HUB, LOADED, TURNING, Line
from taptable.sim.statistics import ranks

SEED = 1
STAMPS = 1_000_000
COMPARED = 5_000
RACES = 10_000

LINES: dict[str, Line] = {
    "USB that is asked each ms": ASKED,
    "the same, the board looks at its port each ms": TURNING,
    "USB that is asked each ms, loaded host": LOADED,
}
"""How long the ways take is in `distant`."""

RACES_ON = {
    "the first mostly on a line that is 2 to 12 ms late": (BEHIND_HUB, ASKED),
    "on lines alike": (ASKED, ASKED),
}
_PARTS = (0.5, 0.99)


def run(out: TextIO, stamps: int = STAMPS, compared: int = COMPARED, races: int = RACES) -> int:
    """Print all of it; 0 if the truth never lay outside a bound and no wrong winner was named outside a tie."""
    print(f"Stamps of a board, placed in table time; µs, p50 and p99 of {compared:,}; simulated, seed {SEED}", file=out)
    print(f"{'':34}{'bound ±':>14}{'error':>18}{'between 2 boards':>20}", file=out)
    outside = 0
    for name, line in LINES.items():
        for window in (False, True):
            pings = f"a ping each {(WINDOW_PING_EVERY_US if window else PING_EVERY_US) // 1000} ms"
            print(f"{name}, {pings}" + (" (while a window is open)" if window else ""), file=out)
            one, other = (compare(line, compared, SEED + board, window=window) for board in range(2))
            outside += one.outside + other.outside
            _print_comparison(out, one, other)
    everything = try_everything(stamps, SEED)
    _print_everything(out, everything)
    holds = not (outside or everything.outside)
    for name, lines in RACES_ON.items():
        result = run_races(races, SEED, lines)
        _print_races(out, name, result)
        holds = holds and not (result.wrong[OURS] or result.margins_outside)
    print(f"the bound {'always held' if holds else 'DID NOT HOLD'}", file=out)
    return 0 if holds else 1


def _print_comparison(out: TextIO, one: Placed, other: Placed) -> None:
    between = between_boards(one, other)
    for name in (OURS, *OTHERS):
        bound = _pair(one.bounds_us) if name == OURS else f"{'none':>7}{'':7}"
        print(f"    {name:30}{bound}    {_pair(one.errors_us[name])}      {_pair(between[name])}", file=out)


def _print_everything(out: TextIO, placed: Placed) -> None:
    """The stamps that had it worst."""
    print(
        f"\n{len(placed.bounds_us):,} stamps over a bad cable and a loaded host, crystals that wander within"
        f" {DRIFT_PPM} ppm, wraps, a host that stands still, news that comes late:"
        f"\n    outside their bound: {placed.outside}; bound ± p50 {ranks(placed.bounds_us, 0.5)[0]} µs",
        file=out,
    )


def _print_races(out: TextIO, name: str, races: Races) -> None:
    """Who was first."""
    print(f"\n{races.races:,} races of two buttons, up to {LONGEST_GAP_US // 1000} ms apart, {name}:", file=out)
    print(f"    the first to press arrived last: {races.arrived_last:,}", file=out)
    print(f"    the later named first, ours: {races.wrong[OURS]:,} outside a declared tie", file=out)
    for name in OTHERS:
        print(f"    the later named first, by {name}: {races.wrong[name]:,}", file=out)
    print(
        f"    ties declared: {races.tied:,}, of presses up to {races.widest_tie_us:,.0f} µs apart;"
        f" by seat order {races.tied_wrong:,} of them went to the later",
        file=out,
    )
    off = ranks(races.margins_off_us, *_PARTS)
    print(
        f"    decided: from {races.closest_decided_us:,.0f} µs apart; the margin shown was off by"
        f" p50 {off[0]:,.0f} µs, p99 {off[1]:,.0f} µs, and by more than shown with it {races.margins_outside} times",
        file=out,
    )


def _pair(values: Sequence[float]) -> str:
    """p50 and p99 of how large they are."""
    return "".join(f"{value:>7,.0f}" for value in ranks(map(abs, values), *_PARTS))
