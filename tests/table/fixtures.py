"""For tests that are coroutines: a table of their own, and somebody at its page. Where `anyio_backend` is `GIVEN_TIME`,
they run in given time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from taptable.sim.loops import GivenTimeLoop

if TYPE_CHECKING:
    from taptable.config import Config
    from topics.page_user import PageUser

    from table.rig import GameNight

GIVEN_TIME: tuple[str, dict[str, Any]] = ("asyncio", {"loop_factory": GivenTimeLoop})
SETTLED_S = 1.0
"""Seconds within which every reader has looked: a card that lies there then was there before."""


@pytest.fixture
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Config:
    """The configuration of a table in `tmp_path`; the marker `table` has the arguments of `a_table`."""
    from table.rig import a_table  # not before it is needed: any test's process would take a second longer

    about = request.node.get_closest_marker("table")
    return a_table(tmp_path, *about.args, **about.kwargs) if about else a_table(tmp_path)


@pytest.fixture
async def at(config: Config) -> AsyncIterator[GameNight]:
    """The table of `config`, whose readers have looked."""
    from table.rig import running_table

    async with running_table(config) as evening:
        await asyncio.sleep(SETTLED_S)
        yield evening


@pytest.fixture
def ada(at: GameNight) -> PageUser:
    """A user at the page of `at`."""
    from topics.page_user import PageUser

    return PageUser(at)
