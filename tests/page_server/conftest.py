"""Fixtures of the tests of the page's server: a table with its page, and its clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from page_server.rig import Client, SmallExtension, Table, a_client, a_table_with_a_page, at_table


@pytest.fixture
def extension(tmp_path: Path) -> SmallExtension:
    """An extension of the table's page, if a test asks for it; its files are in a folder of their own."""
    (tmp_path / "extension").mkdir()
    return SmallExtension(tmp_path / "extension")


@pytest.fixture
async def table(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    extension = request.getfixturevalue("extension") if "extension" in request.fixturenames else None
    async with at_table(a_table_with_a_page(tmp_path), extension) as table:
        yield table


@pytest.fixture
async def small(table: Table, extension: SmallExtension) -> AsyncIterator[Client]:
    """A client at the extension's live connection, after the exchange of hello."""
    assert extension.feed.revision == 0
    async with a_client(table.port, "/small/live") as client:
        await client.hello()
        yield client


@pytest.fixture
async def client(table: Table) -> AsyncIterator[Client]:
    """A client that hasn't said hello yet."""
    async with a_client(table.port) as client:
        yield client
