"""The browsers that are paired with the page, in a file beside the journal, which is written whole at every change. It
holds secrets only as SHA-256. A damaged file is named and moved aside, and then no browser is paired. Must not know the
code by which a browser pairs: `daemon.api.pairing` does."""

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

MAX_PAIRED = 64
"""The most browsers that can be paired."""
SECRET_BYTES = 32
"""The length of a browser's secret."""
_Count: TypeAlias = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired browser: its id in lists, the name that was entered, the date of pairing by the computer's clock (ISO
    8601 with offset), and the SHA-256 of its secret in hex."""

    id: str
    name: str
    since: str
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class Tried:
    """The state of attempts with codes: how many tries are left, how many codes may still expire unused, and the length
    of the next pause. The present pause ends at the table time `paused_until_us` (0: there was none), `paused_for` is
    the key of its reason, and `present_pause_s` its whole length (0: not known, as earlier versions didn't write
    it). `unanswered` counts the requests in a row that nobody at the table allowed."""

    tries: _Count
    unused: _Count
    pause_s: _Count
    paused_until_us: _Count = 0
    paused_for: str = ""
    present_pause_s: _Count = 0
    unanswered: _Count = 0


@dataclass(frozen=True, slots=True)
class KeptPairings:
    """The content of the file: all paired browsers, and the attempts, None if there were none."""

    pairings: tuple[Paired, ...] = ()
    tried: Tried | None = None


class Pairings(JsonStore[KeptPairings]):
    """The paired browsers and the attempts, in the file at `path`. An unreadable file pairs nobody, and the next
    pairing replaces it."""

    error = PairingsError
    empty = KeptPairings()
    unreadable_message = "pairings {path} can't be read, so nobody is paired: {why}"
    damaged_message = "pairings {path} is damaged, so nobody is paired"
    unwritable_message = "pairings {path} can't be written: {why}"
    moved_message = "it was moved aside to {kept}; pair again"
    overwrites = True

    def __init__(self, path: Path) -> None:
        self._orphan_id = ""  # the id that was paired in a write of which only the last step failed
        super().__init__(path)

    @property
    def all(self) -> tuple[Paired, ...]:
        """All of them, in the order in which they were paired."""
        return self.value.pairings

    @property
    def attempts(self) -> Tried | None:
        """The state of attempts; None if there were none."""
        return self.value.tried

    def add(self, name: str, since: datetime) -> str:
        """Pair a browser by this name and return its secret once that is on the disk. The secret itself is stored
        nowhere. After a `PairingsError` the file may have the entry all the same, though nobody has the secret: the
        next one replaces it."""
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
        """Write the attempts and return when they are on the disk. Raises `PairingsError`."""
        self.write(KeptPairings(self.all, attempts))

    def find(self, digest: str) -> Paired | None:
        """Return the browser whose secret has this SHA-256. Takes equally long for every secret."""
        found = [paired for paired in self.all if compare_digest(paired.digest, digest)]
        return found[0] if found else None

    def remove(self, ids: frozenset[str]) -> None:
        """Unpair these; unknown ids are ignored. After a `PairingsError` this store agrees with the file."""
        self.write(KeptPairings(tuple(paired for paired in self.all if paired.id not in ids), self.attempts))


def pairings_file_of(journal: Path) -> Path:
    """Return the path of the file beside a journal. Its name tells tables in one folder apart."""
    return journal.with_suffix(".pairings.json")


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a secret, in hex."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
