"""Journals of earlier versions: readers read them as they are, and a writer migrates them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from journal_samples import EVENING, HEADER, expected_contents, read_contents, tap_entry, write
from processes import started
from taptable.core.errors import JournalError
from taptable.memory import database
from taptable.memory import journal as journal_module
from taptable.memory.database import JournalDamaged
from taptable.memory.digest import EMPTY_DIGEST, digest_after
from taptable.memory.game_export import export_text, transcript_in
from taptable.memory.integrity import check
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.records import Entry
from taptable.memory.stream import digest_at, identity_of, records_after

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
        for entry in (tap_entry(1), tap_entry(2)):
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
        assert read_contents(journal) == expected_contents(((HEADER, tap_entry(1), tap_entry(2)),))
        assert journal.game(1).header.manifest == ""
    assert check(path) == ()
    assert (path.read_bytes(), version(path)) == (before, 1)


def test_who_writes_takes_it_further_and_nothing_of_it_is_lost(path: Path) -> None:
    begin_first_version(path)
    described = replace(HEADER, at_us=3, game="xnet", manifest=MANIFEST)
    with Journal.open(path) as journal:
        journal.append(described, tap_entry(4))
        assert read_contents(journal) == expected_contents(
            ((HEADER, tap_entry(1), tap_entry(2), described, tap_entry(4)),)
        )
    assert version(path) == 3
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
    made: list[frozenset[database.SchemaPart]] = []
    for each in (path, tmp_path / "new.sqlite"):
        with closing(sqlite3.connect(each)) as connection:
            made.append(database.schema_of(connection))
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
        text = export_text(transcript_of(journal, 1))
    assert transcript_in(text.encode(), "a file").game.header.manifest == MANIFEST
    told = json.loads(text)
    del told["manifest"]
    assert transcript_in(json.dumps(told).encode(), "a file").game.header == HEADER
    told["manifest"] = 5
    with pytest.raises(JournalError, match="not as an export has them: manifest"):
        transcript_in(json.dumps(told).encode(), "a file")


SAMPLES = Path(__file__).parents[1] / "samples"


def copy_of(sample: str, folder: Path) -> Path:
    """A journal that an earlier taptable wrote, as it was when it was killed."""
    for file in SAMPLES.glob(f"{sample}.sqlite*"):
        shutil.copy(file, folder)
    return folder / f"{Path(sample).name}.sqlite"


def lowered(path: Path, to: int) -> None:
    """Make a journal one of an earlier schema again."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE identity")
        for table in ("games", "entries"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN digest")
        connection.execute(f"PRAGMA user_version = {to}")


@pytest.mark.parametrize("sample", ["schema-1/online", "0.1.0/online", "0.1.0/cyber-siege", "0.1.0/xnet"])
def test_a_journal_of_a_release_gets_identity_and_digests_and_nothing_else_changes(tmp_path: Path, sample: str) -> None:
    path = copy_of(sample, tmp_path)
    with JournalReader.open(path) as journal:
        before = read_contents(journal)
        assert journal.version < database.FIRST_VERSION_WITH_IDENTITY
        with pytest.raises(JournalError, match="no identity yet"):
            identity_of(journal)
    assert check(path) == ()
    with Journal.open(path) as journal:
        assert read_contents(journal) == before
        digest = EMPTY_DIGEST
        for text in records_after(journal, journal.identity.salt, 0, 10**6, 2**40):
            digest = digest_after(digest, text)
        assert digest == digest_at(journal, journal.last_ids()[1])
        journal.append(Entry(journal.last_at_us(), "note", {"note": "on we go"}))
    assert version(path) == database.VERSION
    assert check(path) == ()


@pytest.mark.parametrize("sample", ["online", "cyber-siege", "xnet"])
def test_a_journal_of_the_last_release_is_as_one_of_now(tmp_path: Path, sample: str) -> None:
    path = copy_of(f"0.3.0/{sample}", tmp_path)
    assert (version(path), check(path)) == (database.VERSION, ())
    with JournalReader.open(path) as journal:
        before = read_contents(journal)
    with Journal.open(path) as journal:
        assert read_contents(journal) == before


def test_a_later_version_keeps_the_identity_and_the_digests(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path)
    with JournalReader.open(path) as reader:
        before = identity_of(reader), digest_at(reader, reader.last_ids()[1])
    later = database.VERSION + 1
    monkeypatch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, "CREATE TABLE more (x TEXT) STRICT;\n"))
    for module in (database, journal_module):
        monkeypatch.setattr(module, "VERSION", later)
    with Journal.open(path) as journal:
        assert (journal.identity, digest_at(journal, journal.last_ids()[1])) == before
    assert version(path) == later


def test_there_is_a_sample_of_every_version_of_the_schema(tmp_path: Path) -> None:
    found = [version(copy_of(f"{folder.name}/online", tmp_path)) for folder in SAMPLES.iterdir() if folder.is_dir()]
    assert set(found) == {*range(1, database.VERSION + 1)}


def test_a_journal_of_a_newer_taptable_is_refused_in_a_sentence_and_left_as_it_is(tmp_path: Path) -> None:
    path = copy_of("0.3.0/online", tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {database.VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"by a newer taptable .*: update taptable; the file was not changed"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_journal_of_the_second_version_is_read_as_it_is_and_taken_further(path: Path) -> None:
    write(path)
    lowered(path, 2)
    with JournalReader.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)
    assert check(path) == ()
    with Journal.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)
    assert (version(path), check(path)) == (database.VERSION, ())
    with closing(sqlite3.connect(path)) as connection:
        assert database.schema_of(connection) == database.expected_schema()


KILLED = """
import os, sys
from pathlib import Path
from taptable.memory import journal
from taptable.memory.stream import digest_chain

def some(*whole):
    for number, link in enumerate(digest_chain(*whole)):
        if number == int(sys.argv[2]):
            print("half", flush=True)
            os.kill(os.getpid(), 9)
        yield link

journal.digest_chain = some
journal.Journal.open(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("after", [0, 9])
def test_killed_while_it_takes_a_journal_further_a_table_leaves_the_schema_of_before(path: Path, after: int) -> None:
    write(path)
    lowered(path, 2)
    killed = started(KILLED, path, after)
    said, _ = killed.communicate()
    assert (said, killed.returncode) == ("half\n", -9)
    assert version(path) == 2
    with JournalReader.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)
    assert check(path) == ()
    Journal.open(path).close()
    assert (version(path), check(path)) == (database.VERSION, ())


def test_a_row_of_an_earlier_game_that_nobody_wrote_counts_as_empty_and_the_table_goes_on(path: Path) -> None:
    write(path)
    lowered(path, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE entries SET line = '{' WHERE id = 2")
    with Journal.open(path) as journal:
        texts = records_after(journal, journal.identity.salt, 0, 64, 2**20)
        assert [json.loads(text)[1] for text in texts if text.startswith('["entry"')] == [*range(1, 16)]
        assert json.loads(texts[2]) == ["entry", 2, 2_000_000, "note", None, None]


def test_a_journal_whose_damage_shows_only_when_it_is_taken_further_is_kept_aside(path: Path) -> None:
    write(path)
    lowered(path, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE entries SET line = CAST(x'22ff22' AS TEXT) WHERE id = 2")
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match="moved aside to"):
        Journal.open(path)
    assert path.with_name("journal.sqlite.damaged-1").read_bytes() == before
    Journal.open(path).close()
