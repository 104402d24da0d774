"""Checks a whole journal against all that its writer guarantees, and returns a sentence for each finding, for the
doctor. May run while the table writes. Must not change anything, nor know a rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from taptable.core.errors import JournalError
from taptable.memory.database import (
    FIRST_VERSION_WITH_IDENTITY,
    VERSION,
    JournalDamaged,
    connect_to_read,
    expected_schema,
    schema_of,
    translating_errors,
    version_of,
)
from taptable.memory.journal_reader import JournalReader
from taptable.memory.stream import digest_chain, identity_of


def check(path: Path) -> tuple[str, ...]:
    """Return the faults of the journal at `path`, a sentence each; empty if it is sound."""
    found: list[str] = []
    try:
        with closing(connect_to_read(path)) as connection, translating_errors(path):
            try:
                version = version_of(connection, path)
            except JournalDamaged:
                # not examined any further: the foreign content might never end
                for finding in _schema_findings(connection):
                    found.append(finding)
                raise
            if version > 0:
                for finding in _sqlite_findings(connection):
                    found.append(finding)
                journal = JournalReader(path, connection)
                for finding in (*_order_findings(journal), *_digest_findings(journal)):
                    found.append(finding)
    except JournalError as error:
        if not found:
            found.append(str(error))
    return tuple(found)


def _schema_findings(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the parts of the schema that a file of this version should have but doesn't."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for part in sorted(expected_schema(min(max(version, 1), VERSION)) - schema_of(connection)):
        if part.sql:
            yield f"a table or index was altered or is missing: {part.sql}"


def _sqlite_findings(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what SQLite finds wrong in pages, indexes and references."""
    for (finding,) in connection.execute("PRAGMA integrity_check"):
        if finding != "ok":
            yield f"SQLite: {finding}"
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} belongs to no row of {parent}"


def _order_findings(journal: JournalReader) -> Iterator[str]:
    """Yield faults that only the journal can know: every row has to be readable, and times never decrease."""
    last_at_us = 0
    for game in journal.games():
        if game.header.at_us < last_at_us:
            yield f"game {game.id} began at {game.header.at_us} µs, before what stands before it ({last_at_us} µs)"
        last_at_us = game.header.at_us
        for entry in journal.entries(game.id):
            if entry.at_us < last_at_us:
                yield f"an entry of game {game.id} at {entry.at_us} µs stands after one at {last_at_us} µs"
            last_at_us = entry.at_us


def _digest_findings(journal: JournalReader) -> Iterator[str]:
    """Yield the first record that has changed since it was written. All later ones differ because of it."""
    if journal.version < FIRST_VERSION_WITH_IDENTITY:
        return
    for link in digest_chain(journal, identity_of(journal).salt):
        if link.digest != link.stored:
            yield f"row {link.id} of {link.table}, or one before it, isn't as it was written: its digest is another"
            return
