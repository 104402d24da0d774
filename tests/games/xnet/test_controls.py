"""The table of controls: the valid lines, the order of refusals, and the list of legal controls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.xnet.table import ACTIONS, NEEDING, Game

BARE: dict[str, dict[str, Any]] = {
    **{name: {} for name in ACTIONS},
    "demand-new": {"level": 1},
    "buy-users": {"users": 1},
}


@pytest.mark.parametrize(
    "line",
    [
        {"control": "demand-new"},
        {"control": "demand-new", "level": 0},
        {"control": "demand-new", "level": 4},
        {"control": "demand-new", "level": "2"},
        {"control": "demand-new", "level": 2.0},
        {"control": "demand-new", "level": True},
        {"control": "demand-new", "level": None},
        {"control": "demand-new", "level": 2, "topic": "art"},
        {"control": "demand-replace", "topic": None},
        {"control": "demand-replace", "topic": 3},
        {"control": "demand-replace", "level": 1},
        {"control": "swap", "lower": "art"},
        {"control": "swap", "upper": "music"},
        {"control": "swap", "lower": "art", "upper": None},
        {"control": "to-streamer", "lower": "art"},
        {"control": "buy-users"},
        {"control": "buy-users", "users": 3},
        {"control": "buy-users", "users": 0},
        {"control": "buy-server", "topic": "art"},
        {"control": "buy-users-1"},
        {"control": "demand-new-2"},
        {"control": "reshuffle", "topic": "art"},
    ],
)
def test_any_other_field_or_value_is_no_valid_line(line: dict[str, Any]):
    assert Game().error(line)


@pytest.mark.parametrize("topic", ["no such topic", "", "Art", "art-1", "müsik"])
@pytest.mark.parametrize(
    ("control", "rule", "code"),
    [
        ("demand-replace", "X3.2", "not-in-demand"),
        ("hire-specialist", "X3.9", "not-on-server"),
        ("to-hand", "X3.10", "not-yours"),
    ],
)
def test_a_topic_that_the_deck_does_not_have_is_refused_like_one_that_is_not_there(
    control: str, rule: str, code: str, topic: str
):
    Game().control(control, topic=topic).refused(rule, code)


@pytest.mark.parametrize("control", ACTIONS)
def test_before_all_these(control: str):
    fields = BARE[control]
    Game(starter=None, opening=()).control(control, **fields).refused("X1.2", "no-starter")
    Game(opening=()).control(control, **fields).refused("X1.4", "demand-first")
    game = Game()
    game.control("buy-net").accepted()
    game.control(control, **fields).refused("X5.3", "action-open")
    game.control("end-game").accepted()
    game.control(control, **fields).refused("X4.2", "game-over")


def test_the_legal_controls_have_all_their_fields_and_are_sorted_as_text():
    game = Game()
    game.play("art", "music")
    game.buy("hire-specialist", "travel", topic="music")
    assert game.controls == [
        {"control": "buy-net"},
        {"control": "buy-server"},
        {"control": "buy-streamer"},
        {"control": "buy-users", "users": 1},
        {"control": "buy-users", "users": 2},
        {"control": "demand-new", "level": 1},
        {"control": "demand-new", "level": 2},
        {"control": "demand-replace", "topic": "art"},
        {"control": "demand-replace", "topic": "music"},
        {"control": "demand-replace", "topic": "news"},
        {"control": "hire-specialist", "topic": "art"},
        {"control": "swap", "lower": "art", "upper": "music"},
        {"control": "swap", "lower": "music", "upper": "news"},
        {"control": "to-hand", "topic": "art"},
        {"control": "to-hand", "topic": "music"},
    ]


def test_they_are_sorted_with_characters_unescaped():
    topics = ("Zoo", "zoo", "Äpfel", "äpfel", "Öl", 'a"b', "a b")
    cards = {str(number): 2 for number in range(1, 10)}
    text = json.dumps({"game": "xnet", "name": "own", "topics": dict.fromkeys(topics, cards)})
    game = Game(opening=("äpfel-1#1", "Öl-1#1", 'a"b-1#1'), manifest=text)
    game.new_demand("Zoo-1#1", 1)
    game.stop()
    game.new_demand("zoo-1#1", 2)
    texts = [json.dumps(each, ensure_ascii=False, sort_keys=True) for each in game.controls]
    assert texts == sorted(texts)
    assert sum('"demand-replace"' in each for each in texts) == 5


@pytest.mark.parametrize("control", NEEDING)
def test_the_bare_forms_are_not_listed(control: str):
    assert {"control": control} not in Game().controls


def test_nothing_is_listed_before_the_pyramid_stands():
    assert Game(starter=None, opening=()).controls == []
    assert Game(opening=()).controls == []
