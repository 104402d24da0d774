"""Golden playthroughs of every game: the referee answers as it always did. `scripts/golden` makes them anew; what then
differs in the files is what has changed."""

from __future__ import annotations

import json

import pytest
from taptable.games.registry import GAMES

from golden.evenings import EVENINGS
from golden.table import answer, open_front
from golden.transcripts import FOLDER, TRANSCRIPTS, announcements, pairs, states, transcript


def test_every_game_has_its_evenings():
    assert sorted(EVENINGS) == sorted(GAMES)


def test_there_is_one_for_each_evening_and_no_other():
    assert sorted((path.parent.name, path.stem) for path in FOLDER.glob("*/*.jsonl")) == sorted(TRANSCRIPTS)


@pytest.mark.parametrize(("game", "name"), TRANSCRIPTS)
def test_golden_the_referee_answers_in_the_same_bytes(game: str, name: str):
    first, *rest = transcript(game, name)
    front = open_front(json.loads(first))
    for number, (line, expected) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        assert answer(front, line) == expected, f"line {2 * number + 2}: {line}"
    assert front.errors == 0


@pytest.mark.parametrize(("game", "name"), TRANSCRIPTS)
def test_golden_a_whole_game_with_slips_pauses_and_second_thoughts(game: str, name: str):
    verdicts = [answer.get("verdict") for _, answer in pairs(game, name)]
    assert verdicts.count("refused") >= 5
    assert verdicts.count("ignored") >= 1
    assert {"move-taken-back", "paused", "resumed"} <= {said["type"] for said in announcements(game, name)}
    over, begun_anew = states(game, name)[-2:]
    assert over["outcome"] is not None
    assert begun_anew["outcome"] is None
