"""Fixtures of the tests of access to a page: a table whose page is open to the network."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from page_server.rig import Table

from page_access.rig import an_open_table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with an_open_table(tmp_path) as table:
        yield table
