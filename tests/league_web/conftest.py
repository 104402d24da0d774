"""A small league in a database that every test has a copy of, and its page."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from taptable.league.database import migrate, open_database, write_transaction
from taptable.league.web.accounts import set_administrator

from league_web.rig import NAME, PASSWORD, LeaguePage, serve_league_page
from league_web.seeds import seed


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database with a small league."""
    file = tmp_path_factory.mktemp("league") / "league.sqlite"
    engine = open_database(f"sqlite:///{file}")
    migrate(engine)
    seed(engine)
    with write_transaction(engine) as connection:
        set_administrator(connection, NAME, PASSWORD, 0)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return file


@pytest.fixture
def engine(seeded: Path, tmp_path: Path) -> Iterator[Engine]:
    """A copy of it."""
    file = shutil.copy(seeded, tmp_path / "league.sqlite")
    engine = open_database(f"sqlite:///{file}")
    yield engine
    engine.dispose()


@pytest.fixture
async def league(engine: Engine) -> AsyncIterator[LeaguePage]:
    """Its page, for this computer only."""
    async with serve_league_page(engine) as league:
        yield league
