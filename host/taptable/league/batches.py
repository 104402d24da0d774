"""Decodes batches: the records as values, and the digest after each, made from the texts exactly as they arrived. Pure;
must not know the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast, get_args

import msgspec
from msgspec import Raw

from taptable.core.errors import LeagueError
from taptable.core.json_text import NotJson, check_depth
from taptable.league.limits import LONGEST_SETTINGS, MAX_BEGINNINGS
from taptable.memory.digest import RecordText, digest_after
from taptable.memory.records import Entry, EntryKind, GameHeader, Unreadable, summary_of_row
from taptable.uplink.messages import MAX_RECORDS, Batch

LONGEST_NAME = 100
"""Maximum number of characters in the name of a game, an edition, or rules."""
_MAX_AT_US = 2**53
"""The first number that is too large for a time in µs, or an entry."""
_KINDS = frozenset(get_args(EntryKind))


class Damaged(LeagueError):
    """A batch that no table can have written. `remark` is the key of its sentence."""

    def __init__(self, message: str, remark: str = "damaged") -> None:
        super().__init__(message)
        self.remark = remark


@dataclass(frozen=True, slots=True)
class GameBeginning:
    """The beginning of a game, after the entry `after`, at which the digest was `after_digest`."""

    in_journal: int
    header: GameHeader
    text: RecordText
    after: int
    after_digest: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """An entry with its number; `digest` is the journal's after it."""

    number: int
    entry: Entry
    text: RecordText
    digest: str


def read_batch(batch: Batch, in_game: bool) -> Sequence[GameBeginning | Numbered]:
    """Decode a batch's records; the last of them is an entry. `in_game`: the entries before the first header belong to
    a game that is known. Raises `Damaged` if the batch is invalid."""
    if len(batch.records) > MAX_RECORDS:
        raise Damaged(f"{len(batch.records)} records, and {MAX_RECORDS} are the most", "oversized")
    number, digest, in_a_row = batch.position.number, batch.position.digest, 0
    records: list[GameBeginning | Numbered] = []
    for raw in batch.records:
        text = _text(raw)
        record = _decode_record(text, number, digest)
        in_a_row = in_a_row + 1 if isinstance(record, GameBeginning) else 0
        if in_a_row > MAX_BEGINNINGS:
            raise Damaged(f"{in_a_row} games without an entry", "oversized")
        if isinstance(record, GameBeginning):
            in_game = True
        elif not in_game:
            raise Damaged(f"entry {record.number} stands before the beginning of a game")
        elif record.number <= number:
            raise Damaged(f"entry {record.number} stands after entry {number}")
        else:
            number = record.number
        digest = digest_after(digest, text)
        records.append(record if isinstance(record, GameBeginning) else replace(record, digest=digest))
    if not records or isinstance(records[-1], GameBeginning):
        raise Damaged("a batch ends with an entry")
    return records


def decode_beginning(text: RecordText, after: int, after_digest: str) -> GameBeginning:
    """Decode a stored beginning of a game. Raises `Damaged` if it is none."""
    record = _decode_record(text, after, after_digest)
    if not isinstance(record, GameBeginning):
        raise Damaged(f"no game begins with {text:.200}")
    return record


def decode_entry(text: RecordText) -> Entry:
    """Decode a stored entry. Raises `Damaged` if it is none."""
    record = _decode_record(text, 0, "")
    if not isinstance(record, Numbered):
        raise Damaged(f"no entry says {text:.200}")
    return record.entry


def _text(raw: Raw) -> RecordText:
    try:
        return bytes(raw).decode()
    except UnicodeDecodeError as error:
        raise Damaged(f"a record isn't written in UTF-8: {error}") from error


def _decode_record(text: RecordText, after: int, after_digest: str) -> GameBeginning | Numbered:
    try:
        check_depth(text)
        match msgspec.json.decode(text):
            case ["entry", int(number), int(at_us), str(kind), line, answer] if (
                0 < number < _MAX_AT_US and 0 <= at_us < _MAX_AT_US and kind in _KINDS
            ):
                return Numbered(number, Entry(at_us, cast(EntryKind, kind), _object(line), _object(answer)), text, "")
            case ["game", int(in_journal), [*columns]] if 0 < in_journal < _MAX_AT_US:
                _check_settings(columns)
                header = summary_of_row((in_journal, *columns, None, 0)).header
                _check_header(header)
                return GameBeginning(in_journal, header, text, after, after_digest)
            case _:
                pass
    except (msgspec.MsgspecError, Unreadable, NotJson) as error:
        raise Damaged(f"the record {text:.200}: {error!s:.200}") from error
    raise Damaged(f"the record {text:.200} is none that a journal has")


def _object(value: object) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise Unreadable(f"{value!r:.100} is no JSON object")
    return cast("dict[str, Any] | None", value)


def _check_settings(columns: Sequence[object]) -> None:
    texts = [column for column in columns[5:6] if isinstance(column, str)]  # where `row_of_header` has them
    if any(len(text) > LONGEST_SETTINGS for text in texts):
        raise Unreadable(f"house rules of {len(texts[0])} letters")


def _check_header(header: GameHeader) -> None:
    names = (header.game, header.edition, header.rules_version, header.begun_utc or "")
    if not all(len(name) <= LONGEST_NAME and name.isprintable() for name in names):
        raise Unreadable("names as no game has them")
    if not (0 <= header.at_us < _MAX_AT_US and 0 < header.players < 100):
        raise Unreadable("numbers as no game has them")
