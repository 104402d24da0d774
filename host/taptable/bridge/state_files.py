"""What the bridge keeps through its own end, in a file each: what a league confirmed last, and what a table has
published. A file that can't be read is as none."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from taptable.core.errors import StateError
from taptable.memory.json_store import JsonStore
from taptable.uplink.messages import Position

_log = logging.getLogger(__name__)

T = TypeVar("T")


class StateStore(JsonStore[T]):
    """A value of the bridge in the file at `path`. `existed` says whether there is one that can be read."""

    error = StateError
    overwrites = True

    def __init__(self, path: Path) -> None:
        self._trouble = ""
        super().__init__(path, read_only=True)
        self.existed = self.value != self.empty
        if self.fault is not None:
            _log.warning("%s", self.fault)

    def save(self, value: T) -> None:
        """Put it on the disk, if it isn't there; what hinders that is logged once."""
        try:
            self.write(value)
        except StateError as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                _log.warning("%s", error)
        else:
            self.existed = True


@dataclass(frozen=True, slots=True)
class LeaguePosition:
    """Up to where a journal is at the league, in which of its branches."""

    position: Position
    branch: int


@dataclass(frozen=True, slots=True)
class _Confirmed:
    place: LeaguePosition | None = None


class _ConfirmedStore(StateStore[_Confirmed]):
    empty = _Confirmed()
    unreadable_message = damaged_message = (
        "what the league confirmed can't be read from {path}, and is asked for again: {why}"
    )
    unwritable_message = "what the league confirmed can't be kept in {path}: {why}"


class UplinkStateFile:
    """In the file at `path`. `place` is what was given last, and on the disk after `save`."""

    def __init__(self, path: Path) -> None:
        self._file = _ConfirmedStore(path)
        self.confirmed = self._file.value.place

    def save(self) -> None:
        """Put it on the disk, if it isn't there; what hinders that is logged once."""
        self._file.save(_Confirmed(self.confirmed))


def league_state_file_of(folder: Path, table: str) -> Path:
    """The file for a league's table in a folder; the league makes the ids, and none of them is a path."""
    return folder / f"league-{table.replace(os.sep, '-')}.json"
