"""The disk below the journal, which may be full: SQLite's connections are made here while it is installed, and fail
where they would write, as SQLite itself does when there is no room. Knows no table."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

_WRITES = ("INSERT", "UPDATE")


class Disk:
    """`full` while nothing more can be written."""

    def __init__(self) -> None:
        self.full = False


@contextmanager
def installed(disk: Disk) -> Generator[None]:
    """While this lasts, connections that `sqlite3.connect` makes write to this disk."""

    class Connection(sqlite3.Connection):
        """One that asks the disk first."""

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            """As ever, or the error for a disk without room."""
            if disk.full and sql.startswith(_WRITES):
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return super().execute(sql, *values)

    connect = sqlite3.connect

    def connect_to_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return connect(*arguments, **{"factory": Connection, **options})

    sqlite3.connect = connect_to_disk
    try:
        yield
    finally:
        sqlite3.connect = connect
