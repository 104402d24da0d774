"""How well stamps of a board are placed in time: the real link, clock and codec over a simulated line, beside other
clocks that are told the same, against the truth. Measures only; `bench_clock` prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from taptable.edges.boards.clock import BoardClock, Moment
from taptable.edges.boards.link import PING_EVERY_US, WINDOW_PING_EVERY_US, Light
from taptable.sim.cable import Noise
from taptable.sim.distant import LOADED, DistantBoard, Line
from taptable.sim.other_clocks import Arrival, BestRoundTrip, OtherClock, Regression, Unwrapping

OURS = "ours"
OTHERS = ("regression", "best round trip", "arrival")

WARM_UP_NS = 60_000_000_000
S_NS = 1_000_000_000
_HOUR_US = 3_600_000_000

EVERYTHING = Line(
    LOADED.there, LOADED.back, Noise(lost=0.03, cut=0.01, corrupted=0.01, doubled=0.03, late=0.05), wander_ppm=30
)
"""A busy host, a bad cable, and a clock whose rate goes up and down."""

_SLEEPS_S = (1, 10, 200)  # longer than a quarter of a wrap nobody can tell from a stamp that comes late
_OLDEST_S = 290


class OverheardClock(BoardClock):
    """Our clock, with others that hear what it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.others: dict[str, OtherClock] = dict(zip(OTHERS, (Regression(), BestRoundTrip(), Arrival()), strict=True))
        self.unwrapping = Unwrapping()

    def exchange(self, sent_us: int, ticks: int, received_us: int) -> None:
        """As ours."""
        super().exchange(sent_us, ticks, received_us)
        board_us = self.unwrapping.board_us(ticks)
        for other in self.others.values():
            other.exchange(sent_us, board_us, received_us)


@dataclass(slots=True)
class Placed:
    """What was said of stamps: the bounds, how far each clock was off (µs, signed), and how many stamps lay outside
    their bound.
    """

    bounds_us: list[int] = field(default_factory=list[int])
    errors_us: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    outside: int = 0

    def place(self, moment: Moment, truth_ns: int) -> None:
        """Take down what ours says of a stamp that was made then."""
        self.bounds_us.append(moment.uncertainty_us)
        self.outside += not moment.earliest_us * 1000 <= truth_ns < (moment.latest_us + 1) * 1000


def met(name: str, line: Line, random: Random) -> tuple[DistantBoard, OverheardClock]:
    """A board that has been pinged for a minute."""
    board = DistantBoard(name, line, random)
    while not board.link.clock.known:
        board.run_until(board.now_ns + S_NS)
    board.link.clock = clock = OverheardClock()
    board.run_until(board.now_ns + WARM_UP_NS)
    return board, clock


def open_window(board: DistantBoard, is_open: bool = True) -> None:
    """Let its seat show a window, for as long as anybody could want it; or none."""
    ends_at_us = board.table_us + _HOUR_US
    board.link.show(Light("window", "blink", ends_at_us, _HOUR_US) if is_open else Light(), board.table_us)
    board.host_speaks()


def compare(line: Line, stamps: int, seed: int, *, window: bool) -> Placed:
    """Each clock's word on stamps that are made some three to a ping, while a window is open or while none is."""
    random = Random(seed)
    board, clock = met("one", line, random)
    placed = Placed(errors_us={name: [] for name in (OURS, *OTHERS)})
    if window:
        open_window(board)
        board.run_until(board.now_ns + 2 * S_NS)
    apart_ns = (WINDOW_PING_EVERY_US if window else PING_EVERY_US) * 1000 * 2 // 3
    while len(placed.bounds_us) < stamps:
        board.run_until(board.now_ns + random.randrange(apart_ns))
        _ask(board, clock, placed)
    return placed


def _ask(board: DistantBoard, clock: OverheardClock, placed: Placed) -> None:
    """Stamp now, and ask all clocks when the stamp has arrived."""
    ticks, truth_ns = board.ticks, board.table_ns
    board_us = clock.unwrapping.board_us(ticks)

    def ask() -> None:
        moment = clock.moment(ticks, board.table_us)
        placed.place(moment, truth_ns)
        placed.errors_us[OURS].append(moment.at_us - truth_ns / 1000)
        for name, other in clock.others.items():
            placed.errors_us[name].append(other.told_us(board_us, board.table_us) - truth_ns / 1000)

    board.when_read(ask)


def between_boards(one: Placed, other: Placed) -> dict[str, list[float]]:
    """By how much the time from a stamp of one board to one of another is told wrong, for each clock."""
    return {
        name: [mine - theirs for mine, theirs in zip(errors_us, other.errors_us[name], strict=False)]
        for name, errors_us in one.errors_us.items()
    }


def try_everything(stamps: int, seed: int) -> Placed:
    """Whether the bound holds over a bad line with a wandering clock, through wraps, windows and a host that stands
    still now and then, for stamps that arrive at once and for some that are minutes late.
    """
    random = Random(seed)
    board = DistantBoard("one", EVERYTHING, random)
    while not board.link.clock.known:
        board.run_until(board.now_ns + S_NS)
    placed = Placed()
    for _ in range(stamps):
        chance = random.random()
        if chance < 0.00005:
            board.stand_still(random.randrange(random.choice(_SLEEPS_S) * S_NS))
        elif chance < 0.002:
            open_window(board, random.random() < 0.3)
        board.run_until(board.now_ns + random.randrange(80_000_000))
        _place(board, placed, late=random.random() < 0.02, random=random)
    board.run_until(board.now_ns + (_OLDEST_S + max(_SLEEPS_S)) * S_NS)
    return placed


def _place(board: DistantBoard, placed: Placed, *, late: bool, random: Random) -> None:
    ticks, truth_ns = board.ticks, board.table_ns

    def ask() -> None:
        placed.place(board.link.clock.moment(ticks, board.table_us), truth_ns)

    if late:
        board.later(random.randrange(_OLDEST_S * S_NS), lambda: board.when_read(ask))
    else:
        board.when_read(ask)
