"""The seeds with which the referee is compared with the oracle, chosen so that a short run meets what is rare.

Run as a module (`python -m properties.oracle_seeds`, in tests/) it chooses anew: out of many seeds, few in which
every rule with every verdict, every rare event that the oracle notes, and every layout in every edition comes up
at least three times. That takes some minutes; do it when `oracle/play.py` has changed."""

from __future__ import annotations

from collections import Counter
from random import Random

from oracle.play import Evening

LINES = 200
AMONG = 3000
TIMES = 3

# fmt: off
CHOSEN = (
    0, 2, 3, 4, 6, 7, 8, 10, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 36,
    38, 41, 42, 46, 51, 53, 55, 58, 61, 63, 65, 68, 69, 82, 90, 95, 96, 107, 108, 111, 116, 122, 123, 124, 126, 139,
    164, 178, 181, 188, 189, 196, 198, 204, 258, 280, 300, 311, 360, 441, 458, 483, 774, 811, 981, 984, 1031, 1081,
    1139, 1182, 1200, 1218, 1237, 1274, 1311, 1420, 1445, 1625, 1734, 1802, 1803, 1810, 1830, 1906, 1996, 2101,
    2125, 2232, 2308, 2368, 2615, 2627, 2636, 2739, 2789, 2852, 2883, 2900, 2981,
)
# fmt: on


def met(seed: int) -> set[str]:
    """What comes up in the script of a seed."""
    evening = Evening(Random(seed))
    evening.write(LINES)
    options, oracle = evening.options, evening.oracle
    layout = f"{options['players']} players, {options['settings'].get('teams', 'auto')}, {options['edition']}"
    return {layout, *oracle.notes, *(f"{rule} {verdict}" for rule, verdict in oracle.counts)}


def choose(found: dict[int, set[str]]) -> list[int]:
    """Few of the seeds that meet everything often enough, the one with most that is rare and still wanted first."""
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


if __name__ == "__main__":
    print(*choose({seed: met(seed) for seed in range(AMONG)}), sep=", ")
