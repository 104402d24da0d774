"""The scenes of a broadcast of ONLINE, one by one, at a table whose players have names."""

from __future__ import annotations

from taptable.core.notices import PlayersNamed

from page.a_table import PageTable
from page.base_views import APART_S, FIRST, NAMES, NEXT
from page.staging import Stage


def names_everybody(table: PageTable) -> None:
    """Name the people at the first seats."""
    daemon = table.harness.daemon
    table.ask(lambda: daemon.controller.note(PlayersNamed(daemon.clock.now_us(), NAMES)))


async def _turn(stage: Stage) -> None:
    await stage.plays_to_a_turn(NEXT, 1)
    await stage.uses("reshuffle", NEXT)
    stage.gathers(FIRST, "cyber-patrol")


async def _hacker(stage: Stage) -> None:
    await stage.hacks(NEXT)


async def _claim(stage: Stage) -> None:
    await stage.buzz(FIRST, 3, apart_s=APART_S)


async def _stopped(stage: Stage) -> None:
    await stage.shows_the_patrol(FIRST)


async def _end(stage: Stage) -> None:
    await stage.plays(lambda: stage.state.outcome is not None)


SCENES = {"turn": _turn, "hacker": _hacker, "claim": _claim, "stopped": _stopped, "over": _end}
