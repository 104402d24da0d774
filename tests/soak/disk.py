"""The disk of an evening: the files that a killed process leaves on it, and those that a power cut leaves, which are
the synced ones. SQLite's syncs aren't visible from here; they follow from its level of synchronisation at each
commit."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from table.hal import Passage
from taptable.memory.database import wal_file_of

Files = Mapping[str, bytes]
EVERY_COMMIT = 2
"""PRAGMA synchronous = FULL."""
FRAME_BYTES = 24 + 4096
"""Bytes of a frame of the WAL, which follows the WAL's header."""
WAL_HEADER_BYTES = 32
SECTOR_BYTES = 512
NEVER_KEPT = "-shm"
"""The file that SQLite makes again at each start."""


class Disk:
    """The disk with a table's folder. `watch` has to receive what passes below the drivers, and the disk has to be
    `installed`."""

    def __init__(self, journal: Path) -> None:
        self._folder = journal.parent
        self._wal = wal_file_of(journal)
        self._own = {journal.name, self._wal.name}
        self._before_commit = b""
        self._unsynced_since: bytes | None = None
        self._sync = os.fsync
        self._synced: dict[int, bytes] = {}
        self._durable: dict[str, int] = {}
        self._armed = 0

    @contextmanager
    def installed(self) -> Generator[None]:
        """While this lasts, note what is synced; the present files count as synced."""
        for path in self._files():
            self._note(path)
        with patch.object(os, "fsync", self._fsync):
            yield

    @contextmanager
    def armed(self) -> Generator[None]:
        """While this lasts, the power may fail in the middle of a commit."""
        self._armed += 1
        try:
            yield
        finally:
            self._armed -= 1

    @contextmanager
    def failing(self, call: str) -> Generator[list[str]]:
        """Let this function of `os` fail for files that aren't the journal's, and yield the names for which it failed.
        Nobody else may have a turn meanwhile."""
        right, failed = getattr(os, call), list[str]()

        def fail(what: Any, *more: Any, **options: Any) -> Any:
            path = Path(f"/proc/self/fd/{what}").resolve() if isinstance(what, int) else Path(what)
            if path.is_relative_to(self._folder) and path.name not in self._own:
                failed.append(path.name)
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return right(what, *more, **options)

        with patch.object(os, call, fail):
            yield failed

    def watch(self, passed: Passage) -> None:
        """A commit passes."""
        if passed.what == "before COMMIT":
            full = _level(passed.about) >= EVERY_COMMIT
            if self._armed or not full:
                self._before_commit = self._wal.read_bytes() if self._wal.exists() else b""
            if not full and self._unsynced_since is None:
                self._unsynced_since = self._before_commit
        elif passed.what == "after COMMIT" and _level(passed.about) >= EVERY_COMMIT:
            self._unsynced_since = None

    def left(self) -> Files:
        """The files that a process leaves if it is killed now."""
        return {self._name(path): path.read_bytes() for path in self._files()}

    def synced(self, *, torn: float | None = None) -> Files:
        """The files that are left if the power fails now; with `torn`, if it fails in the last commit, of which this
        share was written."""
        left = dict(self.left())
        known = {name: self._synced.get(number, b"") for name, number in self._durable.items()}
        left = {name: content for name, content in left.items() if name in self._own} | {
            name: content for name, content in known.items() if name not in self._own
        }
        before = self._before_commit if torn is not None else self._unsynced_since
        if before is not None and self._wal.name in left:
            left[self._wal.name] = _mixed(before, left[self._wal.name], torn or 0.0)
        return left

    def without_last_frames(self, files: Files, frames: int) -> Files:
        """The same without the last frames of the journal, as many as there are."""
        wal = files.get(self._wal.name, b"")
        there = max(0, len(wal) - WAL_HEADER_BYTES) // FRAME_BYTES
        kept = wal[: WAL_HEADER_BYTES + max(0, there - frames) * FRAME_BYTES] if there else wal
        return {**files, self._wal.name: kept}

    def restore(self, files: Files) -> None:
        """Make these the only files."""
        for path in self._all():
            if self._name(path) not in files:
                path.unlink()
        for name, content in files.items():
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
        self._unsynced_since = None
        self._synced.clear()
        self._durable.clear()
        for path in self._files():
            self._note(path)

    def _fsync(self, descriptor: int) -> None:
        about = os.fstat(descriptor)
        if stat.S_ISREG(about.st_mode):
            self._synced[about.st_ino] = Path(f"/proc/self/fd/{descriptor}").read_bytes()
        elif stat.S_ISDIR(about.st_mode):
            folder = Path(f"/proc/self/fd/{descriptor}").resolve()
            if folder.is_relative_to(self._folder.resolve()):
                inside = folder.relative_to(self._folder.resolve())
                here = {name for name in self._durable if Path(name).parent == inside}
                for name in here:
                    del self._durable[name]
                for path in folder.iterdir():
                    if path.is_file() and not path.name.endswith(NEVER_KEPT):
                        self._durable[str(inside / path.name)] = path.stat().st_ino

    def _note(self, path: Path) -> None:
        number = path.stat().st_ino
        self._durable[self._name(path)] = number
        if path.name not in self._own:
            self._synced[number] = path.read_bytes()

    def _files(self) -> list[Path]:
        return [path for path in self._all() if not path.name.endswith(NEVER_KEPT)]

    def _all(self) -> list[Path]:
        return [path for path in self._folder.rglob("*") if path.is_file()]

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._folder))


def _level(connection: sqlite3.Connection) -> int:
    return sqlite3.Connection.execute(connection, "PRAGMA synchronous").fetchone()[0]


def _mixed(before: bytes, after: bytes, share: float) -> bytes:
    """A file with its first bytes as written, up to this share of the change, and the rest as before."""
    mixed = bytearray(before.ljust(len(after), b"\0"))
    sectors = range(0, len(after), SECTOR_BYTES)
    changed = [at for at in sectors if mixed[at : at + SECTOR_BYTES] != after[at : at + SECTOR_BYTES]]
    kept = changed[: int(len(changed) * share)]
    for at in kept:
        mixed[at : at + SECTOR_BYTES] = after[at : at + SECTOR_BYTES]
    end = max(len(before), *(at + SECTOR_BYTES for at in kept)) if kept else len(before)
    return bytes(mixed[:end])
