"""What can be wrong with the journal's file: SQLite's errors as sentences that name the file and say what to
do. Knows no table and no row."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from taptable.core.errors import JournalError


class JournalDamaged(JournalError):
    """The file isn't what the journal once wrote. `kept` is where it was put aside, None while it is still in
    its place."""

    def __init__(self, path: Path, reason: str, kept: Path | None = None) -> None:
        if kept is None:
            advice = "nothing was changed; the next start of the table keeps it aside if it can't go on from it"
        else:
            advice = (
                f"it was kept as {kept}, and a new journal is begun in its place "
                f"(`sqlite3 {kept} .recover` prints what can still be read)"
            )
        super().__init__(f"journal {path} is damaged ({reason}): {advice}")
        self.path = path
        self.reason = reason
        self.kept = kept


class JournalFull(JournalError):
    """There is no room for the next entry. Nothing of it was written; the same call works again once there is room."""


@contextmanager
def naming(path: Path) -> Generator[None]:
    """Turn SQLite's errors within into a `JournalError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _fault(path, error) from error
    except UnicodeDecodeError as error:  # SQLite's own words, where they repeat a damaged name
        raise JournalDamaged(path, str(error)) from error


def _fault(path: Path, error: sqlite3.Error) -> JournalError:
    """The journal's error for one of SQLite's, by its result code."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and isinstance(error, sqlite3.OperationalError):
        # The only such error Python raises of itself: a text that is not UTF-8, which nobody wrote.
        return JournalDamaged(path, str(error))
    match None if code is None else code & 0xFF:  # the low byte is the primary code
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return JournalDamaged(path, str(error))
        case sqlite3.SQLITE_FULL:
            return JournalFull(f"journal {path} can't grow ({error}): make room on its disk, and the table goes on")
        case sqlite3.SQLITE_IOERR:
            return JournalError(
                f"journal {path} can't be read or written ({error}): look at its disk and its free space"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return JournalError(
                f"journal {path} can't be opened ({error}): its file and its folder must be there and allow it"
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError(f"journal {path} is held by another program ({error}): close it, and try again")
        case _:
            return JournalError(f"journal {path}: {error}")
