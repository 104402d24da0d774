"""The accuracy of the time of a press on a seat board, and of the choice of the first: the real link, clock, codec and
arbiter beside other clocks that receive the same, over simulated lines, against the truth.
Time is given, so the figures are the same on every machine; the line, the boards' crystals and the load of the host are
models."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TextIO

from taptable.api.choices import SETTLE_WITH_BOARDS_S
from taptable.core.arbiter import Press, first_press
from taptable.core.cues import SeatLights
from taptable.drivers.board.clock import DRIFT_PPM, BoardClock, Moment
from taptable.drivers.board.link import PING_EVERY_US, WINDOW_PING_EVERY_US
from taptable.drivers.board.usb_model import CableNoise
from taptable.sim.statistics import quantiles

from bench import bus, cards, controllers
from bench.distant_board import (
    BEHIND_HUB,
    EMULATED,
    ESTIMATED,
    LOADED,
    MEASURED,
    POLLED_USB,
    POLLING_BOARD,
    DistantBoard,
    Line,
)
from bench.rival_clocks import Arrival, BestRoundTrip, OtherClock, Regression, Unwrapping

OURS = "ours"
OTHERS = ("regression", "best round trip", "arrival")

WARM_UP_NS = 60_000_000_000
S_NS = 1_000_000_000
_HOUR_US = 3_600_000_000

WORST_LINE = Line(
    LOADED.to_board,
    LOADED.to_host,
    CableNoise(lost=0.03, cut=0.01, corrupted=0.01, doubled=0.03, late=0.05),
    wander_ppm=30,
)
"""A busy host, a bad cable, and a clock whose rate goes up and down."""

_SLEEPS_S = (1, 10, 200)  # longer than a quarter of a wrap nobody can tell from a stamp that comes late
_OLDEST_S = 290


class OverheardClock(BoardClock):
    """Our clock, with others that receive the same."""

    def __init__(self) -> None:
        super().__init__()
        self.others: dict[str, OtherClock] = dict(zip(OTHERS, (Regression(), BestRoundTrip(), Arrival()), strict=True))
        self.unwrapping = Unwrapping()

    def add_exchange(self, sent_us: int, ticks: int, received_us: int) -> None:
        """As ours."""
        super().add_exchange(sent_us, ticks, received_us)
        board_us = self.unwrapping.board_us(ticks)
        for other in self.others.values():
            other.add_exchange(sent_us, board_us, received_us)


@dataclass(slots=True)
class StampErrors:
    """The results for stamps: the bounds, the error of each clock (µs, signed), and how many stamps were outside their
    bound."""

    bounds_us: list[int] = field(default_factory=list[int])
    errors_us: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    out_of_bounds: int = 0

    def record(self, moment: Moment, truth_ns: int) -> None:
        """Record what our clock states for a stamp that was made at that time."""
        self.bounds_us.append(moment.uncertainty_us)
        self.out_of_bounds += not moment.earliest_us * 1000 <= truth_ns < (moment.latest_us + 1) * 1000


def connect_board(name: str, line: Line, random: Random) -> tuple[DistantBoard, OverheardClock]:
    """A board that has been pinged for a minute."""
    board = DistantBoard(name, line, random)
    while not board.link.clock.is_synchronized:
        board.run_until(board.now_ns + S_NS)
    board.link.clock = clock = OverheardClock()
    board.run_until(board.now_ns + WARM_UP_NS)
    return board, clock


def open_window(board: DistantBoard, is_open: bool = True) -> None:
    """Let its seat show a window, for as long as anybody may need it; or none."""
    ends_at_us = board.table_us + _HOUR_US
    board.link.show(SeatLights("window", "blink", ends_at_us, _HOUR_US) if is_open else SeatLights(), board.table_us)
    board.host_speaks()


def compare(line: Line, stamps: int, seed: int, *, window: bool) -> StampErrors:
    """Each clock's word on stamps that are made some three to a ping, while a window is open or while none is."""
    random = Random(seed)
    board, clock = connect_board("one", line, random)
    placed = StampErrors(errors_us={name: [] for name in (OURS, *OTHERS)})
    if window:
        open_window(board)
        board.run_until(board.now_ns + 2 * S_NS)
    apart_ns = (WINDOW_PING_EVERY_US if window else PING_EVERY_US) * 1000 * 2 // 3
    while len(placed.bounds_us) < stamps:
        board.run_until(board.now_ns + random.randrange(apart_ns))
        _ask(board, clock, placed)
    return placed


