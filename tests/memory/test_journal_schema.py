"""The journal's schema at every open: a flipped bit in it, and things that somebody else put there. The table continues
or keeps the file aside, and the next start never fails."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from journal_samples import EVENING, HEADER, expected_contents, read_contents, tap_entry, write
from taptable.core.errors import JournalError
from taptable.memory.database import JournalDamaged
from taptable.memory.integrity import check
from taptable.memory.journal import Journal, lock_file_of
from taptable.memory.journal_reader import JournalReader

ASIDE = "kept aside"
PAGE = 4096
HEADER_BYTES = 100
LATER = replace(HEADER, at_us=10**12), tap_entry(10**12)


def outcomes(folder: Path, flips: Iterable[tuple[int, int]]) -> Counter[str]:
    """The results of a journal with each of these bits flipped, at two starts of a table."""
    sound, path = folder / "sound.sqlite", folder / "journal.sqlite"
    write(sound)
    whole, found = sound.read_bytes(), Counter[str]()
    for place, bit in flips:
        lock_file_of(path).touch()  # by which a table knows that this was its journal
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        for _ in range(2):
            try:
                with Journal.open(path) as journal:
                    journal.append(*LATER)
                    assert read_contents(journal)
                found["went on"] += 1
            except JournalError as error:
                found[what_is_said(error, bytes(flipped)) or f"bit {bit} of byte {place}: {error}"] += 1
        for file in folder.glob("journal.sqlite*"):
            file.unlink()
    assert found.keys() <= {"went on", ASIDE}
    return found


def what_is_said(error: JournalError, flipped: bytes) -> str | None:
    """Whether the journal was kept aside as it was."""
    kept = error.moved_to if isinstance(error, JournalDamaged) else None
    return ASIDE if kept is not None and kept.read_bytes() == flipped else None


def test_with_any_bit_of_the_header_flipped_the_table_starts(tmp_path: Path) -> None:
    found = outcomes(tmp_path, [(place, place % 8) for place in range(HEADER_BYTES)] + [(18, bit) for bit in range(8)])
    assert found[ASIDE] > 20


@pytest.mark.long
def test_with_each_bit_of_the_header_flipped_the_table_starts(tmp_path: Path) -> None:
    outcomes(tmp_path, [(place, bit) for place in range(HEADER_BYTES) for bit in range(8)])


@pytest.mark.parametrize("count", [200, pytest.param(3000, marks=pytest.mark.long)])
def test_with_any_bit_of_the_schema_flipped_the_table_starts(tmp_path: Path, count: int) -> None:
    chance = Random(count)
    found = outcomes(tmp_path, [(chance.randrange(HEADER_BYTES, PAGE), chance.randrange(8)) for _ in range(count)])
    assert found[ASIDE] > count / 5


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
COLUMNS = "id INTEGER PRIMARY KEY, game_id, at_us, kind, line, answer, board, boot, number, digest"
BROUGHT = {
    "a view in a table's place": (
        "DROP TABLE entries",
        f"CREATE VIEW entries AS SELECT ({ENDLESS}) AS id, 1 AS game_id, 1 AS at_us, 'note' AS kind, NULL AS line,"
        " NULL AS answer, NULL AS board, NULL AS boot, NULL AS number, '' AS digest",
    ),
    "a view beside them": (f"CREATE VIEW more AS {ENDLESS}",),
    "a trigger": (f"CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT ({ENDLESS}); END",),
    "an index": ("CREATE UNIQUE INDEX more ON entries (kind) WHERE kind = 'observation' AND id > 1000",),
    "a virtual table": ("CREATE VIRTUAL TABLE more USING fts5 (x)",),
    "another table's columns": ("DROP TABLE entries", f"CREATE TABLE entries ({COLUMNS})"),
    "a generated column": ("ALTER TABLE games ADD COLUMN more BLOB GENERATED ALWAYS AS (zeroblob(1000000000))",),
    "none of it": ("DROP TABLE identity",),
    "no tables": ("DROP TABLE identity", "DROP TABLE entries", "DROP TABLE games"),
    "a name that is a command": ('CREATE VIEW "\x1b[2J\n" AS SELECT 1',),
}


@pytest.mark.parametrize("what", BROUGHT)
def test_what_no_journal_has_is_refused_before_it_is_looked_into(tmp_path: Path, what: str) -> None:
    path = tmp_path / "journal.sqlite"
    write(path)
    with closing(sqlite3.connect(path)) as connection:
        for statement in BROUGHT[what]:
            connection.execute(statement)
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match="its tables aren't those of a journal: ") as caught:
        JournalReader.open(path)
    assert "\x1b" not in str(caught.value)
    assert check(path)
    assert path.read_bytes() == before
    with pytest.raises(JournalDamaged, match="it was moved aside to"):
        Journal.open(path)
    write(path)


def test_further_tables_and_statistics_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    write(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE my_own (x TEXT)")
        connection.execute("ANALYZE")
        connection.commit()
    with Journal.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)
        journal.append(*LATER)
    assert check(path) == ()
