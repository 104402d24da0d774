"""A table of its own for each test here, at the broker of all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from uplink.rig import JournalServer, open_journal_server


@pytest.fixture
def table() -> str:
    """The league's name for the table."""
    return secrets.token_hex(4)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[JournalServer]:
    with open_journal_server(tmp_path) as book:
        yield book
