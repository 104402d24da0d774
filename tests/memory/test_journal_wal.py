"""Killed at any instant: a copy of the WAL, cut or damaged anywhere, opens to a prefix of the commits, each whole."""

from __future__ import annotations

import random
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest
from journal_samples import EVENING, Commit, expected, last_at_us, told
from taptable.memory.database import wal_of
from taptable.memory.journal import Journal
from taptable.memory.reading import JournalReader

WAL_HEADER = 32
FRAME_HEADER = 24


@dataclass(frozen=True)
class Killed:
    """A journal as it lay there when the process died. `ends[n]` is the length of the WAL after the first n commits."""

    journal: Path
    commits: tuple[Commit, ...]
    ends: tuple[int, ...]
    first: int  # commits that were in the file itself already

    @property
    def wal(self) -> bytes:
        return wal_of(self.journal).read_bytes()

    @property
    def frame(self) -> int:
        return FRAME_HEADER + struct.unpack_from(">I", self.wal, 8)[0]

    def frames(self) -> range:
        """Where each frame of the WAL begins, and after the last one its end."""
        return range(WAL_HEADER, self.ends[-1] + 1, self.frame)

    def kept(self, sound: int) -> tuple[Commit, ...]:
        """The commits that are whole in the first `sound` bytes of the WAL."""
        return self.commits[: self.first + sum(end <= sound for end in self.ends)]


@contextmanager
def recorded(folder: Path) -> Iterator[tuple[Path, Journal, list[int]]]:
    """A journal being written, and the lengths its WAL has after each commit."""
    folder.mkdir()
    path = folder / "journal.sqlite"
    ends: list[int] = []
    with Journal.open(path, on_commit=lambda _: ends.append(wal_of(path).stat().st_size)) as journal:
        yield path, journal, ends


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Killed after an evening of which nothing had been moved from the WAL to the file."""
    folder = tmp_path_factory.mktemp("killed")
    with recorded(folder / "live") as (path, journal, ends):
        for commit in EVENING:
            journal.append(*commit)
        shutil.copytree(path.parent, folder / "dead")
    return Killed(folder / "dead" / path.name, EVENING, tuple(ends), 0)


class Open(Protocol):
    def __call__(self, wal: bytes, of: Killed | None = None) -> Journal: ...


@pytest.fixture
def opened(killed: Killed, tmp_path: Path) -> Open:
    """Opens a copy of a killed journal with another WAL."""
    numbers = count()

    def open_with(wal: bytes, of: Killed | None = None) -> Journal:
        path = tmp_path / f"{next(numbers)}.sqlite"
        shutil.copy((of or killed).journal, path)
        wal_of(path).write_bytes(wal)
        return Journal.open(path)

    return open_with


def assert_holds(journal: Journal, commits: tuple[Commit, ...]) -> None:
    """It holds these commits, and is ready for the next."""
    assert told(journal) == expected(commits)
    assert journal.last_at_us() == last_at_us(commits)


def test_the_evening_is_in_the_wal_alone(killed: Killed) -> None:
    assert len(killed.ends) == len(EVENING)
    assert killed.ends[-1] == len(killed.wal)
    assert set(killed.ends) <= set(killed.frames())
    assert len(killed.frames()) > 2 * len(EVENING), "commits of several frames are among them"


def cuts(killed: Killed) -> Iterator[int]:
    """Every end of a frame, the bytes about it, and places inside each frame."""
    yield from range(WAL_HEADER + 1)
    for start in killed.frames():
        yield from (start - 1, start, start + 1)
        yield from (start + FRAME_HEADER - 1, start + FRAME_HEADER, start + killed.frame // 2)


def test_cut_anywhere_it_opens_to_the_commits_that_are_whole(killed: Killed, opened: Open) -> None:
    for cut in sorted({cut for cut in cuts(killed) if cut <= len(killed.wal)}):
        with opened(killed.wal[:cut]) as journal:
            assert_holds(journal, killed.kept(cut))


def test_cut_at_a_commit_exactly_that_commit_is_there(killed: Killed, opened: Open) -> None:
    for number, end in enumerate(killed.ends, start=1):
        with opened(killed.wal[:end]) as journal:
            assert_holds(journal, EVENING[:number])
        with opened(killed.wal[: end - 1]) as journal:
            assert_holds(journal, EVENING[: number - 1])


def test_after_a_cut_the_evening_goes_on(killed: Killed, opened: Open) -> None:
    for number, end in enumerate(killed.ends, start=1):
        with opened(killed.wal[: end + killed.frame // 3]) as journal:
            for commit in EVENING[number:]:
                journal.append(*commit)
            assert_holds(journal, EVENING)


def test_with_a_damaged_frame_it_opens_to_the_commits_before_it(killed: Killed, opened: Open) -> None:
    dice = random.Random(7)
    for start in killed.frames()[:-1]:
        for place in (*(start + field for field in (0, 4, 8, 16)), start + dice.randrange(FRAME_HEADER, killed.frame)):
            wal = bytearray(killed.wal)
            wal[place] ^= 1 << dice.randrange(8)
            with opened(bytes(wal)) as journal:
                assert_holds(journal, killed.kept(start))


@pytest.mark.parametrize("place", range(WAL_HEADER))
def test_with_a_damaged_wal_header_none_of_the_wal_is_believed(killed: Killed, opened: Open, place: int) -> None:
    wal = bytearray(killed.wal)
    wal[place] ^= 0x10
    with opened(bytes(wal)) as journal:
        assert_holds(journal, ())


def test_with_zeros_or_noise_where_the_end_was_it_opens_to_the_commits_before(killed: Killed, opened: Open) -> None:
    dice = random.Random(11)
    for start in killed.frames()[:-1]:
        lost = len(killed.wal) - start
        for rest in (bytes(lost), dice.randbytes(lost)):
            with opened(killed.wal[:start] + rest) as journal:
                assert_holds(journal, killed.kept(start))


def test_with_frames_out_of_order_it_opens_to_the_commits_before(killed: Killed, opened: Open) -> None:
    for start in killed.frames()[:-2]:
        middle, end = start + killed.frame, start + 2 * killed.frame
        wal = killed.wal[:start] + killed.wal[middle:end] + killed.wal[start:middle] + killed.wal[end:]
        with opened(wal) as journal:
            assert_holds(journal, killed.kept(start))


@pytest.fixture(scope="module")
def killed_later(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Killed when half of the commits were in the file, and the WAL had begun anew over its own old frames."""
    folder = tmp_path_factory.mktemp("killed-later")
    with recorded(folder / "live") as (path, journal, _):
        for commit in EVENING[:7]:
            journal.append(*commit)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(FULL)")
        for commit in EVENING[7:]:
            journal.append(*commit)
        shutil.copytree(path.parent, folder / "dead")
    dead = folder / "dead" / path.name
    return Killed(dead, EVENING, ends_of_commits(wal_of(dead).read_bytes()), 7)


