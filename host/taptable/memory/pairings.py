"""Who is paired with the page: a file beside the journal, written whole at every change, in which a secret stands only
as its SHA-256. A damaged file is named and kept aside, and then nobody is paired. Knows no code and no browser."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from taptable.core.errors import PairingsError
from taptable.memory.durable import put_aside, why_not, write_and_adopt

MOST = 64
"""So many can be paired."""
SECRET_BYTES = 32
_ONLY_OURS = 0o600
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
class _Kept:
    """What stands in the file."""

    pairings: tuple[Paired, ...]
    tried: Tried | None = None


class Pairings:
    """All who are paired, and what was tried, kept in the file at `path`. `fault` says what is wrong with what was
    there, if anything; `tried` is None where nothing was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: PairingsError | None = None
        self._all: tuple[Paired, ...] = ()
        self._without_secret = ""  # the id of who was paired in a write of which only the last step failed
        self.tried: Tried | None = None
        try:
            self._all, self.tried = _read_or_put_aside(path)
        except PairingsError as error:
            self.fault = error

    @property
    def all(self) -> tuple[Paired, ...]:
        """All of them, the first to be paired first."""
        return self._all

    def add(self, name: str, since: datetime) -> str:
        """Pair somebody by this name; that is on the disk when it gives the secret, which is kept nowhere. After a
        `PairingsError` the file may have them all the same, though nobody has the secret: the next one takes that
        place."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        paired = Paired(secrets.token_hex(4), name, since.isoformat(timespec="seconds"), digest_of(secret))
        others = tuple(each for each in self._all if each.id != self._without_secret)
        try:
            self._write((*others, paired), None)
        except PairingsError:
            if paired in self._all:
                self._without_secret = paired.id
            raise
        self._without_secret = ""
        return secret

    def keep(self, tried: Tried) -> None:
        """What was tried is on the disk when this returns; `PairingsError` if it can't be."""
        self._write(self._all, tried)

    def find(self, digest: str) -> Paired | None:
        """Who has the secret with this SHA-256; takes as long for every secret."""
        found = [paired for paired in self._all if compare_digest(paired.digest, digest)]
        return found[0] if found else None

    def remove(self, ids: frozenset[str]) -> None:
        """Let these be paired no longer; what nobody is called is left out. After a `PairingsError` this is
        as the file has it."""
        self._write(tuple(paired for paired in self._all if paired.id not in ids), self.tried)

    def _write(self, all_: tuple[Paired, ...], tried: Tried | None) -> None:
        content = json.dumps(asdict(_Kept(all_, tried)), indent=1, ensure_ascii=False).encode() + b"\n"
        try:
            write_and_adopt(self.path, content, lambda: self._adopt(all_, tried), _ONLY_OURS)
        except OSError as error:
            raise PairingsError(f"pairings {self.path} can't be written: {why_not(self.path, error)}") from error

    def _adopt(self, all_: tuple[Paired, ...], tried: Tried | None) -> None:
        self._all, self.tried = all_, tried


def pairings_of(journal: Path) -> Path:
    """The file beside a journal, whose name tells tables in one folder apart."""
    return journal.with_suffix(".pairings.json")


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, in hex."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def read_pairings(path: Path) -> tuple[tuple[Paired, ...], Tried | None]:
    """Who is in the file, and what was tried; nobody and nothing if there is none. `PairingsError` says what is wrong
    with it, which stays as it is."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return (), None
    except OSError as error:
        raise PairingsError(f"pairings {path} can't be read, so nobody is paired: {error.strerror or error}") from error
    try:
        kept = msgspec.json.decode(content, type=_Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _Damaged(f"pairings {path} is damaged, so nobody is paired") from error
    return kept.pairings, kept.tried


class _Damaged(PairingsError):
    """The file can be read and isn't what it should be."""


def _read_or_put_aside(path: Path) -> tuple[tuple[Paired, ...], Tried | None]:
    """As `read_pairings`, but a damaged file is put aside, and `PairingsError` says where."""
    try:
        return read_pairings(path)
    except _Damaged as error:
        raise PairingsError(put_aside(path, str(error), "pair again")) from error
