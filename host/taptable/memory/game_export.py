"""Recorded games as JSON, for files and for messages. A `Transcript` is a game with its entries, as the journal or a
file has it; an export is its text, for keeping, sending and other programs. docs/journal.md describes the format, which
is only ever extended. Must not know a rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, cast, get_args

from taptable.core.announcements import type_name
from taptable.core.device_events import Origin, is_tag_number
from taptable.core.errors import JournalError
from taptable.core.json_text import NotJson, parse_json
from taptable.core.spelling import escape_control_chars
from taptable.core.tag_notices import MemberSeen, MembersSeated
from taptable.memory.records import Entry, EntryKind, GameHeader, GameSummary

FORMAT = 1
"""The version of the format, under the key ``taptable-game``."""
_MEMBER_NOTICES = frozenset(map(type_name, (MembersSeated, MemberSeen)))

_SUMMARY: Mapping[str, tuple[type, ...]] = {
    "id": (int,),
    "game": (str,),
    "edition": (str,),
    "players": (int,),
    "settings": (dict,),
    "starter": (int, NoneType),
    "language": (str,),
    "deck": (str,),
    "manifest": (str,),
    "rules_version": (str,),
    "heir": (int, str, float, list, dict, NoneType),
    "begun_at_us": (int,),
    "begun_utc": (str, NoneType),
    "length_us": (int,),
    "outcome": (dict, NoneType),
}
_KEYS = {"next_starter": "heir"}
"""Keys of an export by the fields of `GameHeader`, where they differ."""
_HEADER = tuple(field.name for field in fields(GameHeader) if field.name != "at_us")
_ENTRY: Mapping[str, tuple[type, ...]] = {
    "at_us": (int,),
    "kind": (str,),
    "line": (dict, NoneType),
    "answer": (dict, NoneType),
}
_ORIGIN: Mapping[str, tuple[type, ...]] = {"board": (str,), "boot": (int,), "number": (int,)}


@dataclass(frozen=True, slots=True)
class Transcript:
    """A recorded game and its entries, in order."""

    game: GameSummary
    entries: tuple[Entry, ...]


def export_text(transcript: Transcript) -> str:
    """Return a game's export: JSON, one entry per line."""
    return "".join(export_pieces(transcript.game, transcript.entries))


