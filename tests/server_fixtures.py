"""For tests: the servers of `servers`, one each for all tests of a process. Where a server isn't installed, the tests
that want it are skipped, which CI takes for a failure."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from servers import Mosquitto, Nats, PostgreSQL

Server = TypeVar("Server")


@pytest.fixture(scope="session")
def broker() -> Iterator[Mosquitto]:
    """Mosquitto that lets everybody in; let each test have topics of its own, and leave it running."""
    import servers  # not before it is needed: it brings the database's client with it

    yield from _had(servers.mosquitto())


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A PostgreSQL, to be left running."""
    import servers

    yield from _had(servers.postgresql())


@pytest.fixture
def database(postgres: PostgreSQL) -> str:
    """The address of an empty database of PostgreSQL's, as SQLAlchemy wants it."""
    return postgres.database(f"test_{secrets.token_hex(4)}")


@pytest.fixture(scope="session")
def nats() -> Iterator[Nats]:
    """Three nodes of NATS in which the league has an account; its password is ``league``."""
    import servers

    yield from _had(servers.nats({servers.LEAGUE: servers.LEAGUE}))


def _had(server: AbstractContextManager[Server]) -> Iterator[Server]:
    from servers import NotInstalled

    try:
        with server as running:
            yield running
    except NotInstalled as none:
        pytest.skip(str(none))