def _ask(board: DistantBoard, clock: OverheardClock, placed: StampErrors) -> None:
    """Stamp now, and ask all clocks when the stamp has arrived."""
    ticks, truth_ns = board.ticks, board.table_ns
    board_us = clock.unwrapping.board_us(ticks)

    def ask() -> None:
        moment = clock.moment(ticks, board.table_us)
        placed.record(moment, truth_ns)
        placed.errors_us[OURS].append(moment.at_us - truth_ns / 1000)
        for name, other in clock.others.items():
            placed.errors_us[name].append(other.estimate_us(board_us, board.table_us) - truth_ns / 1000)

    board.call_when_read(ask)


def interval_errors(one: StampErrors, other: StampErrors) -> dict[str, list[float]]:
    """The error of each clock in the time from a stamp of one board to one of another."""
    return {
        name: [mine - theirs for mine, theirs in zip(errors_us, other.errors_us[name], strict=False)]
        for name, errors_us in one.errors_us.items()
    }


def stress(stamps: int, seed: int) -> StampErrors:
    """Test whether the bound holds over a bad line with a wandering clock, through wraps, windows and a host that
    stands still now and then, for stamps that arrive at once and for some that are minutes late."""
    random = Random(seed)
    board = DistantBoard("one", WORST_LINE, random)
    while not board.link.clock.is_synchronized:
        board.run_until(board.now_ns + S_NS)
    placed = StampErrors()
    for _ in range(stamps):
        chance = random.random()
        if chance < 0.00005:
            board.suspend_host(random.randrange(random.choice(_SLEEPS_S) * S_NS))
        elif chance < 0.002:
            open_window(board, random.random() < 0.3)
        board.run_until(board.now_ns + random.randrange(80_000_000))
        _place(board, placed, late=random.random() < 0.02, random=random)
    board.run_until(board.now_ns + (_OLDEST_S + max(_SLEEPS_S)) * S_NS)
    return placed


def _place(board: DistantBoard, placed: StampErrors, *, late: bool, random: Random) -> None:
    ticks, truth_ns = board.ticks, board.table_ns

    def ask() -> None:
        placed.record(board.link.clock.moment(ticks, board.table_us), truth_ns)

    if late:
        board.schedule(random.randrange(_OLDEST_S * S_NS), lambda: board.call_when_read(ask))
    else:
        board.call_when_read(ask)


LONGEST_GAP_US = 20_000
SEATS = (2, 5)
_PLAYERS = 6
_SETTLE_NS = round(float(SETTLE_WITH_BOARDS_S) * 1_000_000_000)


@dataclass(slots=True)
class Races:
    """The results of races. `wrong`: how often each clock named the later press, ours outside a declared tie; `tied` of
    them were ties, of which the later press won `tied_wrong` by its seat."""

    races: int = 0
    arrived_last: int = 0
    wrong: Counter[str] = field(default_factory=Counter[str])
    tied: int = 0
    tied_wrong: int = 0
    widest_tie_us: float = 0.0
    closest_decided_us: float = float("inf")
    margins_off_us: list[float] = field(default_factory=list[float])
    margins_outside: int = 0


@dataclass(frozen=True, slots=True)
class _Buzz:
    """A press: its seat, its true time, and the time by each clock."""

    press: Press
    at_us: float
    arrived_us: int
    others_us: dict[str, float]


def run_races(races: int, seed: int, lines: tuple[Line, Line]) -> Races:
    """Run `races` races of two boards on these lines; the first to press is the one on the first line in two of
    three."""
    random = Random(seed)
    boards = [connect_board(f"seat-{seat}", line, random) for seat, line in zip(SEATS, lines, strict=True)]
    for board, _ in boards:
        open_window(board)
    result = Races()
    begins_ns = boards[0][0].now_ns
    for _ in range(races):
        begins_ns += random.randrange(300_000_000, 600_000_000)
        first = 0 if random.random() < 2 / 3 else 1
        gap_ns = random.randrange(1, LONGEST_GAP_US * 1000)
        earlier = _buzz(SEATS[first], *boards[first], begins_ns)
        later = _buzz(SEATS[1 - first], *boards[1 - first], begins_ns + gap_ns)
        _judge(result, earlier, later, after=random.randint(1, _PLAYERS))
    return result