def export_pieces(game: GameSummary, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the text of a game's export in pieces: one for each entry, taken from `entries` one by one, and some before
    and after."""
    top = json_of_summary(game).items()
    yield "{\n" + "".join(f"  {_json(key)}: {_json(value)},\n" for key, value in top) + '  "entries": ['
    between = "\n"
    for entry in entries:
        yield f"{between}    {_json(json_of_entry(entry))}"
        between = ",\n"
    yield "\n  ]\n}\n"


def json_of_summary(game: GameSummary) -> dict[str, Any]:
    """Return a game without its entries, ready for `json.dumps`. `summary_in` is the inverse."""
    header = game.header
    return {
        "taptable-game": FORMAT,
        "id": game.id,
        "game": header.game,
        "edition": header.edition,
        "players": header.players,
        "settings": dict(header.settings),
        "starter": header.starter,
        "language": header.language,
        "deck": header.deck,
        "manifest": header.manifest,
        "rules_version": header.rules_version,
        "heir": header.next_starter,
        "begun_at_us": header.at_us,
        "begun_utc": header.begun_utc,
        "length_us": game.length_us,
        "outcome": game.outcome,
    }


def pseudonymize_tags(entry: Entry, pseudonym_of: Callable[[str], str]) -> Entry:
    """Return the entry with `pseudonym_of` applied to the numbers of tags that are in no deck. Members' ids look like
    such numbers, and stay."""
    if entry.kind == "note" and (entry.line or {}).get("type") in _MEMBER_NOTICES:
        return entry

    def hide(value: Any) -> Any:
        match value:
            case str() if is_tag_number(value):
                return pseudonym_of(value)
            case dict():
                return {key: hide(each) for key, each in cast("dict[str, Any]", value).items()}
            case list():
                return [hide(each) for each in cast("list[Any]", value)]
            case _:
                return value

    return replace(entry, line=hide(entry.line), answer=hide(entry.answer))


def transcript_in(data: bytes, source: str) -> Transcript:
    """Return the game in the bytes of an export. Raises `JournalError` with the reason if there is none."""
    try:
        top: object = parse_json(data)
    except NotJson as error:
        raise JournalError(f"{source} is no recorded game: it is no JSON ({error})") from error
    if not isinstance(top, dict) or "taptable-game" not in top:
        raise JournalError(f'{source} is no recorded game: it begins with {{"taptable-game": {FORMAT}, …}}')
    if _has_control(cast("object", top)):
        raise JournalError(f"{source} is no recorded game: it has control characters in a text")
    values: dict[str, Any] = {"manifest": "", **cast("dict[str, Any]", top)}  # the first exports had none
    if values["taptable-game"] != FORMAT:
        raise JournalError(
            f"{source} is a recorded game of format {values['taptable-game']!r:.20}, and this taptable knows {FORMAT}"
        )
    game = summary_in(values, source)
    _check(values, {"entries": (list,)}, source)
    entries = tuple(entry_in(entry, f"{source}, entry {number}") for number, entry in enumerate(values["entries"], 1))
    return Transcript(game, entries)


def summary_in(values: Any, source: str) -> GameSummary:
    """Return the game that `json_of_summary` was given. Raises `JournalError` for anything else."""
    found = _check(values, _SUMMARY, source)
    if not all(isinstance(value, str) for value in found["settings"].values()):
        raise JournalError(f"{source} is no recorded game: settings are texts")
    header = GameHeader(at_us=found["begun_at_us"], **{field: found[_KEYS.get(field, field)] for field in _HEADER})
    ended_at_us = header.at_us + found["length_us"]
    return GameSummary(found["id"], header, ended_at_us, found["outcome"])


def json_of_entry(entry: Entry) -> dict[str, Any]:
    """Return one entry as JSON, with its origin if it has one. `entry_in` is the inverse."""
    values: dict[str, Any] = {"at_us": entry.at_us, "kind": entry.kind, "line": entry.line, "answer": entry.answer}
    if entry.origin is not None:
        values["origin"] = {"board": entry.origin.board, "boot": entry.origin.boot, "number": entry.origin.number}
    return values


def entry_in(value: object, source: str) -> Entry:
    """Return the entry that `json_of_entry` was given. Raises `JournalError` for anything else."""
    values = _check(value, _ENTRY, source)
    if values["kind"] not in get_args(EntryKind) or (values["line"] is None and values["kind"] != "taken"):
        raise JournalError(f"{source} is none: its kind is one of {', '.join(get_args(EntryKind))}, with a line")
    origin = _check(values["origin"], _ORIGIN, source) if "origin" in values else None
    return Entry(
        values["at_us"],
        values["kind"],
        values["line"],
        values["answer"],
        None if origin is None else Origin(origin["board"], origin["boot"], origin["number"]),
    )


def _check(value: object, keys: Mapping[str, tuple[type, ...]], source: str) -> dict[str, Any]:
    """Return an object that has these keys with values of these types, and possibly others. Raises `JournalError`."""
    if not isinstance(value, dict):
        raise JournalError(f"{source} is no JSON object")
    found = cast("dict[str, Any]", value)
    faulty = [key for key, kinds in keys.items() if key not in found or not _is_one_of(found[key], kinds)]
    if faulty:
        raise JournalError(f"{source}: missing, or not as an export has them: {', '.join(faulty)}")
    return found


def _has_control(value: object) -> bool:
    """Return whether a text in a JSON value contains control characters, which a terminal would obey."""
    match value:
        case str():
            return escape_control_chars(value) != value
        case dict():
            items = cast("dict[str, object]", value)
            return any(map(_has_control, items)) or any(map(_has_control, items.values()))
        case list():
            return any(map(_has_control, cast("list[object]", value)))
        case _:
            return False


def _is_one_of(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
