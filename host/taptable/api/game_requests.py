"""The requests about games: reading what the table knows of them, starting one, and correcting it. This module must not
know how a request is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from taptable.api.request_base import MAX_ENTRIES, MAX_GAMES, Change, Device, GameId, Reading, Request, Role, Seat, Text


class Hello(Reading, frozen=True):
    """Return the facts about this table: see `facts.TableFacts`. Refuses a client of another `version`."""

    version: int


class Subscribe(Reading, frozen=True):
    """Subscribe to these topics, and to no others: the table sends all of them at once, then those that change."""

    topics: Annotated[tuple[Text, ...], Meta(max_length=32)]


class Games(Reading, frozen=True):
    """Return up to `most` games of the journal, the last begun first; with `before`, only those that began before that
    one."""

    before: GameId | None = None
    most: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = MAX_GAMES


class GameRecord(Reading, frozen=True):
    """Return one game of the journal: its options, and how it ended."""

    METHOD = "game"

    game: GameId


class Entries(Reading, frozen=True):
    """Return the journal's entries of a game, in order, after entry `after` (0: from its beginning). UIDs of tags that
    are in no deck are replaced by pseudonyms, unless `device` is paired."""

    game: GameId
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    most: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)] = MAX_ENTRIES
    device: Device = ""


class Readers(Request, frozen=True):
    """Return the counters of each pad's reader since its board was started, or the table if the reader has no board:
    `set_ups` after the first, registers found `wrong`, resets by which it was `healed` (a card was found at once that
    had not been found before), cards that answered and were `unread`, and `misread` looks."""

    roles = frozenset({Role.ADMIN})


class ExportRequest(Request, frozen=True):
    """A request of a client that sends the journal elsewhere."""

    roles = frozenset({Role.BRIDGE, Role.ADMIN})


class Stream(ExportRequest, frozen=True):
    """Return the records of the journal, with its identity `journal`, that follow entry `after` (0: from its
    beginning), in the form in which they may leave the table. `digest` is the running digest after that entry, null
    where there is none, and `last` the number of the last one. Returns at most `most` entries, fewer where they are
    large."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    most: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)] = MAX_ENTRIES


class Positions(ExportRequest, frozen=True):
    """Return positions at which a copy of a part of the journal may agree with it: in `known` numbers of entries, each
    with the digest after it, first that of the last entry, then those before the first entry of each of the latest
    games."""

    most: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)] = MAX_ENTRIES


class NewGame(Change, frozen=True):
    """Begin a game with the options of the current one."""


class SetUp(Change, frozen=True):
    """Begin a game with other options. Those that are left out are at their defaults; `starter` is a seat, ``rules`` or
    ``youngest``; `deck` "" is one that fits."""

    players: Seat
    starter: Seat | Literal["rules", "youngest"] = "rules"
    game: Text = ""
    edition: Text = ""
    settings: Annotated[Mapping[Text, int | Text], Meta(max_length=100)] = {}
    names: Annotated[tuple[Text, ...], Meta(max_length=6)] = ()
    deck: Text = ""


class SavePreset(SetUp, frozen=True, kw_only=True):
    """Save a set-up under a name, in place of one that has it."""

    name: Text


class DeletePreset(Change, frozen=True):
    """Delete a preset."""

    name: Text


class NamePlayers(Change, frozen=True):
    """Name the players from now on, seat 1 first, "" for one without a name; the game continues. The name of the member
    who sits at a seat leaves the member there."""

    names: Annotated[tuple[Text, ...], Meta(max_length=6)]


class UseControl(Change, frozen=True):
    """Use a control that only this game has, with its fields."""

    control: Text
    fields: Annotated[Mapping[Text, int | Text], Meta(max_length=20)] = {}


SharedControl: TypeAlias = Literal[
    "take-back", "withdraw", "reshuffle", "pause", "resume", "check", "break-off", "end-game"
]


class Control(Change, frozen=True):
    """Use a control that every game has, as its card would. A take-back may be requested from a `seat`, whose button
    can't consent to it then."""

    control: SharedControl
    seat: Seat | None = None


class RowsChecked(Change, frozen=True):
    """Confirm, during a check of the table, the rows of this seat's team."""

    seat: Seat


class HandCounted(Change, frozen=True):
    """Report, during a check of the table, that this seat holds `count` cards."""

    seat: Seat
    count: Annotated[int, Meta(ge=0, le=20)]


class Lost(Change, frozen=True):
    """Take a lost card out of the game."""

    card: Text


class Recovered(Change, frozen=True):
    """Bring a lost card back into the game."""

    card: Text


class Vacate(Change, frozen=True):
    """Let the player of a seat leave the game."""

    seat: Seat
