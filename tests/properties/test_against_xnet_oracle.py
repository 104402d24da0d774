"""X.net's referee beside the oracle: the same lines, legal and not, to both; every verdict, its rule and code, what is
announced, the state, and the lists of legal taps and controls must be the same after every line."""

from __future__ import annotations

import json

import pytest
from choosing import mostly_long
from oracle.xnet.compare import compare
from oracle.xnet.play import script
from oracle.xnet.seeds import AMONG, CHOSEN, LINES, LONG
from taptable.core.agreed import Agreed
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table

from properties.gestures import THOROUGH

BATCHES = 6
SHORT = [(seed, LINES) for seed in CHOSEN]
MORE = range(AMONG, AMONG + (THOROUGH // 8 - 1) * 10 * len(CHOSEN))
"""Seeds that were not chosen, for a long night."""


def opened(options: dict) -> Front:
    agreed = Agreed(options["players"], "standard", options["settings"], options["starter"], options["manifest"])
    return Front(open_table(find_game("xnet"), agreed)[0], lambda _: "")


@pytest.mark.parametrize("batch", mostly_long(range(BATCHES)))
def test_the_referee_answers_as_the_oracle_does(batch: int):
    for seed, length in (*LONG, *SHORT, *((seed, LINES) for seed in MORE))[batch::BATCHES]:
        options, answered = script(seed, length=length)
        front = opened(options)
        for number, (line, expected) in enumerate(answered):
            difference = compare(json.loads(front.answer(line.encode("utf-8", "surrogatepass"))), expected)
            lately = "\n".join(one for one, _ in answered[: number + 1] if "show" not in one)
            assert difference is None, f"seed {seed}, {options}: {difference}\n{lately}"
