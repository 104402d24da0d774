"""A table of its own for each test here, at the broker of all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from uplink.rig import Book, a_book


@pytest.fixture
def table() -> str:
    """What the league calls it."""
    return secrets.token_hex(4)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with a_book(tmp_path) as book:
        yield book
