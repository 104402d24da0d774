"""Fixtures of the league's tests: databases of both kinds, empty and up to date."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from league.sending import League
from league.two_clubs import TwoClubs
from servers import NotInstalled, PostgreSQL, postgresql
from sqlalchemy import Engine
from taptable.league.database import migrate, open_database

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQL]:
    try:
        running = postgresql()
        with running as found:
            yield found
    except NotInstalled as error:
        pytest.skip(str(error))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/new.sqlite"
    return request.getfixturevalue("server").database(f"league{next(_numbers)}")


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    """A new database, up to date."""
    made = open_database(address)
    migrate(made)
    yield made
    made.dispose()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Engine]:
    """The same, on SQLite alone: for tests that don't depend on the database."""
    made = open_database(f"sqlite:///{tmp_path}/league.sqlite")
    migrate(made)
    yield made
    made.dispose()


@pytest.fixture
def large(server: PostgreSQL) -> Iterator[Engine]:
    """The same, on PostgreSQL alone: for tests of several transactions at once."""
    made = open_database(server.database(f"league{next(_numbers)}"))
    migrate(made)
    yield made
    made.dispose()


@pytest.fixture
def clubs(small: Engine) -> TwoClubs:
    """A league with two clubs, on SQLite alone."""
    return TwoClubs(League(small))
