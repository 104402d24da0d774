"""The journal: what the table noticed and what the referee said of it, on the disk before any cue is given and before a
board gets its acknowledgement. One call of `append` is one commit. Written by the daemon alone, one process at a time
by a lock beside it; knows no rule, no device, and no clock but the times it is given."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Self

from taptable.core.errors import JournalError
from taptable.memory.database import (
    JournalDamaged,
    bring_up,
    connect_to_read,
    connect_to_write,
    naming,
    version_of,
    wal_of,
)
from taptable.memory.durable import name_aside, sync_folder
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Ending, Entry, GameHeader, Record, row_of_entry, row_of_header, written


def lock_of(path: Path) -> Path:
    """The lock's file. It stays when the lock is dropped: where it is, the file beside it was a journal."""
    return path.with_name(path.name + ".lock")


def holder_of(path: Path) -> str | None:
    """The number of the process that may write to a journal now, None if there is none. `JournalError` where that can't
    be told."""
    try:
        descriptor = os.open(lock_of(path), os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"journal {path} can't be looked at: {error.strerror} ({lock_of(path)})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
    finally:
        os.close(descriptor)
    return None


class WriterLock:
    """The right to write to a journal, from construction until `release`; `JournalError` names who has it."""

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(lock_of(path), os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise JournalError(f"journal {path} can't be written: {error.strerror} ({lock_of(path)})") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())
        except OSError as error:
            holder = os.read(self._descriptor, 20).decode(errors="replace").strip()
            os.close(self._descriptor)
            if isinstance(error, BlockingIOError):
                raise JournalError(
                    f"journal {path} is being written by process {holder or 'unknown'}: only one taptable can run on it"
                ) from error
            raise JournalError(f"journal {path} can't be locked: {error.strerror} ({lock_of(path)})") from error

    def release(self) -> None:
        """Let others write."""
        os.close(self._descriptor)


_SQLITE_MAGIC = b"SQLite format 3\0"
_PARTS = ("", "-wal", "-shm")
ASIDE = "damaged"
"""What the name of a journal that was kept aside says."""

Committed = Callable[[tuple[Record, ...]], None]
"""Told what a commit brought, after it."""


class Journal(JournalReader):
    """The journal opened for writing, by one process at a time. A call that fails leaves it as it was."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: WriterLock, on_commit: Committed | None
    ) -> None:
        super().__init__(path, connection)
        self._lock = lock
        self._on_commit = on_commit
        last = self.last_game()
        self._game_id = None if last is None else last.id
        self._last_at_us = self.last_at_us()

    @classmethod
    def open(cls, path: Path, on_commit: Committed | None = None) -> Self:
        """Open or begin the journal at `path`. One too damaged to go on from is kept aside: `JournalDamaged`."""
        path = path.resolve()
        _leave_strangers_alone(path)
        lock = WriterLock(path)
        try:
            _prove(path)
            connection = connect_to_write(path)
            try:
                with naming(path):
                    bring_up(connection, version_of(connection, path))
                return cls(path, connection, lock, on_commit)
            except BaseException:
                connection.close()
                raise
        except BaseException:
            lock.release()
            raise

    def begin_game(self, header: GameHeader) -> int:
        """Commit the beginning of a game, to which all entries belong from now on; returns its id."""
        self.append(header)
        assert self._game_id is not None
        return self._game_id

    def append(self, *records: Record) -> None:
        """Commit all of these together; returns when they are on the disk. Times never fall, an origin comes once."""
        if not records:
            return
        game_id, last_at_us = self._game_id, self._last_at_us
        with naming(self.path), self._transaction():
            for record in records:
                if record.at_us < last_at_us:
                    raise JournalError(f"journal {self.path} can't take {record}: its last time is {last_at_us} µs")
                last_at_us = record.at_us
                try:
                    game_id = self._put(record, game_id)
                except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError) as error:
                    raise JournalError(f"journal {self.path} can't take {record}: {error}") from error
        self._game_id, self._last_at_us = game_id, last_at_us
        if self._on_commit is not None:
            self._on_commit(records)

    def close(self) -> None:
        """Let go of the file; the next may write."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _put(self, record: Record, game_id: int | None) -> int:
        """Write one record of the game; returns the game that the next one belongs to."""
        if isinstance(record, GameHeader):
            begun = self._connection.execute(
                "INSERT INTO games (begun_at_us, begun_utc, game, edition, players, settings, starter, language, deck,"
                " rules_version, heir, manifest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row_of_header(record),
            ).lastrowid
            assert begun is not None
            return begun
        if game_id is None:
            raise JournalError(f"journal {self.path} can't take {record}: no game has begun")
        match record:
            case Entry():
                self._connection.execute(
                    "INSERT INTO entries (game_id, at_us, kind, line, answer, board, boot, number)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (game_id, *row_of_entry(record)),
                )
            case Ending(at_us, outcome):
                ended_at_us = None if outcome is None else at_us
                self._connection.execute(
                    "UPDATE games SET ended_at_us = ?, outcome = ? WHERE id = ?",
                    (ended_at_us, written(outcome), game_id),
                )
        return game_id

    @contextmanager
    def _transaction(self) -> Generator[None]:
        """All of it on the disk, or nothing of it."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite has rolled back by itself after some errors
                self._connection.execute("ROLLBACK")
            raise


def kept_aside(path: Path) -> list[str]:
    """The names of the damaged journals that were kept aside from here, the last one last."""
    numbers = (file.name.rpartition("-")[2] for file in path.parent.glob(f"{path.name}.{ASIDE}-*"))
    return [f"{path.name}.{ASIDE}-{number}" for number in sorted(int(each) for each in numbers if each.isdecimal())]


def keep_aside(path: Path) -> Path:
    """Rename a damaged journal and its companions, so that a new one can begin. Nobody may have it open."""
    kept = name_aside(path, ASIDE, _PARTS)
    # The journal itself first: without it nobody can go on from half of what there is, should the power fail now.
    for suffix in _PARTS:
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    sync_folder(path.parent)
    return kept


def _leave_strangers_alone(path: Path) -> None:
    """Refuse a file that never was a journal here, so that a wrong path in a configuration moves nobody's file away."""
    # With a lock beside it, it was a journal, and is not looked into: a process that opens and closes a file drops the
    # locks by which its own SQLite guards that file.
    if lock_of(path).exists() or not path.exists():
        return
    try:
        with path.open("rb") as file:
            magic = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise JournalError(f"journal {path} can't be opened: {error.strerror}") from error
    if magic and magic != _SQLITE_MAGIC:
        raise JournalError(f"{path} is no journal: give the journal a file of its own")


def _prove(path: Path) -> None:
    """Read what the table needs to come back, the last game whole, before anything is written; else keep it aside."""
    if _size(path) == 0:
        if _size(wal_of(path)) > 0:  # SQLite would delete it
            raise JournalDamaged(path, "its file is gone or empty, its WAL is not", keep_aside(path))
        return
    try:
        with closing(connect_to_read(path)) as connection, naming(path):
            if version_of(connection, path) > 0:
                reader = JournalReader(path, connection)
                last = reader.last_game()
                for _ in () if last is None else reader.entries(last.id):
                    pass
    except JournalDamaged as damage:
        raise JournalDamaged(path, damage.reason, keep_aside(path)) from damage


def _size(path: Path) -> int:
    """The bytes in a file, 0 if there is none."""
    return path.stat().st_size if path.exists() else 0
