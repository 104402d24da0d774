"""The journal: the table's observations and the referee's verdicts, on the disk before any cue is given and before a
board gets its acknowledgement. One call of `append` is one commit. The daemon alone writes it, one process at a time,
guarded by a lock file beside it. `journal_reader` reads it, `database` has the tables and their versions. Must not know
a rule, a device or a clock: it is given the times."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from taptable.core.errors import JournalError
from taptable.memory.database import (
    FIRST_VERSION_WITH_IDENTITY,
    VERSION,
    JournalDamaged,
    connect_to_read,
    connect_to_write,
    migrating_tables,
    transaction,
    translating_errors,
    version_of,
    wal_file_of,
)
from taptable.memory.digest import digest_after, entry_text, header_text
from taptable.memory.durable import free_backup_path, sync_folder, write_error_reason
from taptable.memory.journal_reader import HEADER_COLUMNS, JournalReader
from taptable.memory.records import Ending, Entry, GameHeader, Record, row_of_entry, row_of_header, to_json
from taptable.memory.redaction import redact_names
from taptable.memory.stream import digest_after_header, digest_at, digest_chain, identity_of


def lock_file_of(path: Path) -> Path:
    """Return the path of the lock's file. It stays when the lock is released, and shows that the file beside it was a
    journal."""
    return path.with_name(path.name + ".lock")


WITHOUT_GAME = "--no-game"
"""Follows the process's number in the lock file if the process is a table without a game, which soon ends."""


def lock_holder(path: Path) -> str | None:
    """Return the number of the process that may write to a journal now, None if there is none. Raises `JournalError` if
    the lock can't be read."""
    entry = _lock_entry(path)
    return None if entry is None else entry.partition(" ")[0] or "unknown"


def is_held_without_game(path: Path) -> bool:
    """Return whether a table without a game holds the journal's lock. Raises `JournalError` as `lock_holder` does."""
    return (_lock_entry(path) or "").endswith(WITHOUT_GAME)


