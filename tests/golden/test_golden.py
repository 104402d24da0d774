"""Golden playthroughs of every game: the referee answers as it always did. `scripts/golden` makes the files again; the
differences in them are the changes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from taptable.games.registry import GAMES

from golden.playthroughs import PLAYTHROUGHS
from golden.table import answer, open_referee
from golden.transcripts import FOLDER, TRANSCRIPTS, announcements, file_of, pairs, states, transcript

SCRIPT = Path(__file__).parents[2] / "scripts" / "golden"


def test_every_game_has_its_evenings():
    assert sorted(PLAYTHROUGHS) == sorted(GAMES)


def test_there_is_one_for_each_evening_and_no_other():
    assert sorted((path.parent.name, path.stem) for path in FOLDER.glob("*/*.jsonl")) == sorted(TRANSCRIPTS)


def test_the_script_makes_the_shortest_of_each_game_as_it_is():
    shortest = dict(sorted(TRANSCRIPTS, key=lambda one: file_of(*one).stat().st_size, reverse=True))
    assert_made_anew(*map("/".join, shortest.items()))


@pytest.mark.long
def test_the_script_makes_all_as_they_are():
    assert_made_anew()


def assert_made_anew(*names: str):
    made = subprocess.run([SCRIPT, "--check", *names], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")


@pytest.mark.parametrize(("game", "name"), TRANSCRIPTS)
def test_golden_the_referee_answers_in_the_same_bytes(game: str, name: str):
    first, *rest = transcript(game, name)
    front = open_referee(json.loads(first))
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
