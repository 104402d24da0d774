"""What a client may ask of the table: a class a method, whose fields are its parameters. Decoding, checking, the list
of each role's methods and docs/api.md are all made from these.

``device`` is the SHA-256 of the secret by which somebody is paired, in hex: the table looks it up, whoever says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

VERSION = 1
"""Of the API. It changes when a client that knows this one would be wrong."""


class Role(StrEnum):
    """Who a socket is for; each has a socket of its own."""

    PAGE = "page"
    BRIDGE = "bridge"
    ADMIN = "admin"


Seat: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Text: TypeAlias = Annotated[str, Meta(max_length=100)]
GameId: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)]
NameVisibility: TypeAlias = Literal["name", "initial", "nothing"]
Device: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]

MOST_ENTRIES = 64
"""Entries of a game in one answer."""
MOST_STREAMED = 131_072
"""Bytes of records in one answer, as far as it has more than one entry."""
MOST_GAMES = 21
LONGEST_DECK = 262_144
"""Characters of a deck's file."""
LONGEST_MANIFEST = 60_000


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The root of all; `roles` may ask it."""

    roles: ClassVar[frozenset[Role]] = frozenset()
    METHOD: ClassVar[str] = ""


class Reading(Request, frozen=True):
    """What changes nothing: everybody may ask it."""

    roles = frozenset(Role)


class Change(Request, frozen=True, kw_only=True):
    """What changes something: the page asks it for somebody who is paired, an administrator for anybody."""

    roles = frozenset({Role.PAGE, Role.ADMIN})
    device: Device = ""


class Hello(Reading, frozen=True):
    """Ask what this table is: see `facts.TableFacts`. A client of another `version` is told so, and let go."""

    version: int


class Subscribe(Reading, frozen=True):
    """From now on be told of these topics, and of no others: first how they are, then whenever they change."""

    topics: Annotated[tuple[Text, ...], Meta(max_length=32)]


class Games(Reading, frozen=True):
    """The games in the journal, the last begun first, at most so many; with `before`, of those begun before that
    one."""

    before: GameId | None = None
    most: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = MOST_GAMES


class GameRecord(Reading, frozen=True):
    """One game of the journal: what it was set up with, and how it ended."""

    METHOD = "game"

    game: GameId


class Entries(Reading, frozen=True):
    """What is written of a game, in order, after entry `after` (0: from its beginning). The numbers of tags that are in
    no deck have other names here, unless `device` is paired."""

    game: GameId
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    most: Annotated[int, Meta(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES
    device: Device = ""


class Readers(Request, frozen=True):
    """What was counted of each pad's reader since its board, or else the table, was started: `set_ups` after the first,
    registers found `wrong`, resets by which it was `healed` (it heard a card at once that it hadn't heard before),
    cards that answered and were `unread`, and `misread` looks."""

    roles = frozenset({Role.ADMIN})


class ExportRequest(Request, frozen=True):
    """What is asked by who carries the journal elsewhere."""

    roles = frozenset({Role.BRIDGE, Role.ADMIN})


class Stream(ExportRequest, frozen=True):
    """The records of the journal, whose identity is `journal`, that follow entry `after` (0: from its beginning), as
    they may leave the table; `digest` is the running digest after that entry, null where there is none, and `last` the
    number of the last one. At most so many entries; fewer where they are large."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    most: Annotated[int, Meta(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES


class Positions(ExportRequest, frozen=True):
    """Where one who knows only a part of the journal may find it again: in `known` numbers of entries, each with the
    digest after it, first that of the last entry, then those before the first entry of each of the latest games."""

    most: Annotated[int, Meta(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES


class NewGame(Change, frozen=True):
    """Begin a game as agreed now."""


class SetUp(Change, frozen=True):
    """Begin another game. What is left out is as usual; `starter` is a seat, ``rules`` or ``youngest``; `deck` "" is
    one that fits."""

    players: Seat
    starter: Seat | Literal["rules", "youngest"] = "rules"
    game: Text = ""
    edition: Text = ""
    settings: Annotated[Mapping[Text, int | Text], Meta(max_length=100)] = {}
    names: Annotated[tuple[Text, ...], Meta(max_length=6)] = ()
    deck: Text = ""


class SavePreset(SetUp, frozen=True, kw_only=True):
    """Keep a set-up by a name, in place of one that has it."""

    name: Text


class DeletePreset(Change, frozen=True):
    """Forget a preset."""

    name: Text


class NamePlayers(Change, frozen=True):
    """Call the players so from now on, seat 1 first, "" for one without a name; the game goes on. The name of the
    member who sits at a seat leaves the member there."""

    names: Annotated[tuple[Text, ...], Meta(max_length=6)]


class UseControl(Change, frozen=True):
    """Use a control that the game has of its own, with its fields."""

    control: Text
    fields: Annotated[Mapping[Text, int | Text], Meta(max_length=20)] = {}


SharedControl: TypeAlias = Literal[
    "take-back", "withdraw", "reshuffle", "pause", "resume", "check", "break-off", "end-game"
]


class Control(Change, frozen=True):
    """Use a control that every game has, as its card would; a take-back may be asked for from a `seat`, whose button
    can't grant it then."""

    control: SharedControl
    seat: Seat | None = None


class RowsChecked(Change, frozen=True):
    """While the table is checked: the rows of this seat's team are."""

    seat: Seat


class HandCounted(Change, frozen=True):
    """While the table is checked: this seat holds so many cards."""

    seat: Seat
    count: Annotated[int, Meta(ge=0, le=20)]


class Lost(Change, frozen=True):
    """A card is lost, and out of the game."""

    card: Text


class Recovered(Change, frozen=True):
    """A card that was lost is there again."""

    card: Text


class Vacate(Change, frozen=True):
    """The player of a seat leaves."""

    seat: Seat


class Enrol(Change, frozen=True):
    """Enrol a deck at the discard pad, a new one too, for a `game`; one `kind` before the others."""

    deck: Text
    game: Text = ""
    kind: Text = ""


class EnrolOnly(Change, frozen=True):
    """Enrol new tags for these cards and controls of a deck."""

    deck: Text
    cards: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=200)]


class EnrolKind(Change, frozen=True):
    """Go on with this kind."""

    kind: Text


class EnrolStep(Change, frozen=True):
    """Go back by one tag, put off what is wanted, or leave the rest for later."""

    step: Literal["undo", "skip", "stop"]


class CheckDeck(Change, frozen=True):
    """Check at the discard pad whether a deck is whole."""

    deck: Text


class UseDeck(Change, frozen=True):
    """Play with a deck from now on."""

    deck: Text


class ReadManifest(Change, frozen=True):
    """What describes the cards of a deck; of a game's sample under this name, where there is no such deck, or
    `anew`."""

    deck: Text
    game: Text = ""
    anew: bool = False


class DescribeDeck(Change, frozen=True):
    """A deck has the cards of this manifest from now on, a new one too; its tags stay what they are."""

    deck: Text
    manifest: Annotated[str, Meta(max_length=LONGEST_MANIFEST)]
    game: Text = ""


class RenameDeck(Change, frozen=True):
    """Call a deck otherwise."""

    deck: Text
    name: Text


class DeleteDeck(Change, frozen=True):
    """Take a deck, or a damaged file of one, out of use; it is kept aside."""

    deck: Text


class ReadDeck(Change, frozen=True):
    """The file of a deck."""

    deck: Text


class BringDeck(Change, frozen=True):
    """Take in the file of a deck, under the name in it; one that it replaces is kept aside."""

    content: Annotated[str, Meta(max_length=LONGEST_DECK)]


class Members(Reading, frozen=True):
    """Who has a card, as the topic ``members`` tells it: ``members``."""


class MemberSecrets(Request, frozen=True):
    """What shows a league whose members they are: ``secrets``, by the ids of members and of those who were deleted. Ids
    from before there were secrets have none."""

    roles = frozenset({Role.BRIDGE})


class AwayAsked(Request, frozen=True):
    """Return what the bridge passes on to a league about playing away: the SHA-256 of the ``codes`` that are shown
    here, and this table's members who ``play`` at other clubs' tables, each with the ``secret`` and the other table's
    ``code``."""

    roles = frozenset({Role.BRIDGE})


class ShowAwayCode(Change, frozen=True):
    """Make a ``code`` by which one member of another club plays here: it is entered once, at their own club's table,
    within an hour."""


class PlayAway(Change, frozen=True):
    """Let a `member` of this table play at the table of another club that shows this `code`: the league is told."""

    member: Text
    code: Text


class EnrolMember(Change, frozen=True):
    """The next tag at the discard pad becomes the card of this `member`, or of a new one by this `name`, who is there
    at once; with `replace` the old cards count no more. The answer is the ``member``."""

    member: Text = ""
    name: Text = ""
    colour: Text = ""
    shown: NameVisibility = "name"
    replace: bool = False


class EnrolMemberStop(Change, frozen=True):
    """Wait for nobody's card any longer."""


class ChangeMember(Change, frozen=True):
    """A member is called or shown otherwise; what is left out stays. With `forget_cards` no card is theirs any more."""

    member: Text
    name: Text | None = None
    colour: Text | None = None
    shown: NameVisibility | None = None
    forget_cards: bool = False


class DeleteMember(Change, frozen=True):
    """Forget a member, who gets up: a random id without a name is left in the journal."""

    member: Text


class SeatMember(Change, frozen=True):
    """A member sits at this seat from now on, in a game that is under way too, and nobody else; at none without a
    `seat`. `member` "": nobody does."""

    member: Text
    seat: Seat | None = None


class PlayOn(Change, frozen=True):
    """Somebody else plays on at this seat, with its hand, turns and button as they are: whoever plays at the seat
    `like`, who plays both from now on, this `member`, or a guest called by this `name`; one of the three is given."""

    seat: Seat
    like: Seat | None = None
    member: Text = ""
    name: Text = ""


class ExportMember(Change, frozen=True):
    """All that the table has stored of a member: the ``member`` with the cards' numbers, and the ``games``, the last
    begun first, in which they sat at ``seats``, of so many that were begun before game `before`; ``before`` in the
    answer asks for those that are left, unless it is null."""

    member: Text
    before: GameId | None = None


class BlotNames(Change, frozen=True):
    """Blot these names, as they were typed in, out of all that was written down; all of them without any. ``blotted``
    says how many places there were."""

    names: Annotated[tuple[Text, ...], Meta(max_length=64)] | None = None


class PowerOff(Change, frozen=True):
    """Switch the computer off."""


class ShowAddress(Change, frozen=True):
    """Show the page's address at the table."""


class Devices(Change, frozen=True):
    """Who is paired."""


class Unpair(Change, frozen=True):
    """Let these be paired no longer, by their ids; `everybody` if all."""

    ids: Annotated[tuple[Text, ...], Meta(max_length=64)] = ()
    everybody: bool = False


class ForThePage(Request, frozen=True):
    """What the page alone may ask, for whoever is there."""

    roles = frozenset({Role.PAGE})


class Who(ForThePage, frozen=True):
    """Who is paired by this secret's SHA-256."""

    device: Device


class ShowCode(ForThePage, frozen=True):
    """Show at the table a code by which somebody can be paired; the one that is shown, as long as it holds."""


class Pair(ForThePage, frozen=True):
    """Pair whoever knows the code, by a name that they give."""

    code: Text
    name: Text


class PageAt(ForThePage, frozen=True):
    """Tell the table where the page is on the network, best first, for its display, and what is wrong with it ("":
    nothing)."""

    addresses: Annotated[tuple[Text, ...], Meta(max_length=16)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    fault: Text = ""


CommandName: TypeAlias = Literal["pause", "resume"]


class Command(Request, frozen=True):
    """Pause the game, or go on, for somebody of another system; only where the table's configuration allows commands
    below ``[mqtt]``, and once a second at most."""

    roles = frozenset({Role.BRIDGE})

    command: CommandName


def method_of(request: type[Request]) -> str:
    """Return the name of a request's method: its `METHOD`, or ``set-up`` for `SetUp`."""
    return request.METHOD or re.sub(r"(?<!^)(?=[A-Z])", "-", request.__name__).lower()


def _all(root: type[Request]) -> list[type[Request]]:
    below = [each for child in root.__subclasses__() for each in _all(child)]
    return [*([root] if root.__module__ == __name__ and root not in _ROOTS else []), *below]


_ROOTS = (Request, Reading, ExportRequest, Change, ForThePage)
REQUESTS: Mapping[str, type[Request]] = {method_of(request): request for request in _all(Request)}
"""Every method of a table, by its name."""
