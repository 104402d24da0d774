"""Who is paired with the page: a file beside the journal, written whole at every change, in which a secret stands only
as its SHA-256. A damaged file is named and kept aside, and then nobody is paired. Knows no code and no browser."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from taptable.core.errors import PairingsError
from taptable.memory.json_store import JsonStore

MOST_PAIRED = 64
"""So many can be paired."""
SECRET_BYTES = 32
_Count: TypeAlias = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Paired:
    """One who is paired: what it is called in lists, the name that was given, since when by the computer's clock (ISO
    8601 with its offset), and the SHA-256 of the secret in hex."""

    id: str
    name: str
    since: str
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class Tried:
    """What was tried of codes: how many tries are left, how many codes may still run out unused, how long the next
    pause is, and until which table time nobody can be paired (0: no pause), for a reason by its key."""

    tries: _Count
    unused: _Count
    pause_s: _Count
    paused_until_us: _Count = 0
    paused_for: str = ""


@dataclass(frozen=True, slots=True)
class KeptPairings:
    """What stands in the file: all who are paired, and what was tried, None where nothing was."""

    pairings: tuple[Paired, ...] = ()
    tried: Tried | None = None


class Pairings(JsonStore[KeptPairings]):
    """All who are paired, and what was tried, kept in the file at `path`. Nobody is paired by a file that can't be
    read, and the next one who is replaces it."""

    error = PairingsError
    empty = KeptPairings()
    unreadable_message = "pairings {path} can't be read, so nobody is paired: {why}"
    damaged_message = "pairings {path} is damaged, so nobody is paired"
    unwritable_message = "pairings {path} can't be written: {why}"
    moved_message = "it was kept as {kept}; pair again"
    overwrites = True

    def __init__(self, path: Path) -> None:
        self._orphan_id = ""  # the id of who was paired in a write of which only the last step failed
        super().__init__(path)

    @property
    def all(self) -> tuple[Paired, ...]:
        """All of them, the first to be paired first."""
        return self.value.pairings

    @property
    def attempts(self) -> Tried | None:
        """What was tried; None where nothing was."""
        return self.value.tried

    def add(self, name: str, since: datetime) -> str:
        """Pair somebody by this name; that is on the disk when it gives the secret, which is kept nowhere. After a
        `PairingsError` the file may have them all the same, though nobody has the secret: the next one takes that
        place."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        paired = Paired(secrets.token_hex(4), name, since.isoformat(timespec="seconds"), digest_of(secret))
        others = tuple(each for each in self.all if each.id != self._orphan_id)
        try:
            self.write(KeptPairings((*others, paired)))
        except PairingsError:
            if paired in self.all:
                self._orphan_id = paired.id
            raise
        self._orphan_id = ""
        return secret

    def save_attempts(self, attempts: Tried) -> None:
        """What was tried is on the disk when this returns; `PairingsError` if it can't be."""
        self.write(KeptPairings(self.all, attempts))

    def find(self, digest: str) -> Paired | None:
        """Who has the secret with this SHA-256; takes as long for every secret."""
        found = [paired for paired in self.all if compare_digest(paired.digest, digest)]
        return found[0] if found else None

    def remove(self, ids: frozenset[str]) -> None:
        """Let these be paired no longer; what nobody is called is left out. After a `PairingsError` this is
        as the file has it."""
        self.write(KeptPairings(tuple(paired for paired in self.all if paired.id not in ids), self.attempts))


def pairings_file_of(journal: Path) -> Path:
    """The file beside a journal, whose name tells tables in one folder apart."""
    return journal.with_suffix(".pairings.json")


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, in hex."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
