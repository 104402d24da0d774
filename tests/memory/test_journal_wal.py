"""Killed at any instant: a copy of the WAL, cut or damaged anywhere, opens to a prefix of the commits, each whole."""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from journal_samples import EVENING, Commit, expected_contents, last_at_us, read_contents
from taptable.memory.database import wal_file_of
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader

WAL_HEADER = 32
FRAME_HEADER = 24


@dataclass(frozen=True)
class Killed:
    """A journal as it lay there when the process died. `ends[n]` is the length of the WAL after the first n commits."""

    journal: Path
    commits: tuple[Commit, ...]
    ends: tuple[int, ...]

    @property
    def wal(self) -> bytes:
        return wal_file_of(self.journal).read_bytes()

    @property
    def frame(self) -> int:
        return FRAME_HEADER + struct.unpack_from(">I", self.wal, 8)[0]

    def frames(self) -> range:
        """The beginnings of the WAL's frames, and the end of the last one."""
        return range(WAL_HEADER, self.ends[-1] + 1, self.frame)

    def kept(self, sound: int) -> tuple[Commit, ...]:
        """The commits that are whole in the first `sound` bytes of the WAL."""
        return self.commits[: sum(end <= sound for end in self.ends)]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Killed after an evening of which nothing had been moved from the WAL to the file."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "live").mkdir()
    path = folder / "live" / "journal.sqlite"
    ends: list[int] = []
    with Journal.open(path, on_commit=lambda _: ends.append(wal_file_of(path).stat().st_size)) as journal:
        for commit in EVENING:
            journal.append(*commit)
        shutil.copytree(path.parent, folder / "dead")
    return Killed(folder / "dead" / path.name, EVENING, tuple(ends))


Open = Callable[[bytes], Journal]


@pytest.fixture
def opened(killed: Killed, tmp_path: Path) -> Open:
    """Opens a copy of a killed journal with another WAL."""
    numbers = count()

    def open_with(wal: bytes) -> Journal:
        path = tmp_path / f"{next(numbers)}.sqlite"
        shutil.copy(killed.journal, path)
        wal_file_of(path).write_bytes(wal)
        return Journal.open(path)

    return open_with


def assert_holds(journal: Journal, commits: tuple[Commit, ...]) -> None:
    """It holds these commits, and is ready for the next."""
    assert read_contents(journal) == expected_contents(commits)
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


def test_a_reader_sees_the_same_prefix_and_changes_nothing(killed: Killed, tmp_path: Path) -> None:
    for number, end in enumerate(killed.ends, start=1):
        path = tmp_path / f"{number}.sqlite"
        shutil.copy(killed.journal, path)
        wal_file_of(path).write_bytes(killed.wal[: end + 100])
        with JournalReader.open(path) as journal:
            assert read_contents(journal) == expected_contents(EVENING[:number])
        assert path.read_bytes() == killed.journal.read_bytes()
        assert wal_file_of(path).read_bytes() == killed.wal[: end + 100]
