"""A recorded game by itself: out of the journal, as a JSON file for keeping, sending and reading by other programs, and
back from such a file. The format is described in docs/journal.md and only ever added to. Knows no rule."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, cast, get_args

from taptable.core.errors import JournalError
from taptable.core.sightings import Origin, is_tag_number
from taptable.memory.reading import JournalReader
from taptable.memory.records import Entry, EntryKind, GameHeader, GameSummary

FORMAT = 1
"""The version of the format, under the key ``taptable-game``."""

_WHOLE: Mapping[str, tuple[type, ...]] = {
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
    "entries": (list,),
}
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
    """A recorded game and what happened in it, in order."""

    game: GameSummary
    entries: tuple[Entry, ...]


def transcript_of(journal: JournalReader, game_id: int) -> Transcript:
    """A game of the journal as far as it is written; `JournalError` if there is no such game."""
    return Transcript(journal.game(game_id), tuple(journal.entries(game_id)))


def text_of(transcript: Transcript) -> str:
    """The game as a file has it: JSON, an entry a line."""
    return "".join(text_lines(transcript.game, transcript.entries))


def text_lines(game: GameSummary, entries: Iterable[Entry]) -> Iterator[str]:
    """The same in pieces: one for each entry, taken from `entries` as it is wanted, and some before and after."""
    *top, (_, _) = export(Transcript(game, ())).items()
    yield "{\n" + "".join(f"  {_json(key)}: {_json(value)},\n" for key, value in top) + '  "entries": ['
    between = "\n"
    for entry in entries:
        yield f"{between}    {_json(_entry(entry))}"
        between = ",\n"
    yield "\n  ]\n}\n"


def export(transcript: Transcript) -> dict[str, Any]:
    """The whole game, ready for `json.dumps`."""
    game = transcript.game
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
        "heir": header.heir,
        "begun_at_us": header.at_us,
        "begun_utc": header.begun_utc,
        "length_us": game.length_us,
        "outcome": game.outcome,
        "entries": [_entry(entry) for entry in transcript.entries],
    }


def without_tags(entry: Entry, called: dict[str, str]) -> Entry:
    """The entry with other names for the numbers of tags that are in no deck, each always the same: ``tag-1``. `called`
    holds those given so far."""

    def hide(value: Any) -> Any:
        match value:
            case str() if is_tag_number(value):
                return called.setdefault(value, f"tag-{len(called) + 1}")
            case dict():
                return {key: hide(each) for key, each in cast("dict[str, Any]", value).items()}
            case list():
                return [hide(each) for each in cast("list[Any]", value)]
            case _:
                return value

    return replace(entry, line=hide(entry.line), answer=hide(entry.answer))


def transcript_in(data: bytes, source: str) -> Transcript:
    """The game in a file's bytes; `JournalError` says why there is none."""
    try:
        top: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"{source} is no recorded game: it is no JSON ({error})") from error
    if not isinstance(top, dict) or "taptable-game" not in top:
        raise JournalError(f'{source} is no recorded game: it begins with {{"taptable-game": {FORMAT}, …}}')
    values: dict[str, Any] = {"manifest": "", **cast("dict[str, Any]", top)}  # the first exports hadn't got any
    if values["taptable-game"] != FORMAT:
        raise JournalError(
            f"{source} is a recorded game of format {values['taptable-game']!r:.20}, and this taptable knows {FORMAT}"
        )
    _check(values, _WHOLE, source)
    if not all(isinstance(value, str) for value in values["settings"].values()):
        raise JournalError(f"{source} is no recorded game: settings are texts")
    entries = tuple(_entry_in(entry, f"{source}, entry {number}") for number, entry in enumerate(values["entries"], 1))
    header = GameHeader(at_us=values["begun_at_us"], **{field: values[field] for field in _HEADER})
    ended_at_us = header.at_us + values["length_us"]
    return Transcript(GameSummary(values["id"], header, ended_at_us, values["outcome"]), entries)


def _entry(entry: Entry) -> dict[str, Any]:
    """One entry, with its origin where it has one."""
    told: dict[str, Any] = {"at_us": entry.at_us, "kind": entry.kind, "line": entry.line, "answer": entry.answer}
    if entry.origin is not None:
        told["origin"] = {"board": entry.origin.board, "boot": entry.origin.boot, "number": entry.origin.number}
    return told


def _entry_in(value: object, source: str) -> Entry:
    """The entry that `_entry` gave."""
    told = _check(value, _ENTRY, source)
    if told["kind"] not in get_args(EntryKind) or (told["line"] is None and told["kind"] != "taken"):
        raise JournalError(f"{source} is none: its kind is one of {', '.join(get_args(EntryKind))}, with a line")
    origin = _check(told["origin"], _ORIGIN, source) if "origin" in told else None
    return Entry(
        told["at_us"],
        told["kind"],
        told["line"],
        told["answer"],
        None if origin is None else Origin(origin["board"], origin["boot"], origin["number"]),
    )


def _check(value: object, keys: Mapping[str, tuple[type, ...]], source: str) -> dict[str, Any]:
    """An object that has these keys with values of these types; others may be there too."""
    if not isinstance(value, dict):
        raise JournalError(f"{source} is no JSON object")
    found = cast("dict[str, Any]", value)
    wrong = [key for key, kinds in keys.items() if key not in found or not _is_one_of(found[key], kinds)]
    if wrong:
        raise JournalError(f"{source}: missing, or not as an export has them: {', '.join(wrong)}")
    return found


def _is_one_of(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
