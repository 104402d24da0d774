"""Samples of a game to look at: scoreboards of games that were played up to a moment, for pictures and tests. This
module doesn't know where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from taptable.core.scoreboard import Scoreboard
from taptable.core.verdicts import Refused
from taptable.referee.step import Table

from games.table import Played

NOW_US = 0
"""The time at which the samples are shown."""


class Samples:
    """A game's moments by names fit for a file, in the order of an evening: each function plays a game up to it.
    `usual` is one in the middle of a game, and `refuse` plays to a tap that is refused, with its card and its pad among
    the facts."""

    def __init__(self, moments: Mapping[str, Callable[[], Played]], usual: str, refuse: Callable[[], Played]) -> None:
        self._moments = moments
        self._refuse = refuse
        self.usual = usual

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Return the tables at these moments."""
        return {name: play().front.table for name, play in self._moments.items()}

    @cached_property
    def boards(self) -> Mapping[str, Scoreboard]:
        """Return their scoreboards, with all times moved so that each of these moments is `NOW_US`."""
        return {name: board_of(table) for name, table in self.tables.items()}

    @cached_property
    def refused(self) -> Refused:
        """Return the verdict on the refused tap."""
        verdict = self._refuse().verdicts[-1]
        assert isinstance(verdict, Refused), verdict
        return verdict


def board_of(table: Table) -> Scoreboard:
    """Return a table's scoreboard, with its times moved so that the moment is `NOW_US`."""
    return table.game.scoreboard(table.game.shift(table.state, NOW_US - table.at_us))
