"""The situations in the golden playthroughs of ONLINE, one for each edition and team layout."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from golden.playthroughs.online import NAMES, game_options_line
from golden.transcripts import announcements, states, transcript

HAPPENS = (
    "hacker-stopped",
    "claim-failed",
    "hack-began",
    "card-hacked",
    "attack-laid",
    "card-downloaded",
    "piles-reshuffled",
)


@pytest.mark.parametrize("name", NAMES)
def test_golden_online_all_that_happens_on_an_evening(name: str):
    assert json.loads(transcript("online", name)[0]) == game_options_line(name)
    said = Counter(announcement["type"] for announcement in announcements("online", name))
    for kind in HAPPENS:
        assert said[kind], kind
    assert said["game-ended"] - said["move-taken-back"] <= 1
    assert {said["by"] for said in announcements("online", name) if "by" in said} > {"agreement"}


@pytest.mark.parametrize("name", NAMES)
def test_golden_online_it_ends_by_quotas_or_with_a_time_limit_by_time(name: str):
    over, _ = states("online", name)[-2:]
    assert over["outcome"]["by"] == ("time" if "solo" in name else "quotas")
