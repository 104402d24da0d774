"""Connections to the journal's file, one way to write and one way to read. Knows no table."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from taptable.core.errors import JournalError
from taptable.memory.durable import sync_folder
from taptable.memory.faults import naming

_ONLY_OURS = 0o600
_BUSY_S = 0.5  # only another program's own writing can hold us up


def wal_of(path: Path) -> Path:
    """The file in which commits stand until they are moved to `path`."""
    return path.with_name(path.name + "-wal")


def connect_to_write(path: Path) -> sqlite3.Connection:
    """A connection in which every commit is on the disk when it returns; makes the file if there is none."""
    fresh = not path.exists()
    with naming(path):
        _keep_private(path)
        connection = _connect(path, "mode=rwc")
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if mode != "wal":
                raise JournalError(
                    f"journal {path} lies on a file system that can't keep it (no WAL): choose a local disk"
                )
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if fresh:
                sync_folder(path.parent)
        except BaseException:
            connection.close()
            raise
    return connection


def _keep_private(path: Path) -> None:
    """Numbers of tags and people's names are nobody else's; SQLite gives its other files the rights of the first. What
    can't be had here SQLite says better."""
    with suppress(OSError):
        if not path.exists():  # to open and close one that somebody has open would drop their locks
            path.touch(_ONLY_OURS)
        for file in (path, wal_of(path)):
            file.chmod(_ONLY_OURS)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing and holds up no writer, even in a folder that can't be written."""
    if not path.is_file() or path.stat().st_size == 0:
        raise JournalError(f"there is no journal at {path} yet")
    with naming(path):
        try:
            return _proved(_connect(path, "mode=ro"))
        except sqlite3.OperationalError as error:
            barred = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
            if not barred or not os.access(path, os.R_OK, effective_ids=True):
                raise
        # SQLite wants to put two files beside it, even to read. Where it may not, and no WAL is left, the file alone is
        # all there is.
        if wal_of(path).exists():
            raise JournalError(
                f"journal {path} was not closed and its folder can't be written: "
                f"copy it together with {wal_of(path).name} to a folder that can, and read it there"
            )
        return _proved(_connect(path, "mode=ro&immutable=1"))


def _connect(path: Path, options: str) -> sqlite3.Connection:
    """Transactions are written out (no implicit BEGIN); any thread may call, one at a time."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _proved(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, after a first look into the file, which SQLite puts off for as long as it can."""
    try:
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
