"""The journal's file: its tables and the marks that identify it, connections to write and to read it, and SQLite's
errors as sentences that name the file and say what to do. Must not know what a row means. A later version of the format
adds a script to `MIGRATIONS`, and the earlier scripts stay. If the rows must change too, `_migrate_journal` in
`journal` changes them in the same transaction."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from taptable.core.errors import JournalError
from taptable.core.spelling import escape_control_chars
from taptable.memory.durable import READ_ONLY, is_on_read_only_disk, sync_folder, write_error_reason


class JournalDamaged(JournalError):
    """The file's content isn't what the journal wrote. `moved_to` is where the file was moved aside, None while it is
    still in its place."""

    def __init__(self, path: Path, reason: str, moved_to: Path | None = None) -> None:
        if moved_to is None:
            advice = "nothing was changed; the next start of the table moves it aside if it can't be restored from it"
        else:
            advice = (
                f"it was moved aside to {moved_to}, and a new journal begins in its place "
                f"(`sqlite3 {moved_to} .recover` prints what can still be read)"
            )
        super().__init__(f"journal {path} is damaged ({reason}): {advice}")
        self.path = path
        self.reason = reason
        self.moved_to = moved_to


class JournalFull(JournalError):
    """The disk has no room for the next entry. Nothing of it was written; the same call works again once there is
    room."""


@contextmanager
def translating_errors(path: Path) -> Generator[None]:
    """Turn errors of SQLite and of the disk in this context into a `JournalError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _journal_error(path, error) from error
    except OSError as error:
        raise JournalError(f"journal {path} can't be written: {write_error_reason(path, error)}") from error
    except UnicodeDecodeError as error:  # SQLite's own message, where it repeats a damaged name
        raise JournalDamaged(path, str(error)) from error


def _journal_error(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the journal's error for one of SQLite's, by its result code."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and isinstance(error, sqlite3.OperationalError):
        # The only such error that Python raises itself: a text that is not UTF-8, which no journal has written.
        return JournalDamaged(path, str(error))
    match None if code is None else code & 0xFF:  # the low byte is the primary code
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return JournalDamaged(path, str(error))
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN if is_on_read_only_disk(path):
            return JournalError(f"journal {path} can't be written: {READ_ONLY}")
        case sqlite3.SQLITE_ERROR:  # our SQL is right, so the tables, or the format, aren't ours
            return JournalDamaged(path, str(error))
        case sqlite3.SQLITE_READONLY if code == sqlite3.SQLITE_READONLY and _may_be_written(path):
            return JournalDamaged(path, f"{error}, though it may be written to: its header has changed")
        case sqlite3.SQLITE_FULL:
            return JournalFull(f"journal {path} can't grow ({error}): make room on its disk, and the table continues")
        case sqlite3.SQLITE_IOERR:
            return JournalError(f"journal {path} can't be read or written ({error}): check its disk and its free space")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return JournalError(
                f"journal {path} can't be opened ({error}): its file and its folder must be there and allow it"
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError(
                f"journal {path} is held by another program ({error}): close that program, and try again"
            )
        case _:
            return JournalError(f"journal {path}: {error}")


def _may_be_written(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


APPLICATION_ID = 0x74617074
"""``tapt``: SQLite keeps this number in the file's header."""

SCHEMA = """\
CREATE TABLE games (
    id            INTEGER PRIMARY KEY,
    begun_at_us   INTEGER NOT NULL CHECK (begun_at_us >= 0),
    begun_utc     TEXT,
    game          TEXT    NOT NULL,
    edition       TEXT    NOT NULL,
    players       INTEGER NOT NULL CHECK (players > 0),
    settings      TEXT    NOT NULL CHECK (json_valid(settings)),
    starter       INTEGER CHECK (starter BETWEEN 1 AND players),
    language      TEXT    NOT NULL,
    deck          TEXT    NOT NULL,
    rules_version TEXT    NOT NULL,
    heir          TEXT    CHECK (heir IS NULL OR json_valid(heir)),
    ended_at_us   INTEGER CHECK (ended_at_us >= begun_at_us),
    outcome       TEXT    CHECK (outcome IS NULL OR json_valid(outcome)),
    CHECK ((ended_at_us IS NULL) = (outcome IS NULL))
) STRICT;

CREATE TABLE entries (
    id      INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    at_us   INTEGER NOT NULL CHECK (at_us >= 0),
    kind    TEXT    NOT NULL CHECK (kind IN ('observation', 'note', 'taken')),
    line    TEXT    CHECK (line IS NULL OR json_valid(line)),
    answer  TEXT    CHECK (answer IS NULL OR json_valid(answer)),
    board   TEXT,
    boot    INTEGER,
    number  INTEGER,
    CHECK ((board IS NULL) = (boot IS NULL) AND (board IS NULL) = (number IS NULL)),
    CHECK (kind = 'taken' OR line IS NOT NULL),
    CHECK (kind <> 'taken' OR board IS NOT NULL)
) STRICT;

CREATE INDEX entries_by_game ON entries (game_id);

CREATE UNIQUE INDEX entries_by_origin ON entries (board, boot, number) WHERE board IS NOT NULL;
"""
"""Version 1 creates the tables of games and of their entries."""

MANIFESTS = """\
ALTER TABLE games ADD COLUMN manifest TEXT NOT NULL DEFAULT '';
"""
"""Version 2 adds to each game the manifest that describes its cards."""

DIGESTS = """\
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    journal  TEXT    NOT NULL,
    salt     BLOB    NOT NULL
) STRICT;

ALTER TABLE games ADD COLUMN digest TEXT NOT NULL DEFAULT '';

ALTER TABLE entries ADD COLUMN digest TEXT NOT NULL DEFAULT '';
"""
"""Version 3 adds the journal's identity, and the running digest after each record."""

MIGRATIONS = (SCHEMA, MANIFESTS, DIGESTS)
"""The scripts that make each version of the tables from the one before."""
VERSION = len(MIGRATIONS)
"""The version of the format that this taptable writes."""
FIRST_VERSION_WITH_IDENTITY = 3
"""The first version in which a journal has an identity and digests."""


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema's version of the file, 0 for one that is still empty. Raises `JournalDamaged` if the schema or
    its marks have changed since they were written, `JournalError` for the file of another program or of a newer
    taptable."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    found = schema_of(connection)
    if not found and application_id == version == 0:
        return 0
    known = next((each for each in range(VERSION, 0, -1) if _is_schema(found, each)), None)
    if known == version and application_id == APPLICATION_ID:
        return version
    if known is not None and not VERSION < version <= VERSION + _NEXT_VERSIONS:
        raise JournalDamaged(path, f"its tables are of schema {known}, its marks are {application_id:x} and {version}")
    if application_id != APPLICATION_ID:
        raise JournalError(f"{path} is a database of another program: give the journal a file of its own")
    if version > VERSION:
        raise JournalError(
            f"journal {path} was written by a newer taptable (schema {version}; this one knows {VERSION}): "
            "update taptable; the file was not changed"
        )
    foreign_part = min(found - expected_schema(version), default=None) if version else None
    difference = (
        "a table or index is missing"
        if foreign_part is None
        else f"{foreign_part.kind} {foreign_part.name} has changed"
    )
    raise JournalDamaged(path, f"its tables aren't those of a journal: {escape_control_chars(difference):.100}")


_NEXT_VERSIONS = 3
"""Future versions, which may have the same tables. No flipped bit turns one of our versions into one of these."""


class SchemaPart(NamedTuple):
    """A table or index of the file's schema, with the white space of its SQL reduced. SQLite's own indexes have no
    SQL."""

    kind: str
    name: str
    table: str
    sql: str


def schema_of(connection: sqlite3.Connection) -> frozenset[SchemaPart]:
    """Return all parts of the file's schema except SQLite's own statistics."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat_'")
    return frozenset(SchemaPart(*(" ".join(str("" if each is None else each).split()) for each in row)) for row in rows)


def _is_schema(found: frozenset[SchemaPart], version: int) -> bool:
    """Return whether this is the schema of a version. Additional tables do no harm; a view, a trigger or an index
    might."""
    expected = expected_schema(version)
    names = {part.name for part in expected}
    additional = found - expected
    return expected <= found and all(
        part.kind == "table" and part.name not in names and part.sql.startswith("CREATE TABLE ") for part in additional
    )


@cache
def expected_schema(version: int = VERSION) -> frozenset[SchemaPart]:
    """Return the parts of the schema of a file of this version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        with migrating_tables(fresh, 0, version):
            pass
        return schema_of(fresh)


@contextmanager
def migrating_tables(connection: sqlite3.Connection, version: int, to: int) -> Generator[None]:
    """Migrate the tables from `version` to a later one, in one transaction with the work done in this context."""
    with transaction(connection):
        for statement in "".join(MIGRATIONS[version:to]).split(";\n"):  # `executescript` would commit what has begun
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {to}")
        yield


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Run the context as one transaction: all of it is on the disk afterwards, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back by itself after some errors
            connection.execute("ROLLBACK")
        raise


_PRIVATE_MODE = 0o600
_BUSY_TIMEOUT_S = 0.5  # only another program's own write can hold us up


def wal_file_of(path: Path) -> Path:
    """Return the path of the file that holds commits until they are moved to `path`."""
    return path.with_name(path.name + "-wal")


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Return a connection whose commits are on the disk when they return. Creates the file if there is none."""
    is_new = not path.exists()
    with translating_errors(path):
        _keep_private(path)
        connection = _connect(path, "mode=rwc")
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if mode != "wal":
                raise JournalError(
                    f"journal {path} is on a file system that doesn't support it (no WAL): choose a local disk"
                )
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            _check_header(connection)
            if is_new:
                sync_folder(path.parent)
        except BaseException:
            connection.close()
            raise
    return connection


def _check_header(connection: sqlite3.Connection) -> None:
    """Make SQLite check whether the header lets it write. That takes no room on the disk. Another program's write at
    the same time does no harm."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {version}")
    finally:
        connection.rollback()


def _keep_private(path: Path) -> None:
    """Restrict the files to their owner, because UIDs and people's names are private. SQLite gives its other files the
    rights of the first. If it fails here, SQLite's own error says more."""
    with suppress(OSError):
        if not path.exists():  # opening and closing a file that this process has open would drop SQLite's locks
            path.touch(_PRIVATE_MODE)
        for file in (path, wal_file_of(path)):
            file.chmod(_PRIVATE_MODE)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing and blocks no writer, even in a folder without write access."""
    if not path.is_file() or path.stat().st_size == 0:
        raise JournalError(f"there is no journal at {path} yet")
    with translating_errors(path):
        try:
            return _checked(_connect(path, "mode=ro"))
        except sqlite3.OperationalError as error:
            was_denied = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
            if not was_denied or not os.access(path, os.R_OK, effective_ids=True):
                raise
        # SQLite creates two files beside the journal, even to read it. If it may not, and no WAL is left, the file
        # alone has everything.
        if wal_file_of(path).exists():
            raise JournalError(
                f"journal {path} was not closed and its folder can't be written: "
                f"copy it together with {wal_file_of(path).name} to a folder that can, and read it there"
            )
        return _checked(_connect(path, "mode=ro&immutable=1"))


def _connect(path: Path, options: str) -> sqlite3.Connection:
    """Connect to a file. Transactions are explicit (no implicit BEGIN); any thread may use the connection, one at a
    time."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection after a first read of the file, which SQLite otherwise puts off as long as it can."""
    try:
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
