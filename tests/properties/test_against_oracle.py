"""Compares ONLINE's referee with its oracle: both get the same lines, legal and not; every verdict, state and list of
legal taps must be the same after every line."""

from __future__ import annotations

import json

import pytest
from choosing import long_params
from oracle.compare import compare
from oracle.play import script
from oracle.seeds import AMONG, CHOSEN, LINES
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.step import open_table

from properties.gestures import THOROUGH

BATCHES = 12


def front(options: dict) -> JsonlReferee:
    game_options = GameOptions(options["players"], options["edition"], options["settings"], options["starter"])
    return JsonlReferee(open_table(find_game("online"), game_options)[0], lambda _: "", options.get("language", "en"))


@pytest.mark.parametrize("batch", long_params(range(BATCHES), 2))
def test_the_referee_answers_as_the_oracle_does(batch: int):
    # in a long night seeds that were not chosen, too
    more = range(AMONG, AMONG + (THOROUGH // 8 - 1) * len(CHOSEN))
    for seed in (*CHOSEN, *more)[batch::BATCHES]:
        options, answered = script(seed, length=LINES)
        referee = front(options)
        for number, (line, oracle) in enumerate(answered):
            ours = json.loads(referee.answer(line.encode("utf-8", "surrogatepass")))
            difference = compare(ours, oracle)
            heard = "\n".join(line for line, _ in answered[: number + 1] if "show" not in line)
            assert difference is None, f"seed {seed}, {options}, line {number}: {difference}\n{heard}"
