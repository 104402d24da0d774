"""For tests that are coroutines, in given time unless they are marked `real_time`: a table of their own, and somebody
at its page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from taptable.sim.given_time import GivenTimeLoop

if TYPE_CHECKING:
    from taptable.config import Config
    from topics.asking import Asking

    from table.rig import Evening

SETTLED_S = 1.0
"""Within this every reader has looked: what lies there then was there before."""


@pytest.fixture
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """On which loop coroutines run."""
    real = request.node.get_closest_marker("real_time")
    return "asyncio", {"loop_factory": asyncio.SelectorEventLoop if real else GivenTimeLoop}


@pytest.fixture
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Config:
    """A table in `tmp_path`; the marker `table` has what `a_table` takes."""
    from table.rig import a_table  # not before it is needed: any test's process would take a second longer

    about = request.node.get_closest_marker("table")
    return a_table(tmp_path, *about.args, **about.kwargs) if about else a_table(tmp_path)


@pytest.fixture
async def at(config: Config) -> AsyncIterator[Evening]:
    """That table, whose readers have looked."""
    from table.rig import at_table

    async with at_table(config) as evening:
        await asyncio.sleep(SETTLED_S)
        yield evening


@pytest.fixture
def ada(at: Evening) -> Asking:
    """Somebody at the page of `at`."""
    from topics.asking import Asking

    return Asking(at)
