"""The seeds with which Cyber Siege's referee is compared with its oracle, chosen so that a short run meets the rare.

Run as a module (`python -m properties.cyber_siege_seeds`, in tests/) it chooses anew; do it when the oracle's `play.py`
or `options.py` has changed."""

from __future__ import annotations

from random import Random

from oracle.cyber_siege.play import Evening

from properties.oracle_seeds import choose

LINES = 200
AMONG = 1500

# fmt: off
CHOSEN = (
    1, 2, 8, 10, 13, 14, 15, 16, 32, 40, 44, 54, 57, 68, 81, 96, 114, 134, 142, 169, 178, 208, 211, 235, 287, 320,
    427, 469, 471, 487, 519, 526, 567, 570, 575, 577, 589, 666, 833, 863, 940, 947, 959, 975, 1061, 1072, 1122,
    1152, 1200, 1219, 1220, 1267, 1328, 1338, 1359, 1363, 1384, 1390, 1397, 1428, 1437, 1466, 1471, 1487,
)
# fmt: on


def met(seed: int) -> set[str]:
    """What comes up in the script of a seed."""
    evening = Evening(Random(seed))
    evening.write(LINES)
    options, oracle = evening.options, evening.oracle
    table = f"{options['players']} players, {options['manifest']['name']}, {options['starter'] is None}"
    return {table, *oracle.notes, *(f"{what} {verdict}" for what, verdict in oracle.counts)}


if __name__ == "__main__":
    print(*choose({seed: met(seed) for seed in range(AMONG)}), sep=", ")
