"""What the bridge keeps through its own end, in a file each: what a league confirmed last, and what a table has
published. A file that can't be read is as none."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from taptable.memory.durable import write_atomically
from taptable.uplink.messages import Position

_ONLY_OURS = 0o600
_log = logging.getLogger(__name__)

T = TypeVar("T")


class KeptFile(Generic[T]):
    """A value in the file at `path`. `saved` is what is on the disk, or `empty`; `about` says in the log what it is."""

    def __init__(self, path: Path, empty: T, about: str) -> None:
        self._path = path
        self._about = about
        self._trouble = ""
        self.existed = True
        self.saved = self._read(empty)

    def save(self, value: T) -> None:
        """Put it on the disk, if it isn't there; what hinders that is logged once."""
        if value == self.saved and self.existed:
            return
        try:
            write_atomically(self._path, msgspec.json.encode(value), _ONLY_OURS)
        except OSError as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                _log.warning("%s can't be kept in %s: %s", self._about, self._path, error)
        else:
            self.saved, self.existed = value, True

    def _read(self, empty: T) -> T:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=type(empty))
        except FileNotFoundError:
            self.existed = False
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self.existed = False
            _log.warning("%s can't be read from %s, and is asked for again: %s", self._about, self._path, error)
        return empty


@dataclass(frozen=True, slots=True)
class Place:
    """Up to where a journal is at the league, in which of its branches."""

    position: Position
    branch: int


@dataclass(frozen=True, slots=True)
class _Confirmed:
    place: Place | None = None


class Kept:
    """In the file at `path`. `place` is what was given last, and on the disk after `save`."""

    def __init__(self, path: Path) -> None:
        self._file = KeptFile(path, _Confirmed(), "what the league confirmed")
        self.place = self._file.saved.place

    def save(self) -> None:
        """Put it on the disk, if it isn't there; what hinders that is logged once."""
        self._file.save(_Confirmed(self.place))


def kept_of(folder: Path, table: str) -> Path:
    """The file for a league's table in a folder; the league makes the ids, and none of them is a path."""
    return folder / f"league-{table.replace(os.sep, '-')}.json"
