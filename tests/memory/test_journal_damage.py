"""A file that is no journal, a newer one, or a damaged one: named, kept, and never overwritten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from journal_samples import EVENING, HEADER, expected_contents, read_contents, tap_entry, write
from taptable.core.errors import JournalError
from taptable.memory.database import JournalDamaged, wal_file_of
from taptable.memory.integrity import check
from taptable.memory.journal import Journal, lock_file_of
from taptable.memory.journal_reader import JournalReader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


# other versions, other files


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    write(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 4")
    before = path.read_bytes()
    for opening in (Journal.open, JournalReader.open):
        with pytest.raises(JournalError, match=r"newer taptable \(schema 4; this one knows 3\): update taptable"):
            opening(path)
    assert path.read_bytes() == before
    assert check(path) != ()


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    for opening in (Journal.open, JournalReader.open):
        with pytest.raises(JournalError, match="a database of another program"):
            opening(path)
    assert path.read_bytes() == before


def test_a_file_that_never_was_a_journal_is_not_moved_away(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[journal]\n")
    for _ in range(2):
        with pytest.raises(JournalError, match="is no journal: give the journal a file of its own"):
            Journal.open(path)
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    write(path)
    with JournalReader.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)


# damage


def damaged_by(path: Path, place: int, bytes_: bytes) -> bytes:
    """Write a journal and then over it; what it is now."""
    write(path)
    data = path.read_bytes()
    path.write_bytes(data[:place] + bytes_ + data[place + len(bytes_) :])
    return path.read_bytes()


@pytest.mark.parametrize("place", [0, 100, 4096], ids=["its mark", "its schema", "its games"])
def test_a_damaged_journal_is_named_and_kept_and_the_next_start_begins_another(path: Path, place: int) -> None:
    damaged = damaged_by(path, place, b"\xa5" * 2000)
    with pytest.raises(JournalDamaged) as caught:
        Journal.open(path)
    kept = path.with_name("journal.sqlite.damaged-1")
    assert caught.value.moved_to == kept
    assert str(path) in str(caught.value)
    assert "and a new journal begins in its place" in str(caught.value)
    assert kept.read_bytes() == damaged
    with Journal.open(path) as journal:
        assert journal.games() == []
        assert kept.exists()


def test_a_second_damaged_journal_does_not_take_the_firsts_name(path: Path) -> None:
    for _ in range(2):
        damaged_by(path, 0, bytes(200))
        with pytest.raises(JournalDamaged):
            Journal.open(path)
    assert {"journal.sqlite.damaged-1", "journal.sqlite.damaged-2"} <= {file.name for file in path.parent.iterdir()}


def test_the_wal_of_a_damaged_journal_is_kept_with_it(path: Path) -> None:
    write(path)
    with Journal.open(path) as journal:
        journal.append(tap_entry(10_000_000))
        wal = wal_file_of(path).read_bytes()
        dead = path.with_name("dead.sqlite")
        dead.write_bytes(path.read_bytes()[:4096].ljust(path.stat().st_size, b"\xa5"))
        wal_file_of(dead).write_bytes(wal)
    with pytest.raises(JournalDamaged):
        Journal.open(dead)
    assert dead.with_name("dead.sqlite.damaged-1-wal").read_bytes() == wal


@pytest.mark.parametrize("there", [True, False], ids=["empty", "gone"])
def test_a_wal_whose_journal_is_empty_or_gone_is_kept(path: Path, there: bool) -> None:
    with Journal.open(path) as journal:
        journal.append(HEADER)
        wal = wal_file_of(path).read_bytes()
        dead = path.with_name("dead.sqlite")
        wal_file_of(dead).write_bytes(wal)
    if there:
        dead.touch()
    with pytest.raises(JournalError, match="no journal at"):
        JournalReader.open(dead)
    with pytest.raises(JournalDamaged, match="its file is gone or empty, its WAL is not"):
        Journal.open(dead)
    assert dead.with_name("dead.sqlite.damaged-1-wal").read_bytes() == wal


def test_readers_name_damage_and_change_nothing(path: Path) -> None:
    damaged = damaged_by(path, 0, bytes(200))
    with pytest.raises(JournalDamaged, match="nothing was changed"):
        JournalReader.open(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET line = '{\"tap\"' WHERE id = 14",
        "UPDATE entries SET line = '[1]' WHERE id = 14",
        "UPDATE entries SET line = CAST(x'22ff22' AS TEXT) WHERE id = 14",
        "UPDATE entries SET kind = 'guess' WHERE id = 14",
        "UPDATE entries SET boot = NULL WHERE id = 14",
        "UPDATE games SET settings = 'x' WHERE id = 2",
        "UPDATE games SET heir = '{' WHERE id = 2",
    ],
)
def test_a_last_game_that_cannot_be_replayed_is_damage(path: Path, change: str) -> None:
    write(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(change).rowcount == 1
    assert check(path) != ()
    with pytest.raises(JournalDamaged):
        Journal.open(path)


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_damaged_it_is_a_journal_or_a_journal_error(tmp_path: Path, data: st.DataObject) -> None:
    sound = tmp_path / "sound.sqlite"
    if not sound.exists():
        write(sound)
    whole = sound.read_bytes()
    damaged = bytearray(whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(1, len(whole))))])
    for place, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(damaged) - 1), st.integers(0, 255)), max_size=40)
    ):
        damaged[place] = byte
    path = tmp_path / "damaged.sqlite"
    lock_file_of(path).touch()
    path.write_bytes(damaged)
    assert isinstance(check(path), tuple)
    named = str(path)
    try:
        with Journal.open(path) as journal:
            read_contents(journal)
    except JournalError as error:
        named = str(error)
    assert str(path) in named
    kept = path.with_name("damaged.sqlite.damaged-1")
    assert not kept.exists() or kept.read_bytes() == damaged
    for file in tmp_path.glob("damaged.sqlite*"):
        file.unlink()
