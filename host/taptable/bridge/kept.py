"""What the bridge keeps of its league through its own end: what was confirmed last. A file that can't be read is as
none: it can be asked for again."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from taptable.memory.durable import write_atomically
from taptable.uplink.messages import Position

_ONLY_OURS = 0o600
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """Up to where a journal is at the league, in which of its branches."""

    position: Position
    branch: int


@dataclass(frozen=True, slots=True)
class _File:
    place: Place | None = None


class Kept:
    """In the file at `path`. `place` is what was given last, and on the disk after `save`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved = _read(path)
        self.place = self._saved.place
        self._trouble = ""

    def save(self) -> None:
        """Put it on the disk, if it isn't there; what hinders that is logged once."""
        wanted = _File(self.place)
        if wanted == self._saved:
            return
        try:
            write_atomically(self._path, msgspec.json.encode(wanted), _ONLY_OURS)
        except OSError as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                _log.warning("what the league confirmed can't be kept in %s: %s", self._path, error)
        else:
            self._saved = wanted


def kept_of(folder: Path, table: str) -> Path:
    """The file for a league's table in a folder; the league makes the ids, and none of them is a path."""
    return folder / f"league-{table.replace(os.sep, '-')}.json"


def _read(path: Path) -> _File:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        return _File()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        _log.warning("what the league confirmed can't be read from %s, and is asked for again: %s", path, error)
        return _File()
