"""The situations in the golden playthroughs of X.net: the sample deck with three, four and six players, and a small
one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from golden.playthroughs.xnet import NAMES, SMALL, game_options_line
from golden.transcripts import announcements, states, transcript

HAPPENS = {
    *("demand-laid", "demand-replaced", "demand-swapped", "x-returned", "scored", "cards-drawn", "turn-started"),
    *("topic-laid", "card-added", "topic-to-streamer", "topic-to-hand", "specialist-hired", "users-bought"),
    *("server-bought", "streamer-bought", "net-bought", "action-begun", "payment-owed", "action-broken-off"),
}


@pytest.mark.parametrize("name", NAMES)
def test_golden_xnet_all_that_happens_on_an_evening(name: str):
    assert json.loads(transcript("xnet", name)[0]) == game_options_line(name)
    assert {said["type"] for said in announcements("xnet", name)} >= HAPPENS


def test_golden_xnet_x2_5_the_piles_of_a_small_deck_run_out():
    said = [one["type"] for one in announcements("xnet", "3-small")]
    assert said.count("reshuffle-due") == said.count("reshuffled") > 0


@pytest.mark.parametrize("name", NAMES)
def test_golden_xnet_x4_1_it_ends_by_points(name: str):
    over, _ = states("xnet", name)[-2:]
    best = over["outcome"]["ranking"][0]
    assert over["outcome"]["by"] == "points"
    assert best["points"] >= int(game_options_line(name)["set"].get("target_points", "120"))
    assert over["turn"]["seat"] == best["seats"][0]


@pytest.mark.parametrize("name", NAMES)
def test_golden_xnet_x2_3_points_are_the_sum_of_what_scored(name: str):
    scored = [said for said in announcements("xnet", name) if said["type"] == "scored"]
    assert all(one["points"] == sum(each["points"] for each in one["topics"]) for one in scored)
    assert any(len(one["topics"]) > 1 for one in scored)


@pytest.mark.parametrize("name", NAMES)
def test_golden_xnet_x5_10_the_cards_add_up_in_every_state(name: str):
    for state in states("xnet", name):
        assert in_sight_or_counted(state) == number_of_cards(name)
        with_topics = [one for team in state["teams"] for one in team["topics"]]
        assert state["specialists"] + sum(one["specialist"] for one in with_topics) == 16


def number_of_cards(name: str) -> int:
    return 216 if "small" not in name else sum(sum(numbers.values()) for numbers in SMALL["topics"].values())


def in_sight_or_counted(state: dict[str, Any]) -> int:
    pending = (state["pending"] or {"cards": []})["cards"]
    laid = sum(len(one["cards"]) for team in state["teams"] for one in team["topics"])
    hands = sum(team["hand"] for team in state["teams"])
    return state["draw_pile"] + hands + len(state["discard"]) + len(state["demand"]) + laid + len(pending)
