"""The journal's tables, and the marks by which its file is known. A later version adds a script to `STEPS`; the
ones before it stay."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from taptable.core.errors import JournalError

APPLICATION_ID = 0x74617074
"""``tapt``: SQLite keeps it in the file's header."""

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

MANIFESTS = """\
ALTER TABLE games ADD COLUMN manifest TEXT NOT NULL DEFAULT '';
"""
"""Version 2: with each game, what describes its cards."""

STEPS = (SCHEMA, MANIFESTS)
VERSION = len(STEPS)


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The schema's version in the file, 0 for one still empty; `JournalError` for another program's or a newer one."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application_id != APPLICATION_ID and not (empty and application_id == version == 0):
        raise JournalError(f"{path} is a database of another program: give the journal a file of its own")
    if version > VERSION:
        raise JournalError(
            f"journal {path} was written by a newer taptable (schema {version}; this one knows {VERSION}): "
            "update taptable; the file was not changed"
        )
    return version


def bring_up(connection: sqlite3.Connection, version: int, to: int = VERSION) -> None:
    """Take the tables from `version` to another, in one transaction."""
    if version < to:
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {to};"
        connection.executescript("\n".join(("BEGIN IMMEDIATE;", *STEPS[version:to], marks, "COMMIT;")))


def statements(connection: sqlite3.Connection) -> set[str]:
    """What the file's tables and indexes were made with."""
    return {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}


def expected_statements(version: int = VERSION) -> set[str]:
    """What a file of this version is made with."""
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    try:
        bring_up(fresh, 0, version)
        return statements(fresh)
    finally:
        fresh.close()
