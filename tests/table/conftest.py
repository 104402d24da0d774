"""A table here is one of given time, and at its end nothing was lost that a part could hear."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from table.faulty import an_evening
from table.fixtures import GIVEN_TIME
from table.rig import GameNight


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[GameNight]:
    async with an_evening(tmp_path) as evening:
        yield evening
