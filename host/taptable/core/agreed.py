"""What is agreed before a game begins: the same for every game, in texts, since a command line, a configuration, a page
and a journal all say it like this. What can be agreed on is each game's own affair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreed:
    """How many play, by which edition and house rules, and the seat that begins (None: the youngest). `manifest` is
    the JSON text that describes the cards, "" for those that every table has of this game."""

    players: int
    edition: str
    settings: Mapping[str, str]
    starter: int | None
    manifest: str = ""
