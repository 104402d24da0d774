"""Samples of a game to look at: scoreboards as they come about, for pictures and tests. Nobody plays them, and where
they are shown isn't known here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.scoreboard import Scoreboard
from taptable.core.verdicts import Refused

NOW_US = 0
"""The moment at which they are to be looked at."""


@dataclass(frozen=True, slots=True)
class Samples:
    """A game's moments by names fit for a file, in the order of an evening: `boards`, of which `usual` is one in the
    midst of a game, and a tap that is refused, with its card and its pad among the facts."""

    boards: Mapping[str, Scoreboard]
    usual: str
    refused: Refused
