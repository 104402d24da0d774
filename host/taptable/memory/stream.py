"""The journal as a stream of records that may leave the table, each with the running digest after it, and the journal's
identity. A bridge sends the stream to a league, and it shows that a journal has not changed since it was written. The
header of a game directly precedes the game's first entry; a game without entries is left out. Changes nothing. Must not
know who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from taptable.core.errors import JournalError
from taptable.memory.database import FIRST_VERSION_WITH_IDENTITY, JournalDamaged
from taptable.memory.digest import EMPTY_DIGEST, RecordText, digest_after, entry_text, header_text
from taptable.memory.journal_reader import HEADER_COLUMNS, JournalReader
from taptable.memory.records import Entry, GameHeader, Row, Unreadable, entry_of_row, header_of_row

_PAGE = 256  # rows fetched at once
_BLANK = GameHeader(
    at_us=0, game="", edition="", players=1, settings={}, starter=None, language="", deck="", rules_version=""
)


@dataclass(frozen=True, slots=True)
class JournalIdentity:
    """The identity of one journal: 32 hex digits by which others know it, and the secret salt of its tags'
    pseudonyms."""

    journal: str
    salt: bytes


class DigestLink(NamedTuple):
    """A record's table and row id, the digest computed after it, and the stored one."""

    table: Literal["games", "entries"]
    id: int
    digest: str
    stored: str


def identity_of(journal: JournalReader) -> JournalIdentity:
    """Return the journal's identity. Raises `JournalError` for one that only an earlier taptable has written."""
    if journal.version < FIRST_VERSION_WITH_IDENTITY:
        raise JournalError(f"journal {journal.path} has no identity yet: the next start of the table gives it one")
    match journal.rows("SELECT journal, salt FROM identity"):
        case [(str(name), bytes(salt))]:
            return JournalIdentity(name, salt)
        case rows:
            raise JournalDamaged(journal.path, f"{len(rows)} identities, or one that no journal has written")


def digest_at(journal: JournalReader, number: int) -> str | None:
    """Return the digest after entry `number`, `EMPTY_DIGEST` for 0; None if there is no such entry."""
    return _digest(journal, "SELECT digest FROM entries WHERE id = ?", number) if number > 0 else EMPTY_DIGEST


def digest_after_header(journal: JournalReader, game_id: int) -> str | None:
    """Return the digest after a game's header, on which its first entry builds; None if there is no such game."""
    return _digest(journal, "SELECT digest FROM games WHERE id = ?", game_id)


def records_after(journal: JournalReader, salt: bytes, after: int, most: int, most_bytes: int) -> list[RecordText]:
    """Return the headers and entries that follow entry `after`, which must exist or be 0: at most `most` entries and,
    from the second on, no more than `most_bytes` in all. The list ends before a row that has changed since it was
    written; raises `JournalDamaged` if it would begin with one."""
    found: list[RecordText] = []
    digest, size = digest_at(journal, after), 0
    assert digest is not None
    before = journal.rows("SELECT game_id FROM entries WHERE id = ?", after)
    last_game = before[0][0] if before else 0
    query = f"SELECT {_ENTRY}, digest FROM entries WHERE id > ? ORDER BY id LIMIT ?"
    for game_id, number, *row, stored in journal.rows(query, after, most):
        texts = [_text_of_entry(number, tuple(row), salt)]
        if game_id != last_game:
            texts.insert(0, _text_of_header(journal, game_id))
        for text in texts:
            digest = digest_after(digest, text)
        if digest != stored:
            if not found:
                raise JournalDamaged(journal.path, f"entry {number} or its game isn't as it was written")
            break
        size += sum(len(text.encode()) + 1 for text in texts)
        if found and size > most_bytes:
            break
        found += texts
        last_game = game_id
    return found


def positions(journal: JournalReader, most: int) -> list[tuple[int, str]]:
    """Return positions at which a reader with a part of the journal may find itself: numbers of entries with the
    digests after them, first the last entry, then the one before the first entry of each of the latest games."""
    _, last = journal.last_ids()
    firsts = journal.rows(
        "SELECT (SELECT min(id) FROM entries WHERE game_id = games.id) AS first FROM games"
        " WHERE first IS NOT NULL ORDER BY id DESC LIMIT ?",
        most,
    )
    numbers = [last, *(number - 1 for (number,) in firsts if isinstance(number, int))]
    known = [(number, digest_at(journal, number)) for number in dict.fromkeys(numbers)]
    return [(number, digest) for number, digest in known if digest is not None]


def digest_chain(journal: JournalReader, salt: bytes) -> Iterator[DigestLink]:
    """Yield every record of a journal in order. An unreadable row counts as an empty one."""
    digest = EMPTY_DIGEST
    for game_id, stored in journal.rows("SELECT id, digest FROM games ORDER BY id"):
        running = digest_after(digest, _text_of_header(journal, game_id))
        yield DigestLink("games", game_id, running, stored)
        last = 0
        query = f"SELECT {_ENTRY}, digest FROM entries WHERE game_id = ? AND id > ? ORDER BY id LIMIT ?"
        while rows := journal.rows(query, game_id, last, _PAGE):
            for _, number, *row, stored in rows:
                digest = running = digest_after(running, _text_of_entry(number, tuple(row), salt))
                yield DigestLink("entries", number, digest, stored)
                last = number


_ENTRY = "game_id, id, at_us, kind, line, answer, board, boot, number"


def _text_of_entry(number: int, row: Row, salt: bytes) -> RecordText:
    try:
        return entry_text(number, entry_of_row(row), salt)
    except (Unreadable, JournalError):
        return entry_text(number, Entry(row[0] if isinstance(row[0], int) else 0, "note"), salt)


def _text_of_header(journal: JournalReader, game_id: int) -> RecordText:
    rows = journal.rows(f"SELECT {HEADER_COLUMNS} FROM games WHERE id = ?", game_id)
    try:
        return header_text(game_id, header_of_row(rows[0]))
    except (Unreadable, JournalError, IndexError):
        return header_text(game_id, _BLANK)


def _digest(journal: JournalReader, query: str, number: int) -> str | None:
    match journal.rows(query, number):
        case []:
            return None
        case [(str(digest),)]:
            return digest
        case rows:
            raise JournalDamaged(journal.path, f"the row {rows[0]!r} instead of a digest")
