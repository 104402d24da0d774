"""A broker for the tests here, which each have a table of their own at it, to be left running."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from uplink.broker import Mosquitto, mosquitto
from uplink.rig import Book, a_book


@pytest.fixture(scope="session")
def shared_broker() -> Iterator[Mosquitto]:
    with mosquitto() as broker:
        yield broker


@pytest.fixture
def table() -> str:
    """What the league calls it."""
    return secrets.token_hex(4)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with a_book(tmp_path) as book:
        yield book
