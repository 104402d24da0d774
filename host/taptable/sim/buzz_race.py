"""Two seats buzz, one a little before the other, and the news of the first comes over the slower line: who is said to
have been first? The real codec, link, clock and arbiter in given time, beside other clocks. Measures only;
`bench_clock` prints."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from taptable.api.choices import SETTLE_WITH_BOARDS_S
from taptable.core.arbiter import Press, first_press
from taptable.sim.clock_trials import OTHERS, OverheardClock, met, open_window
from taptable.sim.distant import DistantBoard, Line

LONGEST_GAP_US = 20_000
SEATS = (2, 5)
_PLAYERS = 6
_SETTLE_NS = round(float(SETTLE_WITH_BOARDS_S) * 1_000_000_000)


@dataclass(slots=True)
class Races:
    """What came of so many races. `wrong`: how often each clock named the later press, ours outside a declared tie;
    `tied` of them were ties, of which the later press won `tied_wrong` by its seat.
    """

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
    """A press: its seat, when it really was, and what each clock says of it."""

    press: Press
    at_us: float
    arrived_us: int
    others_us: dict[str, float]


def run_races(races: int, seed: int, lines: tuple[Line, Line]) -> Races:
    """So many races of two boards on these lines; the first to press is the one on the first line in two of three."""
    random = Random(seed)
    boards = [met(f"seat-{seat}", line, random) for seat, line in zip(SEATS, lines, strict=True)]
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
    others_us = {name: other.told_us(board_us, arrived_us) for name, other in clock.others.items()}
    press = Press(seat, event.made.at_us, event.made.uncertainty_us)
    return _Buzz(press, at_ns / 1000, arrived_us, others_us)


def _judge(result: Races, earlier: _Buzz, later: _Buzz, after: int) -> None:
    """Let the arbiter rule, and compare with the truth."""
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
