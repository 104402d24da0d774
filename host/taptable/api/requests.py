"""The requests that a client may send to the table: one class for each method, whose fields are its parameters. Those
about games are in `game_requests`; this module has the others, and the list of all.
Decoding, checks, the list of each role's methods and docs/api.md are made from these classes. A field ``device`` is the
SHA-256, in hex, of the secret of a paired device; the table looks it up, whichever client sends it. This module must
not know how a request is carried out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from taptable.api.game_requests import Control as Control
from taptable.api.game_requests import DeletePreset as DeletePreset
from taptable.api.game_requests import Entries as Entries
from taptable.api.game_requests import ExportRequest as ExportRequest
from taptable.api.game_requests import GameRecord as GameRecord
from taptable.api.game_requests import Games as Games
from taptable.api.game_requests import HandCounted as HandCounted
from taptable.api.game_requests import Hello as Hello
from taptable.api.game_requests import Lost as Lost
from taptable.api.game_requests import NamePlayers as NamePlayers
from taptable.api.game_requests import NewGame as NewGame
from taptable.api.game_requests import Positions as Positions
from taptable.api.game_requests import Readers as Readers
from taptable.api.game_requests import Recovered as Recovered
from taptable.api.game_requests import RowsChecked as RowsChecked
from taptable.api.game_requests import SavePreset as SavePreset
from taptable.api.game_requests import SetUp as SetUp
from taptable.api.game_requests import SharedControl as SharedControl
from taptable.api.game_requests import Stream as Stream
from taptable.api.game_requests import Subscribe as Subscribe
from taptable.api.game_requests import UseControl as UseControl
from taptable.api.game_requests import Vacate as Vacate
from taptable.api.request_base import LONGEST_DECK as LONGEST_DECK
from taptable.api.request_base import LONGEST_MANIFEST as LONGEST_MANIFEST
from taptable.api.request_base import MAX_ENTRIES as MAX_ENTRIES
from taptable.api.request_base import MAX_GAMES as MAX_GAMES
from taptable.api.request_base import MAX_STREAMED as MAX_STREAMED
from taptable.api.request_base import VERSION as VERSION
from taptable.api.request_base import Change as Change
from taptable.api.request_base import Device as Device
from taptable.api.request_base import GameId as GameId
from taptable.api.request_base import NameVisibility as NameVisibility
from taptable.api.request_base import Reading as Reading
from taptable.api.request_base import Request as Request
from taptable.api.request_base import Role as Role
from taptable.api.request_base import Seat as Seat
from taptable.api.request_base import Text as Text
from taptable.api.request_base import Ticket as Ticket


class Enrol(Change, frozen=True):
    """Enrol cards into a deck at the discard pad, cards of this `kind` first. If there is no such deck, make one for
    `game`."""

    deck: Text
    game: Text = ""
    kind: Text = ""


class EnrolOnly(Change, frozen=True):
    """Enrol new tags for these cards and controls of a deck."""

    deck: Text
    cards: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=200)]


class EnrolKind(Change, frozen=True):
    """Enrol this kind next."""

    kind: Text


class EnrolStep(Change, frozen=True):
    """Undo one tag, skip the kind that is being enrolled, or stop and leave the rest for later."""

    step: Literal["undo", "skip", "stop"]


class CheckDeck(Change, frozen=True):
    """Check at the discard pad whether a deck is complete."""

    deck: Text


class UseDeck(Change, frozen=True):
    """Play with a deck from now on."""

    deck: Text


class ReadManifest(Change, frozen=True):
    """Return the manifest of a deck's cards. If there is no such deck, or with `anew`, return the manifest of the
    game's sample under this name instead."""

    deck: Text
    game: Text = ""
    anew: bool = False


class DescribeDeck(Change, frozen=True):
    """Give a deck, which may be a new one, the cards of this manifest. Its tags keep their cards."""

    deck: Text
    manifest: Annotated[str, Meta(max_length=LONGEST_MANIFEST)]
    game: Text = ""


class RenameDeck(Change, frozen=True):
    """Rename a deck."""

    deck: Text
    name: Text


class DeleteDeck(Change, frozen=True):
    """Take a deck, or a damaged file of one, out of use. Its file is moved aside and kept."""

    deck: Text


class ReadDeck(Change, frozen=True):
    """Return the file of a deck."""

    deck: Text


class BringDeck(Change, frozen=True):
    """Store the file of a deck under the name in it. A file that it replaces is moved aside and kept."""

    content: Annotated[str, Meta(max_length=LONGEST_DECK)]


class Members(Reading, frozen=True):
    """Return ``members``: who has a card, as in the topic ``members``."""


class MemberSecrets(Request, frozen=True):
    """Return ``secrets``, by which a league recognises the table's members, by the ids of members and of those who were
    deleted. Ids from before there were secrets have none."""

    roles = frozenset({Role.BRIDGE})


class AwayAsked(Request, frozen=True):
    """Return what the bridge passes on to a league about playing away: the SHA-256 of the ``codes`` that are shown
    here, and this table's members who ``play`` at other clubs' tables, each with the ``secret`` and the other table's
    ``code``."""

    roles = frozenset({Role.BRIDGE})


class ShowAwayCode(Change, frozen=True):
    """Make a ``code`` with which one member of another club may play here. It is entered once, at their own club's
    table, within an hour."""


class PlayAway(Change, frozen=True):
    """Let a `member` of this table play at the table of another club that shows this `code`, and notify the league."""

    member: Text
    code: Text


class EnrolMember(Change, frozen=True):
    """Make the next tag at the discard pad the card of this `member`, or of a new one with this `name`, who exists at
    once. With `replace` the old cards no longer count. The answer is the ``member``."""

    member: Text = ""
    name: Text = ""
    colour: Text = ""
    shown: NameVisibility = "name"
    replace: bool = False


