"""The cards, as a manifest lists them, and the settings: the last section of the rules page."""

from __future__ import annotations

import json

TOPICS = [
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
]
SAMPLE = {"game": "xnet", "name": "sample", "topics": {topic: {str(n): 2 for n in range(1, 10)} for topic in TOPICS}}


def read_cards(manifest: str, players: int) -> dict[str, tuple[str, int]]:
    """Topic and number of every card by its id; "" is the sample. ValueError for a manifest that is refused."""
    read = json.loads(manifest) if manifest else SAMPLE
    if not isinstance(read, dict) or set(read) != {"game", "name", "topics"}:
        raise ValueError("keys")
    if read["game"] != "xnet" or not isinstance(read["name"], str) or not read["name"]:
        raise ValueError("game or name")
    if not isinstance(read["topics"], dict) or len(read["topics"]) < 6:
        raise ValueError("topics")
    cards = {}
    for topic, numbers in read["topics"].items():
        if not topic or "#" in topic or not isinstance(numbers, dict) or not numbers:
            raise ValueError(topic)
        for number, copies in numbers.items():
            if number not in "123456789" or len(number) != 1 or type(copies) is not int or copies < 1:
                raise ValueError(f"{topic}-{number}")
            for copy in range(1, copies + 1):
                cards[f"{topic}-{number}#{copy}"] = (topic, int(number))
    if len(cards) < 20 * players:
        raise ValueError("too few cards")
    return cards


def read_target(settings: dict[str, str]) -> int:
    """`target_points`; ValueError for a setting unknown or out of range."""
    if not set(settings) <= {"target_points"}:
        raise ValueError("no such setting")
    text = settings.get("target_points", "120")
    if not (text.isascii() and text.isdecimal()) or not 10 <= int(text) <= 999:
        raise ValueError("target_points")
    return int(text)


def extra_cards(players: int) -> list[int]:
    """X1.1: what is dealt beyond five, by place in turn order."""
    return {3: [0, 0, 1], 4: [0, 0, 1, 2], 5: [0, 0, 1, 1, 2], 6: [0, 0, 1, 1, 2, 2]}[players]
