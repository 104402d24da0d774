"""A value in a JSON file: read when the store is opened, validated by its type, held in memory, and written whole at
every change, so that memory and file always agree. A damaged file is moved aside and named. Must not know what the
values mean."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from taptable.core.errors import TaptableError
from taptable.memory.durable import free_backup_path, write_and_adopt, write_error_reason

T = TypeVar("T")

_log = logging.getLogger(__name__)


class JsonStore(Generic[T]):
    """The `value` in the file at `path`; `empty` without a file.

    `fault` tells what was wrong with the file when it was opened. A damaged file is then moved aside, and the readable
    part is written in its place, unless the store is `read_only`. Each kind of store has its own messages."""

    error: ClassVar[type[TaptableError]]
    empty: ClassVar[Any]
    unreadable_message: ClassVar[str]
    damaged_message: ClassVar[str]
    unwritable_message: ClassVar[str]
    moved_message: ClassVar[str] = ""
    mode: ClassVar[int] = 0o600
    overwrites: ClassVar[bool] = False
    """Whether an unreadable file is overwritten."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.fault: TaptableError | None = None
        self._blocked = False  # whether the file's content belongs to somebody and must not be overwritten
        self._adopt(self.empty)
        value, damage = self.value, ""
        try:
            value, damage = self._read(path)
        except TaptableError as error:
            self.fault, self._blocked = error, not self.overwrites
        self._adopt(value)
        self._is_in_sync = self.fault is None and not damage  # whether the file has `value`, durably
        if damage:
            self.fault = self.error(damage if read_only else self._move_aside(damage))
            self._blocked = not self.overwrites and path.exists()
            if value != self.empty and not self._blocked:
                try:
                    self.write(value)
                except TaptableError as error:  # the value is still known, and the next change writes it
                    _log.error("File not written, the next change tries again: %s", error)

    @classmethod
    def read(cls, path: Path) -> T:
        """Return the value in a file without changing it. Raises `error` if the file can't be read or is damaged."""
        value, damage = cls._read(path)
        if damage:
            raise cls.error(damage)
        return value

    @classmethod
    def decode(cls, content: bytes) -> tuple[T, str]:
        """Return the value in a file's bytes as far as it can be read, and their fault, "" for none."""
        try:
            return msgspec.json.decode(content, type=cast("type[T]", type(cls.empty))), ""
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return cls.empty, str(error) or type(error).__name__

    @classmethod
    def encode(cls, value: T) -> bytes:
        """Return the bytes of a file with this value."""
        return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"

    @classmethod
    def _read(cls, path: Path) -> tuple[T, str]:
        try:
            value, fault = cls.decode(path.read_bytes())
        except FileNotFoundError:
            return cls.empty, ""
        except OSError as error:
            raise cls.error(cls.unreadable_message.format(path=path, why=error.strerror or error)) from error
        return value, fault and cls.damaged_message.format(path=path, why=fault)

    def write(self, value: T) -> None:
        """Write a value to the file if it isn't there; it is on the disk when this returns. After an `error` the store
        agrees with the file, and the call may be repeated."""
        if value == self.value and self._is_in_sync:
            return
        if self._blocked:
            raise self.error(str(self.fault))
        try:
            write_and_adopt(self.path, self.encode(value), lambda: self._adopt(value), self.mode)
        except OSError as error:
            self._is_in_sync = False
            raise self.error(
                self.unwritable_message.format(path=self.path, why=write_error_reason(self.path, error))
            ) from error
        self._is_in_sync = True

    def _adopt(self, value: T) -> None:
        """Take over the value that the file now has."""
        self.value = value

    def _move_aside(self, damage: str) -> str:
        """Move a damaged file aside. Return the sentence about that, or about why it stays."""
        backup = free_backup_path(self.path, "damaged")
        try:
            self.path.rename(backup)
        except OSError as error:
            return f"{damage}, and it can't be moved aside: {write_error_reason(self.path, error)}"
        return f"{damage}: {self.moved_message.format(kept=backup, value=self.value)}"