class EnrolMemberStop(Change, frozen=True):
    """Stop waiting for a member's card."""


class ChangeMember(Change, frozen=True):
    """Change how a member is called or shown; fields that are left out stay. With `forget_cards` the member has no
    cards any more."""

    member: Text
    name: Text | None = None
    colour: Text | None = None
    shown: NameVisibility | None = None
    forget_cards: bool = False


class DeleteMember(Change, frozen=True):
    """Delete a member, who leaves their seat: only a random id without a name stays in the journal."""

    member: Text


class SeatMember(Change, frozen=True):
    """Seat a member at this `seat` from now on, even during a game, and nobody else there; at none without a `seat`.
    With `member` "" the seat has no member."""

    member: Text
    seat: Seat | None = None


class PlayOn(Change, frozen=True):
    """Let somebody else continue at this seat, with its hand, turns and button unchanged: the player of the seat
    `like`, who plays both from now on, this `member`, or a guest with this `name`; exactly one of the three."""

    seat: Seat
    like: Seat | None = None
    member: Text = ""
    name: Text = ""


class ExportMember(Change, frozen=True):
    """Return all that the table has stored of a member: the ``member`` with the cards' UIDs, and the ``games``, the
    last begun first, in which they sat at ``seats``, out of a limited number that began before game `before`.
    ``before`` in the answer requests the rest, unless it is null."""

    member: Text
    before: GameId | None = None


class BlotNames(Change, frozen=True):
    """Redact these names, spelled as they were typed in, in all that was written; without `names` all of them.
    ``blotted`` is the number of places."""

    names: Annotated[tuple[Text, ...], Meta(max_length=64)] | None = None


class AssignSeats(Change, frozen=True):
    """Begin to assign the seats by touching the parts: the game pauses, and the table opens all parts that are plugged
    in. With `seats` that many are asked for, otherwise as many as there are parts for. While seats are assigned it
    begins once more. The connection ends when the table changes to this and back."""

    seats: Annotated[int, Meta(ge=2, le=6)] | None = None


AssignmentStep: TypeAlias = Literal["back", "leave-out", "enough", "finish", "previous", "stop"]


class AssignStep(Change, frozen=True):
    """Go one step back; leave out the seat that is asked for; say that all seats have their parts; finish when nothing
    is asked any more, so that the parts are stored and the table plays with them; take the parts of the file before
    instead; or stop, and everything stays as it was."""

    step: AssignmentStep


class LookForParts(Change, frozen=True):
    """Look for parts that were plugged in elsewhere. The table starts again for this, and a game comes back paused."""


class PowerOff(Change, frozen=True):
    """Shut the computer down."""


class ShowAddress(Change, frozen=True):
    """Show the page's address at the table."""


class Devices(Change, frozen=True):
    """Return the devices that are paired."""


class Unpair(Change, frozen=True):
    """Unpair the devices with these ids, or `everybody`."""

    ids: Annotated[tuple[Text, ...], Meta(max_length=64)] = ()
    everybody: bool = False


class ForThePage(Request, frozen=True):
    """A request of the page alone, for any browser, paired or not."""

    roles = frozenset({Role.PAGE})


class Who(ForThePage, frozen=True):
    """Return `id` and `name` of the browser that is paired with the secret of this SHA-256; null for both if there is
    none."""

    device: Device


class ShowCode(ForThePage, frozen=True):
    """Show a pairing code at the table: a new one, or the present one while that is valid."""


class AskPresence(ForThePage, frozen=True):
    """Let somebody at a table that can't show a code allow one device to be paired, under a name that its user chose.
    The answer has the ``ticket`` of the request, the ``seat`` whose button is to be held for ``hold_s`` seconds (0:
    any button), and for how long the request holds: ``left_s``."""

    name: Text


class WithdrawPresence(ForThePage, frozen=True):
    """Withdraw the request with this ticket."""

    ticket: Ticket


class Pair(ForThePage, frozen=True):
    """Pair a device by the code that the table shows, under a name that its user chose, or by the `ticket` of a
    request, which has a name already. The answer is its ``secret``, "" while nobody at the table has allowed the
    request. For a ticket it also has the ``seat`` of the request, and ``tried``, the last try that has not allowed it:
    ``short``, ``other`` (another button was held), or ""."""

    code: Text
    name: Text
    ticket: Ticket = ""


class PageAt(ForThePage, frozen=True):
    """Report the page's addresses on the network, best first, for the table's display, and what is wrong with the page
    ("": nothing)."""

    addresses: Annotated[tuple[Text, ...], Meta(max_length=16)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    fault: Text = ""


CommandName: TypeAlias = Literal["pause", "resume"]


class Command(Request, frozen=True):
    """Pause or resume the game for another system. Refused unless the table's configuration allows commands below
    ``[mqtt]``, and if the last one was less than a second ago."""

    roles = frozenset({Role.BRIDGE})

    command: CommandName


def method_of(request: type[Request]) -> str:
    """Return the name of a request's method: its `METHOD`, or ``set-up`` for `SetUp`."""
    return request.METHOD or re.sub(r"(?<!^)(?=[A-Z])", "-", request.__name__).lower()


def _all(root: type[Request]) -> list[type[Request]]:
    below = [each for child in root.__subclasses__() for each in _all(child)]
    return [*([root] if root.__module__ in _MODULES and root not in _ROOTS else []), *below]


_MODULES = (Reading.__module__, Hello.__module__, __name__)
_ROOTS = (Request, Reading, ExportRequest, Change, ForThePage)
REQUESTS: Mapping[str, type[Request]] = {method_of(request): request for request in _all(Request)}
"""Every method of a table, by its name."""