def ends_of_commits(wal: bytes) -> tuple[int, ...]:
    """Where the commits end that were written since the WAL last began anew, by SQLite's file format."""
    page, salts = struct.unpack_from(">I", wal, 8)[0], wal[16:24]
    frames = range(WAL_HEADER, len(wal), FRAME_HEADER + page)
    own = [start for start in frames if wal[start + 8 : start + 16] == salts]
    return tuple(start + FRAME_HEADER + page for start in own if struct.unpack_from(">I", wal, start + 4)[0])


def test_old_frames_behind_the_new_ones_are_not_believed(killed_later: Killed, opened: Open) -> None:
    assert len(killed_later.ends) == len(EVENING) - 7
    assert killed_later.ends[-1] < len(killed_later.wal), "old frames are still there"
    for cut in sorted({cut for cut in cuts(killed_later) if cut <= len(killed_later.wal)}):
        with opened(killed_later.wal[:cut], killed_later) as journal:
            assert_holds(journal, killed_later.kept(cut))


def test_a_reader_sees_the_same_prefix_and_changes_nothing(killed: Killed, tmp_path: Path) -> None:
    for number, end in enumerate(killed.ends, start=1):
        path = tmp_path / f"{number}.sqlite"
        shutil.copy(killed.journal, path)
        wal_of(path).write_bytes(killed.wal[: end + 100])
        with JournalReader.open(path) as journal:
            assert told(journal) == expected(EVENING[:number])
        assert path.read_bytes() == killed.journal.read_bytes()
        assert wal_of(path).read_bytes() == killed.wal[: end + 100]


def test_killed_while_commits_are_moved_to_the_file_nothing_is_lost(
    killed: Killed, opened: Open, tmp_path: Path
) -> None:
    """The WAL is whole and the file has any of its pages, old or new."""
    moved = tmp_path / "moved.sqlite"
    shutil.copy(killed.journal, moved)
    wal_of(moved).write_bytes(killed.wal)
    Journal.open(moved).close()
    old, new = killed.journal.read_bytes(), moved.read_bytes()
    page = killed.frame - FRAME_HEADER
    dice = random.Random(13)
    for number in range(20):
        some = bytearray(old.ljust(len(new), b"\0"))
        for start in range(0, len(new), page):
            if dice.random() < number / 20:
                some[start : start + page] = new[start : start + page]
        half = tmp_path / f"half-{number}.sqlite"
        half.write_bytes(some[: dice.choice((len(new), len(old)))] if number == 0 else some)
        with opened(killed.wal, Killed(half, EVENING, killed.ends, 0)) as journal:
            assert_holds(journal, EVENING)
