"""The seeds with which the referees are compared with their oracles, chosen so that a short run meets what is rare.

Run as a module (`python -m oracle.seeds GAME`, in tests/) it chooses anew: out of many seeds, few in which every
verdict with its rule or code, every rare event that the oracle notes, and every kind of table comes up often enough.
That takes some minutes; do it when the game's `play.py` or options have changed."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from oracle import play as online
from oracle.cyber_siege import play as cyber_siege
from oracle.xnet import play as xnet


@dataclass(frozen=True)
class Seeds:
    """Who writes a game's scripts (`script`, `Playout`), how many lines, among how many seeds the chosen ones are
    found, how often they meet what they are to meet, and the chosen; `long` are seeds with a length of their own."""

    play: Any
    lines: int
    among: int
    times: int
    chosen: tuple[int, ...]
    long: tuple[tuple[int, int], ...] = ()

    def met(self, seed: int) -> set[str]:
        """What comes up in the script of a seed."""
        evening = self.play.Playout(Random(seed))
        evening.write(self.lines)
        options = evening.options
        manifest, settings = options.get("manifest"), options["settings"]
        kind = manifest["name"] if isinstance(manifest, dict) else options.get("edition")
        table = f"{options['players']} players, {settings.get('teams')}, {kind}, {options['starter'] is None}"
        return {table, *evening.oracle.notes, *map(str, evening.oracle.counts)}

    def choose(self) -> list[int]:
        """Few of the seeds that meet everything often enough, the one with most that is rare and still wanted first."""
        found = {seed: self.met(seed) for seed in range(self.among)}
        often = Counter(event for events in found.values() for event in events)
        wanted = {event: min(self.times, times) for event, times in often.items()}
        chosen: list[int] = []
        while any(wanted.values()):
            left = [seed for seed in found if seed not in chosen]
            best = max(left, key=lambda seed: sum(1 / often[event] for event in found[seed] if wanted[event]))
            chosen.append(best)
            for event in found[best]:
                wanted[event] = max(0, wanted[event] - 1)
        return sorted(chosen)


# fmt: off
SEEDS = {
    "online": Seeds(online, 200, 3000, 3, (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 20, 21, 22, 23, 25, 27, 28, 30, 31, 32, 33, 36, 39,
    41, 42, 43, 44, 45, 47, 48, 50, 51, 56, 63, 64, 65, 69, 70, 71, 72, 77, 82, 85, 87, 90, 91, 94, 96, 101, 104,
    113, 121, 122, 136, 143, 163, 173, 174, 192, 194, 197, 207, 220, 221, 226, 229, 234, 254, 258, 333, 371, 424,
    707, 937, 987, 992, 1021, 1033, 1139, 1153, 1200, 1289, 1322, 1482, 1545, 1559, 1676, 1854, 1884, 1906, 1934,
    1965, 2021, 2137, 2181, 2588, 2803, 2809, 2822, 2910, 2936,
    )),
    "cyber-siege": Seeds(cyber_siege, 200, 1500, 3, (
    1, 2, 8, 10, 13, 14, 15, 16, 32, 40, 44, 54, 57, 68, 81, 96, 114, 134, 142, 169, 178, 208, 211, 235, 287, 320,
    427, 469, 471, 487, 519, 526, 567, 570, 575, 577, 589, 666, 833, 863, 940, 947, 959, 975, 1061, 1072, 1122,
    1152, 1200, 1219, 1220, 1267, 1328, 1338, 1359, 1363, 1384, 1390, 1397, 1428, 1437, 1466, 1471, 1487,
    )),
    "xnet": Seeds(xnet, 130, 600, 2, (
    14, 70, 106, 135, 161, 164, 173, 229, 268, 269, 328, 338, 355, 395, 450, 482, 487, 518, 524, 546, 580, 588,
    ), long=((38, 270), (78, 200))),  # the last specialist is hired, the largest net bought, and more is asked
}
# fmt: on


if __name__ == "__main__":
    print(*SEEDS[sys.argv[1]].choose(), sep=", ")
