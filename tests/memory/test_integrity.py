"""The whole look through a journal: what `Journal` promises is there, and what isn't is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from journal_samples import tap_entry, write
from taptable.memory.integrity import check
from taptable.memory.journal import Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    write(path)
    return path


def test_a_sound_journal_has_no_findings_also_while_it_is_written(path: Path) -> None:
    assert check(path) == ()
    with Journal.open(path) as journal:
        journal.append(tap_entry(10_000_000))
        assert check(path) == ()


def test_a_journal_that_was_only_begun_is_sound(tmp_path: Path) -> None:
    Journal.open(tmp_path / "fresh.sqlite").close()
    assert check(tmp_path / "fresh.sqlite") == ()


def test_a_journal_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    assert check(tmp_path / "none.sqlite") == (f"there is no journal at {tmp_path / 'none.sqlite'} yet",)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (
            "UPDATE entries SET at_us = 500000 WHERE id = 2",
            "an entry of game 1 at 500000 µs stands after one at 1000000 µs",
        ),
        ("UPDATE games SET begun_at_us = 7 WHERE id = 2", "game 2 began at 7 µs, before what stands before it"),
        ("UPDATE entries SET line = '{' WHERE id = 1", "is damaged"),
        ("UPDATE entries SET kind = 'guess' WHERE id = 1", "is damaged"),
        ("DELETE FROM games WHERE id = 2", "belongs to no row of games"),
        ("DROP INDEX entries_by_origin", "was altered or is missing: CREATE UNIQUE INDEX entries_by_origin"),
    ],
)
def test_what_nobody_could_have_written_is_found(path: Path, change: str, finding: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(change)
    assert any(finding in found for found in check(path)), check(path)


def test_an_index_that_tells_of_another_row_is_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entries_by_game'").fetchone()[0]
        page = connection.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    assert data[root * page - 1] in {0, 1, 9}, "the page ends in its first entry"
    data[root * page - 1] = 0x55
    path.write_bytes(data)
    assert any(found.startswith("SQLite: ") for found in check(path)), check(path)
