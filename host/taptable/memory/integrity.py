"""A look through the whole journal: what its writer promises is there, and what isn't is named, a sentence each.
Changes nothing, and may run while the table writes."""

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
    """What is wrong with the journal at `path`, a sentence each; nothing if it is sound."""
    found: list[str] = []
    try:
        with closing(connect_to_read(path)) as connection, translating_errors(path):
            try:
                version = version_of(connection, path)
            except JournalDamaged:
                # not looked into any further: what stands there instead might never end
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
    """What a file of the version that it says isn't made with any more."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for part in sorted(expected_schema(min(max(version, 1), VERSION)) - schema_of(connection)):
        if part.sql:
            yield f"a table or index was altered or is missing: {part.sql}"


def _sqlite_findings(connection: sqlite3.Connection) -> Iterator[str]:
    """What SQLite finds in pages, indexes and references."""
    for (finding,) in connection.execute("PRAGMA integrity_check"):
        if finding != "ok":
            yield f"SQLite: {finding}"
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} belongs to no row of {parent}"


def _order_findings(journal: JournalReader) -> Iterator[str]:
    """What only the journal knows: every row can be read, and times never fall."""
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
    """The first record that isn't what it was when it was written; all that follow differ by it."""
    if journal.version < FIRST_VERSION_WITH_IDENTITY:
        return
    for link in digest_chain(journal, identity_of(journal).salt):
        if link.digest != link.stored:
            yield f"row {link.id} of {link.table}, or one before it, isn't as it was written: its digest is another"
            return
