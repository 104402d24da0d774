"""The journal's file among others: one writer, readers, a full disk, no right to write. Nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from journal_samples import EVENING, HEADER, Commit, expected_contents, read_contents, tap_entry, write
from processes import folder_for_all, no_file_larger_than, started, without_privileges
from taptable.core.errors import DeckError, JournalError, MembersError, PairingsError
from taptable.memory.database import JournalFull, connect_to_write, translating_errors, wal_file_of
from taptable.memory.decks import Decks
from taptable.memory.durable import is_on_read_only_disk
from taptable.memory.integrity import check
from taptable.memory.journal import Journal, lock_file_of
from taptable.memory.journal_reader import JournalReader
from taptable.memory.members import MemberStore
from taptable.memory.pairings import Pairings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


# one writer, any number of readers


def test_a_second_writer_is_refused_and_readers_are_not(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(HEADER)
        with pytest.raises(JournalError, match=r"journal .*journal.sqlite is being written by process \d+"):
            Journal.open(path)
        with JournalReader.open(path) as reader:
            journal.append(tap_entry(1))
            assert read_contents(reader) == expected_contents(((HEADER, tap_entry(1)),))
    Journal.open(path).close()


def test_a_reader_in_the_middle_of_a_game_sees_what_is_written_meanwhile(path: Path) -> None:
    entries = [tap_entry(at_us) for at_us in range(600)]
    with Journal.open(path) as journal:
        journal.append(HEADER, *entries[:300])
        with JournalReader.open(path) as reader:
            seen = reader.entries(1)
            begun = [next(seen) for _ in range(10)]
            for entry in entries[300:]:
                journal.append(entry)
            assert [*begun, *seen] == entries


WRITER = """
import sys
from pathlib import Path
from journal_samples import EVENING
from taptable.memory.journal import Journal

journal = Journal.open(Path(sys.argv[1]))
for commit in EVENING[:5]:
    journal.append(*commit)
print("written", flush=True)
sys.stdin.read()
"""


def test_a_writer_that_was_killed_leaves_its_commits_and_makes_room_for_the_next(path: Path) -> None:
    with started(WRITER, path) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "written\n"
        with pytest.raises(JournalError, match=f"by process {writer.pid}:"):
            Journal.open(path)
        writer.kill()
        writer.wait()
    with Journal.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING[:5])


def test_another_program_that_holds_the_file_is_named_and_nothing_is_lost(path: Path) -> None:
    with Journal.open(path) as journal, closing(sqlite3.connect(path, isolation_level=None)) as other:
        journal.append(HEADER)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="held by another program"):
            journal.append(tap_entry(1))
        other.execute("ROLLBACK")
        journal.append(tap_entry(1))
        assert read_contents(journal) == expected_contents(((HEADER, tap_entry(1)),))


def test_a_commit_is_on_the_disk_when_it_returns(path: Path) -> None:
    with closing(connect_to_write(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


# no room


def fill(journal: Journal, kept: list[Commit]) -> None:
    """Append commits of two entries each, noting those that were, until there is no room."""
    for at_us in range(100):
        commit = tuple(tap_entry(at_us, number, padding=1000) for number in (2 * at_us, 2 * at_us + 1))
        journal.append(*commit)
        kept.append(commit)


def test_with_no_room_nothing_is_half_written_and_it_goes_on_when_there_is_room(path: Path) -> None:
    kept: list[Commit] = [(HEADER,)]
    with Journal.open(path) as journal:
        journal.append(HEADER)
        with no_file_larger_than(wal_file_of(path).stat().st_size + 30_000):
            with pytest.raises(JournalError, match=r"journal\.sqlite"):
                fill(journal, kept)
            assert 1 < len(kept) < 100
            with pytest.raises(JournalError):
                journal.append(tap_entry(200, padding=5000))
            assert read_contents(journal) == expected_contents(tuple(kept))
        kept.append((tap_entry(200, padding=5000),))
        journal.append(*kept[-1])
        assert read_contents(journal) == expected_contents(tuple(kept))
    with JournalReader.open(path) as reader:
        assert read_contents(reader) == expected_contents(tuple(kept))


def test_a_full_disk_is_called_so(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("PRAGMA max_page_count = 3")
        with pytest.raises(JournalFull, match="make room on its disk"), translating_errors(path):
            connection.execute("INSERT INTO t VALUES (zeroblob(100000))")


REAL_DISK = """
import sys
from pathlib import Path
from journal_samples import HEADER, tap_entry, read_contents, expected_contents
from taptable.memory.database import JournalFull
from taptable.memory.journal import Journal

folder = Path(sys.argv[1])
ballast = folder / "ballast"
ballast.write_bytes(bytes(150_000))
path = folder / "journal.sqlite"
kept = [(HEADER,)]
with Journal.open(path) as journal:
    journal.append(HEADER)
    try:
        for at_us in range(1000):
            journal.append(tap_entry(at_us, padding=500))
            kept.append((tap_entry(at_us, padding=500),))
    except JournalFull as error:
        print(error)
    assert read_contents(journal) == expected_contents(tuple(kept))
    ballast.unlink()
    journal.append(tap_entry(1000))
    kept.append((tap_entry(1000),))
with Journal.open(path) as journal:
    assert read_contents(journal) == expected_contents(tuple(kept))