def _buzz(seat: int, board: DistantBoard, clock: OverheardClock, at_ns: int) -> _Buzz:
    """Press then, and wait until the winner would be named."""
    board.run_until(at_ns)
    board_us, told = clock.unwrapping.board_us(board.ticks), len(board.events)
    board.press()
    board.run_until(at_ns + _SETTLE_NS)
    [(event, arrived_us)] = board.events[told:]
    others_us = {name: other.estimate_us(board_us, arrived_us) for name, other in clock.others.items()}
    press = Press(seat, event.moment.at_us, event.moment.uncertainty_us)
    return _Buzz(press, at_ns / 1000, arrived_us, others_us)


def _judge(result: Races, earlier: _Buzz, later: _Buzz, after: int) -> None:
    """Let the arbiter rule, and compare its ruling with the truth."""
    ruling = first_press((later.press, earlier.press), after, _PLAYERS)
    gap_us = later.at_us - earlier.at_us
    result.races += 1
    result.arrived_last += earlier.arrived_us > later.arrived_us
    is_wrong = ruling.press is not earlier.press
    if ruling.tied:
        result.tied += 1
        result.tied_wrong += is_wrong
        result.widest_tie_us = max(result.widest_tie_us, gap_us)
    else:
        assert ruling.margin_us is not None
        off_us = abs(ruling.margin_us - gap_us)
        result.wrong["ours"] += is_wrong
        result.closest_decided_us = min(result.closest_decided_us, gap_us)
        result.margins_off_us.append(off_us)
        result.margins_outside += off_us > ruling.uncertainty_us + 1  # of rounding
    for name in OTHERS:
        result.wrong[name] += earlier.others_us[name] >= later.others_us[name]


SEED = 1
STAMPS = 1_000_000
COMPARED = 5_000
RACES = 10_000

LINES: dict[str, Line] = {
    "USB that is asked each ms": POLLED_USB,
    "the same, the board looks at its port each ms": POLLING_BOARD,
    "USB that is asked each ms, loaded host": LOADED,
    "as measured with firmware 1.0.0": MEASURED,
    "as measured with firmware 1.2.0": EMULATED,
    "as counted of the firmware now": ESTIMATED,
}
"""How long the ways take is in `distant`."""

