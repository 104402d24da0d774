"""Fixtures with the servers of `servers`, one each for all tests of a process. If a server isn't installed, its tests
are skipped, which CI counts as a failure."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from servers import Mosquitto, Nats, PostgreSQL


@pytest.fixture(scope="session")
def broker() -> Iterator[Mosquitto]:
    """Mosquitto that admits everybody; let each test have topics of its own, and leave it running."""
    import servers  # not before it is needed: it brings the database's client with it

    with servers.mosquitto() as broker:
        yield broker


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A PostgreSQL, to be left running."""
    import servers

    with servers.postgresql() as postgres:
        yield postgres


@pytest.fixture
def database(postgres: PostgreSQL) -> str:
    """The address of an empty database of PostgreSQL's, as SQLAlchemy wants it."""
    return postgres.database(f"test_{secrets.token_hex(4)}")


@pytest.fixture(scope="session")
def nats() -> Iterator[Nats]:
    """Three nodes of NATS in which the league has an account; its password is ``league``."""
    import servers

    with servers.nats({servers.LEAGUE: servers.LEAGUE}) as nats:
        yield nats


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    """Skip tests of a server that isn't installed."""
    with _skipping():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    """The same for tests that start one of their own."""
    with _skipping():
        yield


@contextmanager
def _skipping() -> Generator[None]:
    try:
        yield
    except Exception as error:
        servers = sys.modules.get("servers")
        if servers is not None and isinstance(error, servers.NotInstalled):
            pytest.skip(str(error))
        raise
