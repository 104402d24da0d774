"""A league's database: SQLite for the small form, PostgreSQL for the large one, through one engine; transactions, and
the migration of its tables to this version's form. Must not know any table; migrations do."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from taptable.core.errors import ConfigError, LeagueError

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BUSY_MS = 30_000
"""How long SQLite waits for another writer."""
_UNAVAILABLE = frozenset({"08", "53", "55", "57", "58"})
"""Classes of SQLSTATE for which a retry makes sense: no connection, no resources, object not in the required state,
operator intervention, system error."""
_UNAVAILABLE_SQLITE = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
        *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
    }
)
_MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK = 7_457_018
"""The number of PostgreSQL's advisory lock that lets only one process migrate at a time."""


def open_database(url: str) -> Engine:
    """Return an engine for the database at an address of SQLAlchemy, not connected yet. Raises `ConfigError` if the
    address can't be used."""
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"{url!r} is no address of a database: {error}") from error
    if address.get_backend_name() not in (SQLITE, POSTGRESQL):
        raise ConfigError(f"{address!r} is a database of another kind than SQLite and PostgreSQL")
    engine = create_engine(address, pool_pre_ping=True)
    if engine.dialect.name == SQLITE:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


@contextmanager
def write_transaction(engine: Engine) -> Generator[Connection]:
    """Run a transaction that may write, and commit it at the end. On SQLite nobody else writes meanwhile."""
    with engine.connect() as connection:
        connection = connection.execution_options(writing=True)
        with connection.begin():
            yield connection


@contextmanager
def read_transaction(engine: Engine) -> Generator[Connection]:
    """Run a transaction that only reads."""
    with engine.connect() as connection, connection.begin():
        yield connection


def on_postgresql(connection: Connection) -> bool:
    """Return whether the database is PostgreSQL."""
    return connection.dialect.name == POSTGRESQL


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insertion of the dialect, which supports ``ON CONFLICT``."""
    return postgresql.insert(table) if on_postgresql(connection) else sqlite.insert(table)


def clock_ms(connection: Connection) -> int:
    """Return the time of the database's clock, which all workers share, in ms of UTC."""
    now = (
        "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
        if on_postgresql(connection)
        else "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    )
    return connection.execute(text(now)).scalar_one()


def is_unavailable(error: Exception) -> bool:
    """Return whether an error says that the database can't do any work now. All other errors are about the
    statement."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _UNAVAILABLE_SQLITE
    if isinstance(cause, psycopg.Error):
        if cause.sqlstate is not None:
            return cause.sqlstate[:2] in _UNAVAILABLE
        return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)  # the connection is lost
    return isinstance(error, NoConnection)


def migrate(engine: Engine) -> None:
    """Migrate the tables to the form that this version knows, from any earlier form or from an empty database."""
    with write_transaction(engine) as connection:
        if on_postgresql(connection):
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        command.upgrade(_config(connection), "head")


def check_version(engine: Engine) -> None:
    """Raise `LeagueError` if the tables have another form than this version knows."""
    with read_transaction(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        known = ScriptDirectory.from_config(_config(connection)).get_current_head()
    if found != known:
        problem = "is still empty" if found is None else f"has the form {found}, and this taptable knows {known}"
        raise LeagueError(f"the league's database {problem}: `taptable league migrate` brings it up to date")


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _prepare_sqlite(connection: object, _: object) -> None:
    assert isinstance(connection, sqlite3.Connection)
    connection.isolation_level = None  # transactions begin below, not where the driver would begin them
    for pragma in (f"busy_timeout = {BUSY_MS}", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    # if several processes open a new file at once, SQLite lets all but one fail here instead of wait
    until_s = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until_s:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    if not connection.get_execution_options().get("writing"):
        connection.exec_driver_sql("BEGIN")
        return
    # a transaction that reads first and writes then couldn't wait for another writer
    with _write_lock(connection.engine):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _write_lock(engine: Engine) -> Generator[None]:
    """Hold the turn to write, from when this process waits for it until it writes. SQLite itself lets its writers check
    from time to time whether they may: one that writes again at once would keep the others out for as long as it likes.
    The lock is on the folder, since that is what all processes can lock."""
    file = engine.url.database
    if file in (None, "", ":memory:") or str(file).startswith("file:"):
        yield
        return
    folder = os.open(Path(str(file)).resolve().parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
