"""The content of the journal as values (headers of games, entries, ends), and their conversion to rows of its tables
and back. `journal` writes these rows, `journal_reader` reads them. An entry has a line and an answer in the JSON of
`taptable referee`. Must not know SQL statements or the journal's file, nor what a line or an answer means; of a game's
outcome it reads only the winner."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from taptable.core.device_events import Origin
from taptable.core.errors import JournalError
from taptable.core.game_options import GameOptions

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object. Tuples that are written come back as lists."""

EntryKind: TypeAlias = Literal["observation", "note", "taken"]
"""``observation``: a line for the referee, with its answer. ``note``: a notice, as a line without an answer. ``taken``:
no line at all, but the `origin` of a board's event that led to no observation and no notice; so the event is known if
the board sends it again."""

Row: TypeAlias = tuple[int | str | None, ...]
"""One row of a table of the journal, in the order of that table's columns."""


@dataclass(frozen=True, slots=True)
class GameHeader:
    """Everything from which the referee can begin a game again. `at_us` is the table time of its beginning, and
    `begun_utc` the same by the computer's clock, only for people to read. `next_starter` is the seat that begins
    because of an earlier game's end: a JSON value that the game defines, in the column `heir`. `manifest` describes the
    cards; it is "" if every table has the same cards of this game."""

    at_us: int
    game: str
    edition: str
    players: int
    settings: Mapping[str, str]
    starter: int | None
    language: str
    deck: str
    rules_version: str
    next_starter: Any = None
    begun_utc: str | None = None
    manifest: str = ""

    @property
    def game_options(self) -> GameOptions:
        """The game options agreed before the game."""
        return GameOptions(self.players, self.edition, self.settings, self.starter, self.manifest)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a game, at table time `at_us`: a line for the referee and its answer, or what else `EntryKind`
    names. `origin` identifies the event of a seat board that caused it; None if no board did."""

    at_us: int
    kind: EntryKind
    line: JsonObject | None = None
    answer: JsonObject | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game with this outcome. The outcome None says that an end that was recorded has been taken back."""

    at_us: int
    outcome: JsonObject | None


Record: TypeAlias = GameHeader | Entry | Ending


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game in the list of games. `last_at_us` is the table time of its end, or of its latest entry."""

    id: int
    header: GameHeader
    last_at_us: int
    outcome: JsonObject | None

    @property
    def length_us(self) -> int:
        """The game's length in µs, pauses included."""
        return self.last_at_us - self.header.at_us

    @property
    def winner(self) -> tuple[int, ...] | None:
        """The winning seats; None while the game isn't over."""
        return None if self.outcome is None else tuple(self.outcome.get("winner", ()))


class Unreadable(ValueError):
    """A row or text that can't be converted: `Journal` writes none like it, so the file is damaged or was changed."""


def row_of_header(header: GameHeader) -> Row:
    """Return the header as a row of the table ``games``, in the order of `journal_reader.HEADER_COLUMNS`."""
    return (
        header.at_us,
        header.begun_utc,
        header.game,
        header.edition,
        header.players,
        to_json(dict(header.settings)),
        header.starter,
        header.language,
        header.deck,
        header.rules_version,
        to_json(header.next_starter),
        header.manifest,
    )


def header_of_row(row: Row) -> GameHeader:
    """Return the header of a row made by `row_of_header`. Raises `Unreadable`."""
    match row:
        case (
            int(at_us),
            str() | None as begun_utc,
            str(game),
            str(edition),
            int(players),
            str(settings),
            int() | None as starter,
            str(language),
            str(deck),
            str(rules_version),
            str() | None as next_starter,
            str(manifest),
        ):
            return GameHeader(
                at_us=at_us,
                game=game,
                edition=edition,
                players=players,
                settings=_read_object(settings) or {},
                starter=starter,
                language=language,
                deck=deck,
                rules_version=rules_version,
                next_starter=_read(next_starter),
                begun_utc=begun_utc,
                manifest=manifest,
            )
        case _:
            raise Unreadable(f"the row {row!r} of games")


def summary_of_row(row: Row) -> GameSummary:
    """Return the summary of a game. The row has the game's id, the columns of `row_of_header`, the outcome, and the
    table time `last_at_us`. Raises `Unreadable`."""
    match row:
        case (int(game_id), *header, str() | None as outcome, int(last_at_us)):
            return GameSummary(game_id, header_of_row(tuple(header)), last_at_us, _read_object(outcome))
        case _:
            raise Unreadable(f"the row {row!r} of games")


def row_of_entry(entry: Entry) -> Row:
    """Return the entry as a row of the table ``entries``, without the columns before ``at_us``."""
    origin = (
        (None, None, None) if entry.origin is None else (entry.origin.board, entry.origin.boot, entry.origin.number)
    )
    return (entry.at_us, entry.kind, to_json(entry.line), to_json(entry.answer), *origin)


def entry_of_row(row: Row) -> Entry:
    """Return the entry of a row made by `row_of_entry`. Raises `Unreadable`."""
    match row:
        case (int(at_us), str(kind), str() | None as line, str() | None as answer, *columns) if kind in get_args(
            EntryKind
        ):
            match columns:
                case [None, None, None]:
                    origin = None
                case [str(board), int(boot), int(number)]:
                    origin = Origin(board, boot, number)
                case _:
                    raise Unreadable(f"the origin {columns!r} of an entry")
            return Entry(at_us, cast(EntryKind, kind), _read_object(line), _read_object(answer), origin)
        case _:
            raise Unreadable(f"the row {row!r} of entries")


def to_json(value: Any) -> str | None:
    """Return a JSON value as one line of text, None for None. Raises `JournalError` for what JSON can't express."""
    if value is None:
        return None
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise JournalError(f"the journal can't take {value!r}: {error}") from error


def _read(text: str | None) -> Any:
    """Return the JSON value of a text, None for None. Raises `Unreadable`."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the text {text!r}: {error}") from error


def _read_object(text: str | None) -> dict[str, Any] | None:
    """Return the JSON object of a text, None for None. Raises `Unreadable`."""
    value = _read(text)
    if value is not None and not isinstance(value, dict):
        raise Unreadable(f"the text {text!r} is no JSON object")
    return cast("dict[str, Any] | None", value)
