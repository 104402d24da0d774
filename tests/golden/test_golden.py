"""Golden playthroughs of each edition and team layout: the referee answers as it always did. `scripts/golden` makes
them anew; what then differs in the files is what has changed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from golden.transcripts import FOLDER, NAMES, agreed_line, answer, open_front


def transcript(name: str) -> list[str]:
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def pairs(name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """All lines of a transcript with their answers."""
    lines = [json.loads(line) for line in transcript(name)[1:]]
    return list(zip(lines[::2], lines[1::2], strict=True))


def test_there_is_one_for_each_edition_and_layout_and_no_other():
    assert sorted(path.stem for path in FOLDER.glob("*")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_golden_the_referee_answers_in_the_same_bytes(name: str):
    first, *rest = transcript(name)
    assert json.loads(first) == agreed_line(name)
    front = open_front(json.loads(first))
    for number, (line, expected) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        assert answer(front, line) == expected, f"line {2 * number + 2}: {line}"
    assert front.errors == 0


@pytest.mark.parametrize("name", NAMES)
def test_golden_a_whole_game_with_all_that_happens_on_an_evening(name: str):
    answers = [answer for _, answer in pairs(name)]
    said = Counter(announcement["type"] for answer in answers for announcement in answer.get("announcements", []))
    for kind in (
        "hacker-stopped",
        "claim-failed",
        "hack-began",
        "card-hacked",
        "attack-laid",
        "card-downloaded",
        "move-taken-back",
        "piles-reshuffled",
        "paused",
        "resumed",
    ):
        assert said[kind], kind
    assert said["game-ended"] - said["move-taken-back"] <= 1
    assert {said["by"] for answer in answers for said in answer.get("announcements", []) if "by" in said} > {
        "agreement"
    }
    verdicts = Counter(answer.get("verdict") for answer in answers)
    assert verdicts["refused"] >= 5
    assert verdicts["ignored"]


@pytest.mark.parametrize("name", NAMES)
def test_golden_it_ends_by_quotas_or_with_a_time_limit_by_time(name: str):
    states = [answer for line, answer in pairs(name) if line == {"show": "state"}]
    over, begun_anew = states[-2:]
    assert over["outcome"]["by"] == ("time" if "solo" in name else "quotas")
    assert begun_anew["outcome"] is None


@pytest.mark.parametrize("name", NAMES)
def test_golden_the_cards_add_up_to_112_in_every_state(name: str):
    for line, state in pairs(name):
        if line != {"show": "state"}:
            continue
        rows = [row for team in state["teams"] for row in (team["connection"], team["memory"], *team["rows"].values())]
        hands = sum(sum(team["hands"].values()) for team in state["teams"])
        assert sum(map(len, rows)) + len(state["discard"]) + hands + state["draw_pile"] == 112
