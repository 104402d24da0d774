"""Files that survive a pulled plug: written whole or not at all, and moved aside instead of deleted; and the reason why
one can't be written. Everything that is stored builds on this module. Must not know what a file contains."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
"""The kernel's list of mounted file systems."""
READ_ONLY = (
    "its disk has become read-only, as that of a failing SD card does: save what is on it, and take another card"
)
"""The reason, for a sentence, why nothing can be written to such a disk."""


def is_on_read_only_disk(path: Path, mounts: Path | None = None) -> bool:
    """Return whether nobody can write to the disk of a file or folder; False if that can't be determined. A folder that
    is closed to this process alone, as systemd may do it, is on a disk that others can write to."""
    try:
        number = (path if path.is_dir() else path.parent).stat().st_dev
        lines = (mounts or MOUNTS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    disk = f"{os.major(number)}:{os.minor(number)}"
    # mount, parent, disk, …, -, type, source, options of the disk itself
    options = [line.rpartition(" - ")[2].split()[-1] for line in lines if line.split()[2] == disk]
    return any("ro" in each.split(",") for each in options)


def write_error_reason(path: Path, error: OSError) -> str:
    """Return the reason why a file couldn't be written, for a sentence."""
    return READ_ONLY if is_on_read_only_disk(path) else error.strerror or str(error)


def write_atomically(
    path: Path, data: bytes, mode: int = 0o666, before_replacing: Callable[[], None] = lambda: None
) -> None:
    """Write `data` to `path` so that either the old file or the new one is always there, whole. `mode` is that of
    `os.open`. Call `before_replacing` once the data are on the disk, while the old file is still there.

    Raises OSError. Then the old file is still there, or the new one if only the last step failed; that may be gone
    after a loss of power. `write_and_adopt` tells these cases apart."""
    new_path = path.with_name(f".{path.name}.new")
    try:
        # a half-written file may be readable by more people than this one may
        new_path.unlink(missing_ok=True)
        descriptor = os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        before_replacing()
        new_path.replace(path)
    except OSError:
        new_path.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_and_adopt(path: Path, data: bytes, adopt: Callable[[], None], mode: int = 0o666) -> None:
    """Write as `write_atomically` does, and call `adopt` once `path` has this data, for callers that keep the file's
    content in memory. It is also called before an OSError is raised, if only the last step of the write failed."""
    try:
        write_atomically(path, data, mode)
    except OSError:
        if _has(path, data):
            adopt()
        raise
    adopt()


def _has(path: Path, data: bytes) -> bool:
    """Return whether a file has this content; False if it can't be read."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def sync_folder(folder: Path) -> None:
    """Make files that were created, renamed or removed in `folder` survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_backup_path(path: Path, word: str, suffixes: tuple[str, ...] = ("",)) -> Path:
    """Return the first backup name that is free with each suffix: ``family.json.old-1``, then ``….old-2``."""
    number = 1
    while any(path.with_name(f"{path.name}.{word}-{number}{suffix}").exists() for suffix in suffixes):
        number += 1
    return path.with_name(f"{path.name}.{word}-{number}")
