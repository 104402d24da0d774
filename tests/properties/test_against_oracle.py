"""ONLINE's referee beside the oracle: the same lines, legal and not, to both; every verdict, state and list of legal
taps must be the same."""

from __future__ import annotations

import json

import pytest
from choosing import mostly_long
from oracle.compare import compare
from oracle.online import Oracle
from oracle.play import script
from taptable.core.agreed import Agreed
from taptable.games.registry import find_game
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table

from properties.gestures import THOROUGH
from properties.oracle_seeds import AMONG, CHOSEN, LINES

BATCHES = 12
MORE = range(AMONG, AMONG + (THOROUGH // 8 - 1) * len(CHOSEN))
"""Seeds that were not chosen, for a long night."""


@pytest.mark.parametrize("batch", mostly_long(range(BATCHES), 2))
def test_the_referee_answers_as_the_oracle_does(batch: int):
    for seed in (*CHOSEN, *MORE)[batch::BATCHES]:
        options, lines = script(seed, length=LINES)
        agreed = Agreed(options["players"], options["edition"], options["settings"], options["starter"])
        front = Front(open_table(find_game("online"), agreed)[0], lambda _: "")
        oracle = Oracle(**options)
        for number, line in enumerate(lines):
            ours = json.loads(front.answer(line.encode("utf-8", "surrogatepass")))
            difference = compare(ours, oracle.answer(line))
            heard = "\n".join(lines[: number + 1][-8:])
            assert difference is None, f"seed {seed}, line {number}: {difference}\n{heard}"
