"""The topic cards of X.net. A manifest, which is a JSON text, describes them: its topics, the numbers of each topic,
and the copies of each number. People write a manifest for their own cards; the manifest of the sample is made here.
`read_manifest` checks a manifest and makes the cards. Must not know what a topic is worth, nor any rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, cast

from taptable.core.errors import ConfigError
from taptable.core.manifests import MAX_CARDS, THE_MANIFEST, load_manifest
from taptable.core.pack import Pack, PackKind
from taptable.core.spelling import short_json

GAME = "xnet"
NUMBERS = range(1, 10)
"""The numbers that a topic card may have."""
FEWEST_TOPICS = 6
"""The fewest topics that a manifest may have."""

SAMPLE_NAME = "sample"
"""The name of the cards that are described here."""
SAMPLE_TOPICS = (
    "art",
    "business",
    "cooking",
    "games",
    "health",
    "hobbies",
    "music",
    "nature",
    "news",
    "science",
    "sports",
    "travel",
)
"""The topics of the sample. Each has all `NUMBERS`."""
SAMPLE_COPIES = 2
"""The copies of each number of a topic in the sample."""
SAMPLE = json.dumps(
    {
        "game": GAME,
        "name": SAMPLE_NAME,
        "topics": {topic: {str(number): SAMPLE_COPIES for number in NUMBERS} for topic in SAMPLE_TOPICS},
    }
)
"""The manifest of the sample."""

ANY_TOPIC = "topic"
"""The symbol on cards of topics that aren't in `SAMPLE_TOPICS`, which have symbols of their own; and the key of the
text about a card's effect, which is the same for all topic cards."""


@dataclass(frozen=True, slots=True)
class Card:
    """The print on a topic card: its topic and its number."""

    topic: str
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class TopicCards:
    """The topic cards of one manifest: as a `pack`, by their ids, and the ids by topic."""

    pack: Pack
    cards: Mapping[str, Card]
    by_topic: Mapping[str, tuple[str, ...]]


def read_manifest(manifest: str) -> TopicCards:
    """Return the cards of a manifest, "" for those of the sample. Raises ConfigError with one sentence about what is
    wrong in the manifest."""
    return _make(manifest or SAMPLE)


@lru_cache(maxsize=16)
def _make(manifest: str) -> TopicCards:
    name, topics = _parse(manifest)
    kinds: list[PackKind] = []
    cards: dict[str, Card] = {}
    by_topic: dict[str, list[str]] = {}
    for topic, numbers in topics.items():
        for number, copies in sorted(numbers.items()):
            kind = _kind(topic, number, copies)
            kinds.append(kind)
            for copy in range(1, copies + 1):
                card = f"{kind.id}#{copy}"
                cards[card] = Card(topic, number)
                by_topic.setdefault(topic, []).append(card)
    return TopicCards(
        Pack(name, tuple(kinds), sample=(name, topics) == _parse(SAMPLE)),
        MappingProxyType(cards),
        MappingProxyType({topic: tuple(ids) for topic, ids in by_topic.items()}),
    )


def _kind(topic: str, number: int, copies: int) -> PackKind:
    if topic in SAMPLE_TOPICS:
        return PackKind(f"{topic}-{number}", copies, symbol=topic, label=str(number), effect=(("effect", ANY_TOPIC),))
    return PackKind(f"{topic}-{number}", copies, symbol=ANY_TOPIC, label=str(number), title=f"{topic} {number}")


def _parse(manifest: str) -> tuple[str, dict[str, dict[int, int]]]:
    """Return the name, and for each topic the number of copies of each number."""
    data = load_manifest(manifest)
    for key in data:
        if key not in ("game", "name", "topics"):
            raise _wrong(f"has the key {short_json(key)}, but only game, name and topics are known")
    for key in ("game", "name", "topics"):
        if key not in data:
            raise _wrong(f"lacks the key {key}")
    if data["game"] != GAME:
        raise _wrong(f"is of the game {short_json(data['game'])}, not of {GAME}")
    name = _text(data["name"], "its name")
    topics = {
        _topic(topic): _numbers(topic, numbers) for topic, numbers in _object(data["topics"], "its topics").items()
    }
    if len(topics) < FEWEST_TOPICS:
        raise _wrong(f"has too few topics: {len(topics)} instead of at least {FEWEST_TOPICS}")
    count = sum(copies for numbers in topics.values() for copies in numbers.values())
    if count > MAX_CARDS:
        raise _wrong(f"has {count} cards, and {MAX_CARDS} are the most")
    return name, topics


def _topic(topic: str) -> str:
    _text(topic, "a topic")
    if "#" in topic:
        raise _wrong(f"has the topic {short_json(topic)}, but a topic has no # in it")
    return topic


def _numbers(topic: str, data: object) -> dict[int, int]:
    """Return the number of copies of each number of a topic."""
    numbers = _object(data, f"the topic {short_json(topic)}")
    if not numbers:
        raise _wrong(f"has no numbers for the topic {short_json(topic)}")
    copies_of: dict[int, int] = {}
    for number, copies in numbers.items():
        if number not in map(str, NUMBERS):
            right = f"numbers are {NUMBERS[0]} to {NUMBERS[-1]}"
            raise _wrong(f"has the number {short_json(number)} for the topic {short_json(topic)}, but {right}")
        if type(copies) is not int or not 1 <= copies <= MAX_CARDS:
            raise _wrong(f"has {short_json(copies)} copies of {topic} {number}, but there must be 1 to {MAX_CARDS}")
        copies_of[int(number)] = copies
    return copies_of


def _object(value: object, label: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(f"is wrong: {label} must be an object, not {short_json(value)}")
    return cast("dict[str, Any]", value)


def _text(value: object, label: str) -> str:
    if not isinstance(value, str) or not value:
        raise _wrong(f"is wrong: {label} must be a text that isn't empty, not {short_json(value)}")
    return value


def _wrong(problem: str) -> ConfigError:
    return ConfigError(f"{THE_MANIFEST} {problem}.")
