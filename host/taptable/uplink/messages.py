"""The messages between a table's bridge and a league, over any MQTT broker. Both sides encode and decode them here, and
sign them with the table's key, since nobody else is trusted to write them, not even the broker. Must not know how
either side makes or uses them."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from taptable.core.errors import TaptableError

ROOT = "taptable-league"
"""The first level of all topics."""
VERSION = 1
"""The version of all messages but those of `SECRETS_VERSION`. A message of another version is rejected."""
SECRETS_VERSION = 2
"""The version of a `MemberSaid` with the secret from which the member's id is derived."""
MAX_RECORDS = 256
"""Maximum number of records in one batch. The table sends at most `requests.MAX_ENTRIES` entries in one."""
LONGEST = 524_288
"""Maximum bytes of a message."""
MAX_KNOWN = 100
"""Maximum number of positions in one `Where`."""
MAX_NUMBER = 2**53 - 1
"""Maximum number of an entry: the largest integer that every JSON parser reads exactly."""

JournalId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
"""The identity of a journal."""
Digest = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")]
"""The digest after an entry; "" at the beginning."""

DIVERGED, GAP, REVOKED, UNKNOWN_JOURNAL = "diverged", "gap", "revoked", "unknown-journal"
"""Remarks that the bridge itself acts on: the journal differs from the stored one; an earlier batch is missing; nothing
with this key is accepted; nothing of this journal is stored yet, and the batch isn't its beginning. All others are for
people."""


class BadMessage(TaptableError):
    """A message that can't be read, or isn't signed with the table's key."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table, by the id that the league gave it. The table publishes below ``up`` alone, and
    subscribes below ``down``."""

    table: str

    @property
    def entries(self) -> str:
        """`Batch`, from the table, QoS 1."""
        return f"{ROOT}/{self.table}/up/entries"

    @property
    def where(self) -> str:
        """`Where`, from the table, QoS 1. The league answers it with a `Confirmed`."""
        return f"{ROOT}/{self.table}/up/where"

    @property
    def members(self) -> str:
        """`MemberSaid`, from the table, QoS 1."""
        return f"{ROOT}/{self.table}/up/members"

    @property
    def away_codes(self) -> str:
        """`AwayCodeShown`, from the table, QoS 1."""
        return f"{ROOT}/{self.table}/up/away-codes"

    @property
    def away(self) -> str:
        """`MemberAway`, from the table, QoS 1."""
        return f"{ROOT}/{self.table}/up/away"

    @property
    def confirmed(self) -> str:
        """`Confirmed`, from the league, QoS 1 and retained; QoS 0 is enough for the subscriber."""
        return f"{ROOT}/{self.table}/down/confirmed"


def table_of(topic: str) -> str:
    """Return the id of the table to which a topic belongs."""
    return topic.split("/")[1]


class Position(Struct, frozen=True):
    """How far a journal is known: its entries up to `number` (0: none), and `digest`, its digest after that entry. A
    message with any other form of these is invalid."""

    journal: JournalId
    number: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    digest: Digest


class Batch(Struct, frozen=True):
    """Records of a journal that follow a position, in order, each in the form of `memory.digest`. `branch` counts how
    often this journal continued from an earlier point, as a restored backup does."""

    version: int
    position: Position
    branch: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    records: tuple[Raw, ...]


class Where(Struct, frozen=True):
    """Asks the league how far it has the journal. `known` are positions in the table's journal, the latest first: its
    end, and those before the first entry of games. The league continues from the first of them that it has, too."""

    version: int
    known: Annotated[tuple[Position, ...], Meta(max_length=MAX_KNOWN)]


class Confirmed(Struct, frozen=True):
    """Confirms that all up to this position is stored, in this branch of the journal. `remark` is empty, or a key of
    the catalogues' context ``league-remark`` for the table's people."""

    version: int
    position: Position
    branch: int
    remark: str = ""


class MemberSaid(Struct, frozen=True):
    """Publishes a member by the id in the journals; with ``deleted`` the league forgets name and colour. `shown` is
    what the public sees: the name, its first letter, or nothing. In version 2 `secret` proves whose member it is: the
    id is the first 16 hex digits of its SHA-256. Ids from before there were secrets come in version 1."""

    version: int
    id: str
    name: str = ""
    colour: str = ""
    shown: Literal["name", "initial", "nothing"] = "nothing"
    deleted: bool = False
    secret: Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")] = ""


class AwayCodeShown(Struct, frozen=True):
    """The table shows a code that gives a member of another club leave to play there. `digest` is the code's SHA-256 in
    hex."""

    version: int
    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class MemberAway(Struct, frozen=True):
    """A member of the table's club, proved by `secret`, plays at the table that shows this `code`."""

    version: int
    secret: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    code: Annotated[str, Meta(pattern=r"^[0-9A-Z]{10}\Z")]


_Message = TypeVar("_Message", Batch, Where, Confirmed, MemberSaid, AwayCodeShown, MemberAway)


def encode_signed(message: Struct, topic: str, key: bytes) -> bytes:
    """Encode a message for a topic: the signature in hex, a line feed, and JSON."""
    body = msgspec.json.encode(message)
    return _signature(topic, body, key) + b"\n" + body


def decode_signed(payload: bytes, topic: str, key: bytes, kind: type[_Message]) -> _Message:
    """Decode a message of that kind at a topic. Raises `BadMessage` if it is none, or isn't signed with this key for
    this topic."""
    if len(payload) > LONGEST:
        raise BadMessage(f"{topic}: a message of {len(payload)} bytes, and {LONGEST} are the most")
    signature, _, body = payload.partition(b"\n")
    if not hmac.compare_digest(signature, _signature(topic, body, key)):
        raise BadMessage(f"{topic}: a message that isn't signed with the table's key")
    try:
        message = msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"{topic}: {error}") from error
    known = SECRETS_VERSION if isinstance(message, MemberSaid) and message.secret else VERSION
    if message.version != known:
        raise BadMessage(f"{topic}: a message of version {message.version}, and {known} is known here")
    return message


def _signature(topic: str, body: bytes, key: bytes) -> bytes:
    return hmac.new(key, topic.encode() + b"\n" + body, "sha256").hexdigest().encode()
