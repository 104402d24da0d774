"""The knowledge of a newer version: the announcement as published, and the file with the result of the last check. Only
the process that may fetch the announcement writes the file; the page and the doctor read it. Must not use the network:
`taptable updates` does."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

from taptable import __version__
from taptable.core.errors import ConfigError
from taptable.memory.json_store import JsonStore

UPDATE_FILE = Path(os.environ.get("TAPTABLE_UPDATES", "/var/lib/taptable-updates/update.json"))
"""The file with the result of the last check."""

MAX_BYTES = 16_384
"""The size limit of an announcement."""

_VERSION = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")
_ADDRESS = re.compile(r"https://[!#-&(-;=?-~]{1,400}")
_LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class ReleaseAnnouncement:
    """A version, its release date such as ``2027-01-15``, a sentence about it, and the address of more information."""

    version: str
    date: str
    sentence: str
    address: str

    @property
    def is_newer(self) -> bool:
        """Whether this version is newer than the one that runs."""
        return _numbers(self.version) > _numbers(__version__)


@dataclass(frozen=True, slots=True)
class UpdateCheck:
    """The last check: its day, and the announcement, or why that couldn't be read (`trouble`, a sentence)."""

    day: str
    announced: ReleaseAnnouncement | None = None
    trouble: str = ""


def announcement_in(data: bytes) -> ReleaseAnnouncement:
    """Return the announcement in a JSON file. Raises ValueError with the reason."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES} bytes")
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(found, dict):
        raise ValueError("it is no object of JSON")
    fields = cast("dict[str, Any]", found)
    for name in ("version", "date", "sentence", "address"):
        if not isinstance(fields.get(name), str):
            raise ValueError(f'"{name}" is missing, or no text')
    version, day, sentence, address = (fields[name] for name in ("version", "date", "sentence", "address"))
    if not _VERSION.fullmatch(version):
        raise ValueError(f'"version" is {version[:40]!r}, not three numbers such as "1.4.0"')
    try:
        date.fromisoformat(day)
    except ValueError:
        raise ValueError(f'"date" is {day[:40]!r}, not a day such as "2027-01-15"') from None
    if len(sentence) > _LONGEST_SENTENCE or not sentence.isprintable():
        raise ValueError(f'"sentence" is no line of at most {_LONGEST_SENTENCE} characters')
    if not _ADDRESS.fullmatch(address):
        raise ValueError(f'"address" is {address[:40]!r}, not one that begins with https://')
    return ReleaseAnnouncement(version, day, sentence, address)


class _UpdateCheckStore(JsonStore[UpdateCheck]):
    error = ConfigError
    empty = UpdateCheck("")
    unreadable_message = damaged_message = "{path} can't be read: {why}."
    unwritable_message = "{path} can't be written: {why}."
    mode = 0o666
    overwrites = True


def save_check(check: UpdateCheck | None) -> None:
    """Save the result of a check; None: nobody checks any more. Raises ConfigError or OSError if it can't be
    written."""
    if check is None:
        UPDATE_FILE.unlink(missing_ok=True)
    else:
        _UpdateCheckStore(UPDATE_FILE, read_only=True).write(check)


def last_check() -> UpdateCheck | None:
    """Return the last check; None if there was none, or it can't be read."""
    look = _UpdateCheckStore(UPDATE_FILE, read_only=True).value
    return look if look.day else None


def newer_version() -> ReleaseAnnouncement | None:
    """Return the version that is published and newer than the one that runs, if one is known."""
    look = last_check()
    return look.announced if look is not None and look.announced is not None and look.announced.is_newer else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
