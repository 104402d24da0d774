"""The seeds with which the referee is compared with the oracle, chosen so that a short run meets what is rare.

Run as a module (`python -m oracle.xnet.seeds`, in tests/) it chooses anew: out of many seeds, few in which every
verdict with its rule and code, and every event that the oracle notes, comes up at least twice. Do it when `play` has
changed."""

from __future__ import annotations

from collections import Counter
from random import Random

from .play import Evening

LINES = 130
AMONG = 600
TIMES = 2

# fmt: off
CHOSEN = (
    14, 70, 106, 135, 161, 164, 173, 229, 268, 269, 328, 338, 355, 395, 450, 482, 487, 518, 524, 546, 580, 588,
)
# fmt: on
LONG = ((38, 270), (78, 200))
"""Seeds and lines of evenings in which the last specialist is hired and the largest net bought, and more is asked."""


def met(seed: int) -> set[str]:
    """What comes up in the script of a seed."""
    evening = Evening(Random(seed))
    evening.write(LINES)
    return {f"{evening.options['players']} players", *evening.oracle.notes, *evening.oracle.counts}


def choose(among: range) -> list[int]:
    """Few seeds that meet everything often enough, the one with most that is rare and still wanted first."""
    found = {seed: met(seed) for seed in among}
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
    print(*choose(range(AMONG)), sep=", ")
