"""A journal's running digest, which shows whether two journals of one identity are the same up to a number. It covers
only data that may leave the table, so that a league can compute it too. A note counts by its time alone, since it may
name people, unless it says who sits where. Pseudonyms, made with the journal's own salt, replace the numbers of tags
that are in no deck. Must not know where a journal is stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b, sha256
from typing import TypeAlias

from taptable.core.announcements import type_name
from taptable.core.tag_notices import MembersSeated
from taptable.memory.game_export import pseudonymize_tags
from taptable.memory.records import Entry, GameHeader, row_of_header, to_json

_MAY_BE_TAG = re.compile(r'"[0-9a-f]{8,20}"')

EMPTY_DIGEST = ""
"""The digest of an empty journal."""

RecordText: TypeAlias = str
"""A record as JSON, as it may leave the table: ``["game", id, [columns]]`` or ``["entry", number, at_us, kind, line,
answer]``."""


def header_text(game_id: int, header: GameHeader) -> RecordText:
    """Return the text of a game's beginning, with the columns of `row_of_header`."""
    return _text(["game", game_id, list(row_of_header(header))])


def entry_text(number: int, entry: Entry, salt: bytes) -> RecordText:
    """Return the text of an entry, without anything about people or tags."""
    if entry.kind == "note" and (entry.line or {}).get("type") != type_name(MembersSeated):
        entry = replace(entry, line=None)
    text = _text(["entry", number, entry.at_us, entry.kind, entry.line, entry.answer])
    if _MAY_BE_TAG.search(text) is None:
        return text
    shown = pseudonymize_tags(entry, pseudonymizer(salt))
    return _text(["entry", number, shown.at_us, shown.kind, shown.line, shown.answer])


def pseudonymizer(salt: bytes) -> Callable[[str], str]:
    """Return a function that gives each UID a pseudonym. It is always the same within one journal, so that a replay
    works with it, too."""

    def call(uid: str) -> str:
        return blake2b(bytes.fromhex(uid), key=salt, digest_size=len(uid) // 2).hexdigest()

    return call


def digest_after(digest: str, text: RecordText) -> str:
    """Return the digest after one more record, as 32 hex digits."""
    return sha256(f"{digest}\n{text}".encode()).hexdigest()[:32]


def _text(value: list[object]) -> RecordText:
    text = to_json(value)
    assert text is not None
    return text
