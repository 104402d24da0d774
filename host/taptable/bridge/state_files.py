"""Values that the bridge keeps across restarts, in a file each: here the position that a league confirmed last, and the
base of the file that `retained` has. A file that can't be read counts as missing. Must not know the broker."""

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
    """A value of the bridge in the file at `path`. `existed` says whether there is a file that could be read."""

    error = StateError
    overwrites = True

    def __init__(self, path: Path) -> None:
        self._trouble = ""
        super().__init__(path, read_only=True)
        self.existed = self.value != self.empty
        if self.fault is not None:
            _log.warning("%s", self.fault)

    def save(self, value: T) -> None:
        """Write the value to disk unless it is there already. A fault is logged once."""
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
    """The position and the branch of a journal at the league."""

    position: Position
    branch: int


@dataclass(frozen=True, slots=True)
class _Confirmed:
    place: LeaguePosition | None = None


class _ConfirmedStore(StateStore[_Confirmed]):
    empty = _Confirmed()
    unreadable_message = damaged_message = "League position not read from {path}, the league is asked again: {why}"
    unwritable_message = "League position not written to {path}, the league is asked again after a restart: {why}"


class UplinkStateFile:
    """The state file of an uplink at `path`. `confirmed` is the league's last position; it is on disk after `save`."""

    def __init__(self, path: Path) -> None:
        self._file = _ConfirmedStore(path)
        self.confirmed = self._file.value.place

    def save(self) -> None:
        """Write the position to disk unless it is there already. A fault is logged once."""
        self._file.save(_Confirmed(self.confirmed))


def league_state_file_of(folder: Path, table: str) -> Path:
    """Return the path of the state file for a league's table. The league makes the ids, and none of them is a path."""
    return folder / f"league-{table.replace(os.sep, '-')}.json"
