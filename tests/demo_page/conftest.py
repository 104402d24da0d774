"""For the tests of the demo's page: somebody at the page of a table in given time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from taptable.sim.loops import GivenTimeLoop

from demo_page.rig import Visitor, at_the_page


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return "asyncio", {"loop_factory": GivenTimeLoop}


@pytest.fixture
async def visitor(tmp_path: Path) -> AsyncIterator[Visitor]:
    """A visitor at a table of two, who plays seat 1 and begins."""
    async with at_the_page(tmp_path) as visitor:
        yield visitor