def _lock_entry(path: Path) -> str | None:
    """Return the text that the holder of a journal's lock wrote into it; None if nobody holds it."""
    try:
        descriptor = os.open(lock_file_of(path), os.O_RDONLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"journal {path} can't be checked: {error.strerror} ({lock_file_of(path)})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.read(descriptor, 20).decode(errors="replace").strip()
    finally:
        os.close(descriptor)
    return None


class WriterLock:
    """The right to write to a journal, from construction until `release`. Raises `JournalError`, which names the
    holder. `remark` is written beside the process's number."""

    def __init__(self, path: Path, remark: str = "") -> None:
        try:
            self._descriptor = os.open(lock_file_of(path), os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise JournalError(
                f"journal {path} can't be written: {write_error_reason(path, error)} ({lock_file_of(path)})"
            ) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()} {remark}".strip().encode() + b"\n")
        except OSError as error:
            holder = os.read(self._descriptor, 20).decode(errors="replace").strip().partition(" ")[0]
            os.close(self._descriptor)
            if isinstance(error, BlockingIOError):
                raise JournalError(
                    f"journal {path} is being written by process {holder or 'unknown'}: only one taptable can run on it"
                ) from error
            raise JournalError(f"journal {path} can't be locked: {error.strerror} ({lock_file_of(path)})") from error

    def release(self) -> None:
        """Release the lock."""
        os.close(self._descriptor)


IN_MEMORY = ":memory:"
"""The path of a journal without a file, for tests and simulations."""
_SQLITE_MAGIC = b"SQLite format 3\0"
_PARTS = ("", "-wal", "-shm")
DAMAGED_SUFFIX = "damaged"
"""The word in the name of a damaged journal that was moved aside."""

OnCommit = Callable[[tuple[Record, ...]], None]
"""Called after a commit with the records that it added."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a journal: its last game and entry (0: none), its latest time, the digest after that entry, and the
    `running` one, on which the next entry builds. The digests differ while the game has no entry yet."""

    game_id: int
    number: int
    at_us: int
    digest: str
    running: str


class Journal(JournalReader):
    """The journal opened for writing, by one process at a time. A call that fails leaves it as it was."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: WriterLock | None, on_commit: OnCommit | None
    ) -> None:
        super().__init__(path, connection)
        self._lock = lock  # None: this object must not release it
        self._on_commit = on_commit
        self.identity = identity_of(self)
        self._end = _end_of(self)

    @classmethod
    def open(cls, path: Path, on_commit: OnCommit | None = None) -> Self:
        """Open or create the journal at `path`. Moves a file that is too damaged to continue aside and raises
        `JournalDamaged`; the caller decides whether to open a new one."""
        path = path.resolve()
        _require_journal_file(path)
        lock = WriterLock(path)
        try:
            return cls.open_locked(path, lock, on_commit)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open_locked(cls, path: Path, lock: WriterLock | None = None, on_commit: OnCommit | None = None) -> Self:
        """Open a journal whose lock the caller holds. Closing the journal releases `lock`; None leaves it to the
        caller. Moves a damaged file aside and raises `JournalDamaged`, as `open` does."""
        try:
            _check_recoverable(path)
            return cls._from_connection(path, connect_to_write(path), lock, on_commit)
        except JournalDamaged as damage:
            backup = damage.moved_to or move_aside(path)
            raise JournalDamaged(path, damage.reason, backup) from damage

    @classmethod
    def in_memory(cls) -> Self:
        """Return a journal without a file, which ends with this object."""
        return cls._from_connection(Path(IN_MEMORY), sqlite3.connect(IN_MEMORY, isolation_level=None), None, None)

    @classmethod
    def _from_connection(
        cls, path: Path, connection: sqlite3.Connection, lock: WriterLock | None, on_commit: OnCommit | None
    ) -> Self:
        try:
            _migrate_journal(path, connection)
            return cls(path, connection, lock, on_commit)
        except BaseException:
            connection.close()
            raise

    def begin_game(self, header: GameHeader) -> int:
        """Commit the beginning of a game, to which all entries belong from now on, and return its id."""
        self.append(header)
        return self._end.game_id

    def append(self, *records: Record) -> None:
        """Commit all of these together and return when they are on the disk. Times may not decrease, and an origin may
        occur only once."""
        if not records:
            return
        end = self._end
        with translating_errors(self.path), transaction(self._connection):
            for record in records:
                if record.at_us < end.at_us:
                    raise JournalError(f"journal {self.path} can't take {record}: its last time is {end.at_us} µs")
                try:
                    end = self._insert(record, end)
                except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError) as error:
                    raise JournalError(f"journal {self.path} can't take {record}: {error}") from error
        self._end = end
        if self._on_commit is not None:
            self._on_commit(records)

    def check_writable(self) -> None:
        """Commit nothing new; that needs room on the disk all the same, so it fails as `append` would."""
        with translating_errors(self.path), transaction(self._connection):
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def redact_names(self, names: Collection[str] | None = None) -> int:
        """Remove these people's names, or all, from every note, and rewrite the file, so that neither it nor its WAL
        contains them. Return the number of notes. After a `JournalError` they may still be there: call it again."""
        changed = 0
        with translating_errors(self.path):
            with transaction(self._connection):
                for number, line in self.rows(
                    "SELECT id, line FROM entries WHERE kind = 'note' AND json_valid(line)"
                    " AND (instr(line, '\"names\"') OR instr(line, '\"by\"'))"
                ):
                    if (redacted := redact_names(note := json.loads(line), names)) != note:
                        self._connection.execute(
                            "UPDATE entries SET line = ? WHERE id = ?", (to_json(redacted), number)
                        )
                        changed += 1
            self._connection.execute("VACUUM")  # unused pages still hold old copies
            (is_busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            raise JournalError(
                f"names were taken out of journal {self.path}, but {wal_file_of(self.path).name} may still have them,"
                " as another program reads it: close that program, and try again"
            )
        return changed

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            super().close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def _insert(self, record: Record, end: _End) -> _End:
        """Write one record and return the journal's new end."""
        if isinstance(record, GameHeader):
            game_id = end.game_id + 1
            digest = digest_after(end.digest, header_text(game_id, record))
            self._connection.execute(
                f"INSERT INTO games (id, {HEADER_COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (game_id, *row_of_header(record), digest),
            )
            return replace(end, game_id=game_id, at_us=record.at_us, running=digest)
        if end.game_id == 0:
            raise JournalError(f"journal {self.path} can't take {record}: no game has begun")
        match record:
            case Entry():
                number = end.number + 1
                digest = digest_after(end.running, entry_text(number, record, self.identity.salt))
                self._connection.execute(
                    "INSERT INTO entries (id, game_id, at_us, kind, line, answer, board, boot, number, digest)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (number, end.game_id, *row_of_entry(record), digest),
                )
                return _End(end.game_id, number, record.at_us, digest, digest)
            case Ending(at_us, outcome):
                ended_at_us = None if outcome is None else at_us
                self._connection.execute(
                    "UPDATE games SET ended_at_us = ?, outcome = ? WHERE id = ?",
                    (ended_at_us, to_json(outcome), end.game_id),
                )
                return replace(end, at_us=at_us)


def _migrate_journal(path: Path, connection: sqlite3.Connection) -> None:
    """Migrate a journal of an earlier version. One without an identity gets one, and a digest for every record; a later
    migration must not change them."""
    with translating_errors(path):
        version = version_of(connection, path)
        if version == VERSION:
            return
        with migrating_tables(connection, version, VERSION):
            if version < FIRST_VERSION_WITH_IDENTITY:
                _insert_identity(path, connection)


def _insert_identity(path: Path, connection: sqlite3.Connection) -> None:
    """Give a migrated journal its identity, and every record its digest."""
    salt = secrets.token_bytes(16)
    connection.execute("INSERT INTO identity VALUES (1, ?, ?)", (secrets.token_hex(16), salt))
    for link in digest_chain(JournalReader(path, connection), salt):
        connection.execute(f"UPDATE {link.table} SET digest = ? WHERE id = ?", (link.digest, link.id))


def _end_of(journal: JournalReader) -> _End:
    """Return the end of a journal."""
    game_id, number = journal.last_ids()
    digest = digest_at(journal, number)
    begun = journal.rows("SELECT 1 FROM entries WHERE game_id = ? LIMIT 1", game_id)
    running = digest if begun or game_id == 0 else digest_after_header(journal, game_id)
    if digest is None or running is None:
        raise JournalDamaged(journal.path, f"its last row, of entry {number} or game {game_id}, can't be found")
    return _End(game_id, number, journal.last_at_us(), digest, running)


def damaged_journals(path: Path) -> list[str]:
    """Return the names of the damaged journals that were moved aside here, in the order in which that happened."""
    numbers = (file.name.rpartition("-")[2] for file in path.parent.glob(f"{path.name}.{DAMAGED_SUFFIX}-*"))
    return [
        f"{path.name}.{DAMAGED_SUFFIX}-{number}" for number in sorted(int(each) for each in numbers if each.isdecimal())
    ]


def move_aside(path: Path) -> Path:
    """Rename a damaged journal and its companions, so that a new one can begin. No process may have it open."""
    backup = free_backup_path(path, DAMAGED_SUFFIX, _PARTS)
    # The journal itself first: if the power fails now, nobody can continue with half of the files.
    for suffix in _PARTS:
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(backup.with_name(backup.name + suffix))
    sync_folder(path.parent)
    return backup


def _require_journal_file(path: Path) -> None:
    """Reject a file that never was a journal here, so that a wrong path in a configuration moves nobody's file away."""
    # A file with a lock beside it was a journal, and isn't opened: a process that opens and closes a file drops the
    # locks by which its own SQLite guards that file.
    if lock_file_of(path).exists() or not path.exists():
        return
    try:
        with path.open("rb") as file:
            magic = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise JournalError(f"journal {path} can't be opened: {error.strerror}") from error
    if magic and magic != _SQLITE_MAGIC:
        raise JournalError(f"{path} is no journal: give the journal a file of its own")


def _check_recoverable(path: Path) -> None:
    """Read everything that the table needs to be restored, including the whole last game, before anything is
    written."""
    if _size(path) == 0:
        if _size(wal_file_of(path)) > 0:  # SQLite would delete it
            raise JournalDamaged(path, "its file is gone or empty, its WAL is not")
        return
    with closing(connect_to_read(path)) as connection, translating_errors(path):
        if version_of(connection, path) > 0:
            reader = JournalReader(path, connection)
            last = reader.last_game()
            for _ in () if last is None else reader.entries(last.id):
                pass
            if reader.version >= FIRST_VERSION_WITH_IDENTITY:
                identity_of(reader)
                _end_of(reader)


def _size(path: Path) -> int:
    """Return the size of a file in bytes, 0 if there is none."""
    return path.stat().st_size if path.exists() else 0
