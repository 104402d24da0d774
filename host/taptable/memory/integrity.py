"""A whole look through a journal, for `taptable doctor` and before a backup: SQLite's own check, and that the rows keep
what `Journal` promises. Reads only, and takes a while on a long journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from taptable.core.errors import JournalError
from taptable.memory.connections import connect_to_read
from taptable.memory.faults import naming
from taptable.memory.reading import JournalReader
from taptable.memory.schema import expected_statements, statements, version_of


def check(path: Path) -> tuple[str, ...]:
    """What is wrong with the journal at `path`, a sentence each; nothing if it is sound."""
    found: list[str] = []
    try:
        with closing(connect_to_read(path)) as connection, naming(path):
            if (version := version_of(connection, path)) > 0:
                for finding in _by_sqlite(connection, version):
                    found.append(finding)
                for finding in _by_promise(JournalReader(path, connection)):
                    found.append(finding)
    except JournalError as error:
        found.append(str(error))
    return tuple(found)


def _by_sqlite(connection: sqlite3.Connection, version: int) -> Iterator[str]:
    """What SQLite finds in pages, indexes and references, and whether the tables are still ours."""
    for (finding,) in connection.execute("PRAGMA integrity_check"):
        if finding != "ok":
            yield f"SQLite: {finding}"
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} belongs to no row of {parent}"
    for statement in sorted(expected_statements(version) - statements(connection)):
        yield f"a table or index was altered or is missing: {statement}"


def _by_promise(journal: JournalReader) -> Iterator[str]:
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
