"""The situations in the golden playthroughs of Cyber Siege: with the sample deck and a small one, ended by points and
by the purple pile."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from golden.playthroughs.cyber_siege import NAMES, game_options_line
from golden.transcripts import announcements, pairs, states, transcript

HAPPENS = {
    "turn-started",
    "card-drawn",
    "card-laid",
    "set-laid",
    "set-taken-back",
    "card-discarded",
    "launch-offered",
    "spared",
    "window-opened",
    "defended",
    "hit",
    "reshuffle-due",
    "reshuffled",
    "corrected",
    "game-over",
}
EFFECTS = {"none", "skip", "discard", "draw-fewer", "lose-points"}


@pytest.mark.parametrize("name", NAMES)
def test_golden_cyber_siege_all_that_happens_on_an_evening(name: str):
    assert json.loads(transcript("cyber-siege", name)[0]) == game_options_line(name)
    said = announcements("cyber-siege", name)
    assert {one["type"] for one in said} >= HAPPENS
    assert {one["from"] for one in said if one["type"] == "card-drawn"} == {"red", "purple", "discard"}
    hits = Counter(one["effect"] for one in said if one["type"] == "hit")
    assert set(hits) == ({"text", "discard", "draw-fewer", "lose-points"} if "small" in name else EFFECTS)
    assert sum(one["type"] == "effect-text" for one in said) == hits["text"]


@pytest.mark.parametrize("name", NAMES)
def test_golden_cyber_siege_jokers_stand_for_cards_of_a_set(name: str):
    taps = [line for line, answer in pairs("cyber-siege", name) if answer.get("verdict") == "accepted"]
    assert any(line.get("tap", "").startswith("admin#") and line["pad"] != "discard" for line in taps)


@pytest.mark.parametrize("name", NAMES)
def test_golden_cyber_siege_it_ends_by_points_or_by_the_purple_pile(name: str):
    over, _ = states("cyber-siege", name)[-2:]
    assert over["outcome"]["by"] == ("purple" if "purple" in name else "points")
    assert (over["purple_pile"] == 0) == ("purple" in name)
