"""The seeds with which the referee is compared with its oracle, chosen so that a short run meets what is rare.

Run as a module (`python -m oracle.seeds`, in tests/) it chooses again: out of many seeds, few in which every verdict
with its rule or code, every rare event that the oracle notes, and every kind of table comes up often enough. That takes
some minutes; do it when `play.py` or the options have changed."""

from __future__ import annotations

from collections import Counter
from random import Random

from oracle.play import Playout

LINES = 200
"""Lines in the script of a seed."""
AMONG, TIMES = 3000, 3
"""The chosen seeds are found among the first `AMONG`, and together meet every rare event `TIMES` times if possible."""


def rare_events(seed: int) -> set[str]:
    """Return the rare events in the script of a seed."""
    evening = Playout(Random(seed))
    evening.write(LINES)
    options = evening.options
    table = f"{options['players']} players, {options['settings'].get('teams')}, {options['edition']}"
    return {f"{table}, {options['starter'] is None}", *evening.oracle.notes, *map(str, evening.oracle.counts)}


def choose() -> list[int]:
    """Choose few seeds that meet everything often enough, beginning with the one that has the most rare events."""
    found = {seed: rare_events(seed) for seed in range(AMONG)}
    often = Counter(event for events in found.values() for event in events)
    wanted = {event: min(TIMES, times) for event, times in often.items()}
    chosen: list[int] = []
    while any(wanted.values()):
        left = [seed for seed in found if seed not in chosen]
        best = max(left, key=lambda seed: sum(1 / often[event] for event in found[seed] if wanted[event]))
        chosen.append(best)
        for event in found[best]:
            wanted[event] = max(0, wanted[event] - 1)
    return sorted(chosen)


# fmt: off
CHOSEN = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 20, 21, 22, 23, 25, 27, 28, 30, 31, 32, 33, 36, 39,
    41, 42, 43, 44, 45, 47, 48, 50, 51, 56, 63, 64, 65, 69, 70, 71, 72, 77, 82, 85, 87, 90, 91, 94, 96, 101, 104,
    113, 121, 122, 136, 142, 143, 163, 173, 174, 192, 194, 197, 207, 220, 221, 226, 229, 234, 254, 258, 317, 333,
    371, 424, 506, 545, 707, 937, 987, 992, 1021, 1033, 1139, 1153, 1200, 1289, 1322, 1430, 1470, 1482, 1545, 1547,
    1558, 1559, 1609, 1662, 1676, 1854, 1884, 1906, 1934, 1965, 2021, 2137, 2181, 2268, 2357, 2588, 2803, 2809,
    2822, 2910, 2936, 2953,
)
# fmt: on


if __name__ == "__main__":
    print(*choose(), sep=", ")
