"""Figures: statistics of each player over a game, as data, so that the code that counts needs to know no game."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a player: how often `announcement` was made with the player's seat, or among its seats, in the
    field named `seat`. The words for `key` are in the game's catalogues, context ``figure``."""

    key: str
    announcement: type[Announcement]
    seat: str = "seat"
