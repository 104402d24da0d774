"""Journals of earlier versions: read as they are, and taken further by who goes on writing them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from journal_samples import EVENING, HEADER, expected, observed, told, write
from taptable.core.errors import JournalError
from taptable.memory import database
from taptable.memory.game_export import text_of, transcript_in
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader, check, transcript_of

MANIFEST = json.dumps({"game": "xnet", "name": "Übung", "topics": {}}, ensure_ascii=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def begin_first_version(path: Path) -> None:
    """A journal as the first version began it, with a game and two of its entries."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(database.SCHEMA)
        connection.execute(f"PRAGMA application_id = {database.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute(
            "INSERT INTO games (begun_at_us, begun_utc, game, edition, players, settings, starter, language, deck,"
            " rules_version, heir) VALUES (0, ?, 'online', 'de', 4, ?, NULL, 'de', 'family', 'online/1', NULL)",
            (HEADER.begun_utc, json.dumps(HEADER.settings)),
        )
        for entry in (observed(1), observed(2)):
            connection.execute(
                "INSERT INTO entries (game_id, at_us, kind, line, answer) VALUES (1, ?, 'observation', ?, ?)",
                (entry.at_us, json.dumps(entry.line), json.dumps(entry.answer)),
            )


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_a_journal_of_the_first_version_is_read_and_not_changed(path: Path) -> None:
    begin_first_version(path)
    before = path.read_bytes()
    with JournalReader.open(path) as journal:
        assert told(journal) == expected(((HEADER, observed(1), observed(2)),))
        assert journal.game(1).header.manifest == ""
    assert check(path) == ()
    assert (path.read_bytes(), version(path)) == (before, 1)


def test_who_writes_takes_it_further_and_nothing_of_it_is_lost(path: Path) -> None:
    begin_first_version(path)
    described = replace(HEADER, at_us=3, game="xnet", manifest=MANIFEST)
    with Journal.open(path) as journal:
        journal.append(described, observed(4))
        assert told(journal) == expected(((HEADER, observed(1), observed(2), described, observed(4)),))
    assert version(path) == 2
    assert check(path) == ()
    with JournalReader.open(path) as journal:
        assert [game.header.manifest for game in journal.games()] == ["", MANIFEST]


def test_a_reader_goes_on_while_another_process_takes_the_journal_further(path: Path) -> None:
    begin_first_version(path)
    with JournalReader.open(path) as reader:
        assert len(reader.games()) == 1
        with Journal.open(path) as journal:
            journal.append(replace(HEADER, at_us=3, manifest=MANIFEST))
        assert [game.header.manifest for game in reader.games()] == ["", MANIFEST]


def test_a_journal_that_was_taken_further_is_as_one_begun_now(path: Path, tmp_path: Path) -> None:
    begin_first_version(path)
    Journal.open(path).close()
    write(tmp_path / "new.sqlite", EVENING[:1])
    made: list[set[str]] = []
    for each in (path, tmp_path / "new.sqlite"):
        with closing(sqlite3.connect(each)) as connection:
            made.append(database.statements(connection))
    assert made[0] == made[1]


def test_an_altered_journal_of_the_first_version_is_still_noticed(path: Path) -> None:
    begin_first_version(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP INDEX entries_by_game")
    (finding,) = check(path)
    assert "a table or index was altered or is missing: CREATE INDEX entries_by_game" in finding


def test_an_export_keeps_the_manifest_and_one_without_is_read(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(replace(HEADER, manifest=MANIFEST))
        text = text_of(transcript_of(journal, 1))
    assert transcript_in(text.encode(), "a file").game.header.manifest == MANIFEST
    told = json.loads(text)
    del told["manifest"]
    assert transcript_in(json.dumps(told).encode(), "a file").game.header == HEADER
    told["manifest"] = 5
    with pytest.raises(JournalError, match="not as an export has them: manifest"):
        transcript_in(json.dumps(told).encode(), "a file")
