"""Figures: what is counted for each player over a game, told as data, so that whoever counts needs to know no game."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a player: how often it was `said`. The field `seat` of the announcement has the seat, or the seats,
    for which it counts. The words for `key` are in the game's catalogues, context ``figure``."""

    key: str
    announcement: type[Announcement]
    seat: str = "seat"