print(1 < len(kept) < 1000)
"""


def test_a_disk_that_really_is_full(tmp_path: Path) -> None:
    """On a small disk of its own, where the system lets an ordinary user have one."""
    namespace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=400k none '{tmp_path}'"
    if not shutil.which("unshare") or subprocess.run([*namespace, mount], capture_output=True).returncode:
        pytest.skip("no user namespaces with tmpfs here")
    told_by = started(REAL_DISK, tmp_path, before=[*namespace, f'{mount} && exec "$@"', "sh"])
    said, _ = told_by.communicate()
    assert said.endswith("True\n")
    assert "can't grow" in said
    assert told_by.returncode == 0


# no right to write


def test_in_a_folder_that_cannot_be_written_it_is_read_and_not_written() -> None:
    with folder_for_all() as folder:
        path = folder / "journal.sqlite"
        write(path)
        lock_file_of(path).unlink()
        path.chmod(0o644)
        folder.chmod(0o555)
        with without_privileges():
            with pytest.raises(JournalError, match="can't be written"):
                Journal.open(path)
            with JournalReader.open(path) as reader:
                assert read_contents(reader) == expected_contents(EVENING)
            assert check(path) == ()


def mounts(folder: Path, of_mount: str, of_disk: str) -> Path:
    """A list of mounts as the kernel gives it, with the disk that the folder is on among others."""
    disk = folder.stat().st_dev
    file = folder / "mountinfo"
    file.write_text(
        "21 1 0:999 / /boot ro,noatime shared:1 - vfat /dev/mmcblk0p1 ro\n"
        f"22 1 {os.major(disk)}:{os.minor(disk)} / / {of_mount},noatime shared:2 master:1 - ext4 /dev/root {of_disk}\n"
    )
    return file


SAID = "its disk has become read-only, as that of a failing SD card does: save what is on it, and take another card"


def test_a_disk_that_has_become_read_only_is_named_as_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    with folder_for_all() as folder:
        path = folder / "journal.sqlite"
        write(path)
        monkeypatch.setattr("taptable.memory.durable.MOUNTS", mounts(folder, "rw", "ro,errors=remount-ro"))
        with Journal.open(path) as journal:
            # as SQLite says it in the middle of a game
            journal._connection.execute("PRAGMA query_only = 1")
            with pytest.raises(JournalError, match=f"^journal {path.resolve()} can't be written: {SAID}$"):
                journal.check_writable()
        decks = Decks(folder)
        deck = decks.get_or_new("family", "online")
        members, pairings = MemberStore(folder / "members.json"), Pairings(folder / "pairings.json")
        folder.chmod(0o555)
        lock_file_of(path).chmod(0o444)
        with without_privileges():
            with pytest.raises(JournalError, match=f"can't be written: {SAID}"):
                Journal.open(path)
            with pytest.raises(DeckError, match=SAID):
                decks.save(replace(deck, cards={"email#1": "04a2b3c4d5e680"}))
            with pytest.raises(MembersError, match=SAID):
                members.add("Ada", "#102030", "name")
            with pytest.raises(PairingsError, match=SAID):
                pairings.add("Ada", datetime.now(UTC))


def test_a_folder_that_is_closed_to_the_service_alone_is_on_a_disk_that_can_be_written(tmp_path: Path) -> None:
    # systemd's ProtectSystem= mounts it read-only, for this process only
    assert not is_on_read_only_disk(tmp_path, mounts(tmp_path, "ro", "rw,errors=remount-ro"))
    assert is_on_read_only_disk(tmp_path / "journal.sqlite", mounts(tmp_path, "ro", "ro"))
    assert not is_on_read_only_disk(tmp_path / "nowhere" / "journal.sqlite", mounts(tmp_path, "ro", "ro"))
    assert not is_on_read_only_disk(tmp_path, tmp_path / "nothing")


def test_what_it_keeps_is_nobody_elses_and_so_is_what_an_older_table_left_open() -> None:
    with folder_for_all() as folder:
        path = folder / "journal.sqlite"
        for _ in range(2):
            with Journal.open(path) as journal:
                journal.append(HEADER)
                assert [file.stat().st_mode & 0o777 for file in (path, wal_file_of(path))] == [0o600, 0o600]
                with without_privileges(), pytest.raises(JournalError, match="can't be opened"):
                    JournalReader.open(path)
            path.chmod(0o644)


def test_what_was_not_closed_is_not_half_read_from_a_folder_that_cannot_be_written() -> None:
    with folder_for_all() as folder:
        (folder / "copy").mkdir()
        copy = folder / "copy" / "journal.sqlite"
        with Journal.open(folder / "journal.sqlite") as journal:
            journal.append(HEADER)
            shutil.copy(journal.path, copy)
            shutil.copy(wal_file_of(journal.path), wal_file_of(copy))
        copy.chmod(0o644)
        copy.parent.chmod(0o555)
        with without_privileges(), pytest.raises(JournalError, match=r"copy it together with journal.sqlite-wal"):
            JournalReader.open(copy)
        copy.parent.chmod(0o755)
        with JournalReader.open(copy) as reader:
            assert read_contents(reader) == expected_contents(((HEADER,),))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"can't be written: No such file or directory .*nowhere"):
        Journal.open(tmp_path / "nowhere" / "journal.sqlite")


def test_a_folder_in_the_place_of_the_journal_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="can't be opened: Is a directory"):
        Journal.open(tmp_path)


def test_reading_where_there_is_no_journal_yet_makes_none(path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal at"):
        JournalReader.open(path)
    assert not path.exists()
