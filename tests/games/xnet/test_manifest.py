"""Decks by manifest: the sample, people's own, and manifests refused with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from taptable.core.errors import ConfigError
from taptable.games.xnet.game import Xnet

from games.xnet.table import TOPICS, Game, manifest, small

NUMBERS = {str(number): 2 for number in range(1, 10)}


def test_the_sample_has_12_topics_with_each_number_twice():
    pack = Xnet().pack("")
    assert (pack.name, pack.sample) == ("sample", True)
    assert dict(pack.counts) == {f"{topic}-{number}": 2 for topic in TOPICS for number in range(1, 10)}
    assert json.loads(Xnet().sample) == {
        "game": "xnet",
        "name": "sample",
        "topics": dict.fromkeys(TOPICS, NUMBERS),
    }
    assert Xnet().pack(Xnet().sample) is pack


def test_every_card_of_the_sample_is_in_play():
    game = Game()
    assert len(game.cards) == 216
    assert {"music-7#1", "music-7#2", "art-1#1", "travel-9#2"} <= set(game.cards)


def test_the_faces_of_the_sample_have_a_symbol_and_a_number():
    kind = Xnet().pack("").by_id["music-7"]
    assert (kind.symbol, kind.label, kind.title) == ("music", "7", "")


def test_an_own_topic_has_its_name_on_its_cards():
    topics = {**dict.fromkeys(("art", "music", "news", "games", "sports"), NUMBERS), "Our cats": NUMBERS}
    pack = Xnet().pack(manifest(topics))
    assert (pack.name, pack.sample) == ("own", False)
    kind = pack.by_id["Our cats-3"]
    assert (kind.symbol, kind.label, kind.title, kind.count) == ("topic", "3", "Our cats 3", 2)


def test_a_topic_may_look_like_a_card():
    topics = {**dict.fromkeys(("art", "music", "news", "games", "sports"), NUMBERS), "art-1": NUMBERS}
    game = Game(opening=("art-1#1", "art-1-1#1", "music-1#1"), manifest=manifest(topics))
    assert [each["card"] for each in game.state["demand"]] == ["art-1#1", "art-1-1#1", "music-1#1"]


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(small()), **changes})


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(small()).items() if name != key})


def with_topic(topic: str, numbers: Any) -> str:
    return changed(topics={**json.loads(small())["topics"], topic: numbers})


WRONG = {
    "no JSON": "{",
    "a list": "[]",
    "nested without end": "[" * 100_000,
    "another game": changed(game="online"),
    "a further key": changed(version=1),
    "no game": without("game"),
    "no name": without("name"),
    "no topics": without("topics"),
    "an empty name": changed(name=""),
    "a name that is no text": changed(name=7),
    "topics in a list": changed(topics=["art"]),
    "five topics": changed(topics=dict.fromkeys(TOPICS[:5], NUMBERS)),
    "an empty topic": with_topic("", {"1": 1}),
    "a topic with #": with_topic("c#", {"1": 1}),
    "half a character": with_topic("\ud800", {"1": 1}),
    "a topic without numbers": with_topic("cats", {}),
    "numbers in a list": with_topic("cats", [1]),
    "the number 0": with_topic("cats", {"0": 1}),
    "the number 10": with_topic("cats", {"10": 1}),
    "the number 01": with_topic("cats", {"01": 1}),
    "no copies": with_topic("cats", {"1": 0}),
    "half a copy": with_topic("cats", {"1": 1.5}),
    "a copy that is true": with_topic("cats", {"1": True}),
    "copies in a text": with_topic("cats", {"1": "2"}),
    "far too many copies": with_topic("cats", {"1": 10**12}),
    "a sum that no number can be": with_topic("cats", dict.fromkeys("12", int("9" * 4300))),
    "far too many cards": with_topic("cats", dict.fromkeys("123456789", 5_000)),
    "a topic twice": small().replace('"music"', '"art"'),
}


def test_cards_of_ones_own_are_no_sample_whatever_they_are_called():
    assert not Xnet().pack(changed(name="sample")).sample


@pytest.mark.parametrize("why", WRONG)
def test_a_manifest_that_cannot_be_is_refused_in_one_sentence(why: str):
    with pytest.raises(ConfigError) as refused:
        Xnet().pack(WRONG[why])
    sentence = str(refused.value)
    assert sentence.startswith("The manifest of the cards ")
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(("players", "enough"), [(3, True), (4, False)])
def test_there_are_at_least_20_cards_a_player(players: int, enough: bool):
    if enough:
        Game(players, opening=(), manifest=small())
    else:
        with pytest.raises(ConfigError, match="too few for 4 players: it takes at least 80"):
            Game(players, opening=(), manifest=small())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"target_point": 5}, "did you mean target_points"), ({"target_points": "many"}, "a whole number from 10 to 999")],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], sentence: str):
    with pytest.raises(ConfigError, match=sentence):
        Game(3, **settings)  # pyright: ignore[reportArgumentType]
