"""One writer for a journal: a lock on a small file beside it, which the system drops with the process, however that
ends. Readers never look at it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from taptable.core.errors import JournalError


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