RACES_ON = {
    "the first mostly on a line that is 2 to 12 ms late": (BEHIND_HUB, POLLED_USB),
    "on lines alike": (POLLED_USB, POLLED_USB),
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
            outside += one.out_of_bounds + other.out_of_bounds
            _print_comparison(out, one, other)
    everything = stress(stamps, SEED)
    _print_everything(out, everything)
    holds = not (outside or everything.out_of_bounds)
    for name, lines in RACES_ON.items():
        result = run_races(races, SEED, lines)
        _print_races(out, name, result)
        holds = holds and not (result.wrong[OURS] or result.margins_outside)
    holds = _run_bus(out, stamps, 10 * races) and holds
    holds = _run_controllers(out, stamps // 10, 10 * races) and holds
    holds = _run_cards(out, 3 * races) and holds
    print(f"the bound {'always held' if holds else 'DID NOT HOLD'}", file=out)
    return 0 if holds else 1


def _run_bus(out: TextIO, count: int, races: int) -> bool:
    """Run the same by the frames of the bus; return whether each bound held."""
    outside, bounds_us = bus.stamps(count, SEED)
    within, far = quantiles(bounds_us, *_PARTS)
    print(f"\nBy the bus: {count:,} stamps at any time, in bus time: outside their bound {outside};", file=out)
    print(f"    bound ± {within:,.0f}, {far:,.0f} µs, p50 and p99 (by how far away an anchor is)", file=out)
    print(f"{races:,} races in all of three buttons, up to 20 ms apart, each with its board's anchor; µs", file=out)
    print(
        f"    {'':50}{'bound ± p50, p99, most':>24}{'error p50, p99':>16}{'ties':>7}{'wrong':>7}{'outside':>9}",
        file=out,
    )
    for name, mixture in bus.MIXTURES.items():
        result = bus.race(races // len(bus.MIXTURES), SEED, mixture)
        bounds = ", ".join(f"{us:,.0f}" for us in quantiles(result.bounds_us, *_PARTS, 1.0))
        errors = ", ".join(f"{us:,.0f}" for us in quantiles(result.errors_us, *_PARTS))
        print(
            f"    {name:50}{bounds:>24}{errors:>16}{result.ties:>7}{result.wrong:>7}{result.out_of_bounds:>9}", file=out
        )
        outside += result.wrong + result.out_of_bounds
    return not outside


def _run_controllers(out: TextIO, count: int, races: int) -> bool:
    """Run presses and races with controllers; return whether each bound held."""
    outside, each = 0, count // len(controllers.MAKES)
    print(f"\nOn controllers: {count:,} presses in all; µs, how early a stamp is counted as negative", file=out)
    print(f"    {'':50}{'bound ±':>9}{'error least, p50, most':>26}{'known after':>13}{'outside':>9}", file=out)
    for name, make in controllers.MAKES.items():
        placed = controllers.place_presses(make, each, SEED)
        errors = ", ".join(f"{us:,.0f}" for us in quantiles(placed.errors_us, 0.0, 0.5, 1.0))
        known = f"{placed.known_us:,.0f}"
        print(f"    {name:50}{placed.bound_us:>9,}{errors:>26}{known:>13}{placed.outside:>9}", file=out)
        outside += placed.outside
    print(f"{races:,} races in all of three buttons, up to 30 ms apart; µs", file=out)
    print(f"    {'':50}{'bound ± p50, most':>18}{'ties':>8}{'wrong':>7}{'outside':>9}", file=out)
    for name, places in controllers.TABLES.items():
        result = controllers.race(races // len(controllers.TABLES), SEED, places)
        bounds = ", ".join(f"{us:,.0f}" for us in quantiles(result.bounds_us, 0.5, 1.0))
        print(f"    {name:50}{bounds:>18}{result.ties:>8}{result.wrong:>7}{result.out_of_bounds:>9}", file=out)
        outside += result.wrong + result.out_of_bounds
    return not outside


def _run_cards(out: TextIO, races: int) -> bool:
    """Run races with cards at readers without stamps; return whether each bound held."""
    outside = 0
    print(
        f"\nCards that are noticed within {cards.STATED_US // 1000} ms: {races:,} races in all of three seats, up to",
        end="",
        file=out,
    )
    print(" a second apart; ms", file=out)
    print(f"    {'':50}{'ties':>8}{'to a later one':>16}{'by at most':>12}{'wrong':>7}{'outside':>9}", file=out)
    for name, places in cards.TABLES.items():
        result = cards.race(races // len(cards.TABLES), SEED, places)
        later = f"{result.to_later:>16}{result.latest_us / 1000:>12,.0f}"
        print(f"    {name:50}{result.ties:>8}{later}{result.wrong:>7}{result.outside:>9}", file=out)
        outside += result.wrong + result.outside
    return not outside


def _print_comparison(out: TextIO, one: StampErrors, other: StampErrors) -> None:
    between = interval_errors(one, other)
    for name in (OURS, *OTHERS):
        bound = _pair(one.bounds_us) if name == OURS else f"{'none':>7}{'':7}"
        print(f"    {name:30}{bound}    {_pair(one.errors_us[name])}      {_pair(between[name])}", file=out)


def _print_everything(out: TextIO, placed: StampErrors) -> None:
    """The stamps that had it worst."""
    print(
        f"\n{len(placed.bounds_us):,} stamps over a bad cable and a loaded host, crystals that wander within"
        f" {DRIFT_PPM} ppm, wraps, a host that stands still, news that comes late:"
        f"\n    outside their bound: {placed.out_of_bounds}; bound ± p50 {quantiles(placed.bounds_us, 0.5)[0]} µs",
        file=out,
    )


def _print_races(out: TextIO, name: str, races: Races) -> None:
    """Print who was first, by each clock."""
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
    off = quantiles(races.margins_off_us, *_PARTS)
    print(
        f"    decided: from {races.closest_decided_us:,.0f} µs apart; the margin shown was off by"
        f" p50 {off[0]:,.0f} µs, p99 {off[1]:,.0f} µs, and by more than shown with it {races.margins_outside} times",
        file=out,
    )


def _pair(values: Sequence[float]) -> str:
    """p50 and p99 of how large they are."""
    return "".join(f"{value:>7,.0f}" for value in quantiles(map(abs, values), *_PARTS))


if __name__ == "__main__":
    sys.exit(run(sys.stdout))
