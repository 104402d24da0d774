"""The messages between a table's bridge and a league, over any MQTT broker. Both sides make and read them here, and
sign them with the table's key: a broker is trusted with nothing but carrying them."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from taptable.core.errors import TaptableError

ROOT = "taptable-league"
VERSION = 1
SECRETS_VERSION = 2
"""Of a `MemberSaid` that shows the secret of which the member's id is made."""
MOST_RECORDS = 256
"""In one batch."""
LONGEST = 524_288
"""Bytes of a message."""
MOST_KNOWN = 100
"""Positions in one `Where`."""
MOST_NUMBER = 2**53 - 1
"""Of an entry: what every reader of JSON takes exactly."""

JournalId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
"""The identity of a journal."""
Digest = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")]
"""The digest after an entry; "" at the beginning."""

DIVERGED, GAP, REVOKED, UNKNOWN_JOURNAL = "diverged", "gap", "revoked", "unknown-journal"
"""Remarks that the bridge itself goes by: the journal isn't the one that is stored; an earlier batch hasn't come;
nothing is taken with this key; nothing is stored of this journal yet, and what came isn't its beginning. All others are
for people."""


class BadMessage(TaptableError):
    """A message that can't be read, or that nobody with the table's key has signed."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Of one table, by the id that the league gave it. It writes below ``up`` alone, and reads below ``down``."""

    table: str

    @property
    def entries(self) -> str:
        """`Batch`, from the table, QoS 1."""
        return f"{ROOT}/{self.table}/up/entries"

    @property
    def where(self) -> str:
        """`Where`, from the table, QoS 1: it is answered by a `Confirmed`."""
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
        """`Confirmed`, from the league, QoS 1 and retained; QoS 0 will do for who hears it."""
        return f"{ROOT}/{self.table}/down/confirmed"


def table_of(topic: str) -> str:
    """The id of the table whose topic that is."""
    return topic.split("/")[1]


class Position(Struct, frozen=True):
    """How far a journal is known: its entries up to `number` (0: none), after which its digest is `digest`. One of
    another form is no message."""

    journal: JournalId
    number: Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
    digest: Digest


class Batch(Struct, frozen=True):
    """Records of a journal that follow on a position, in order; each as `memory.digest` has it. `branch` counts how
    often this journal went on from an earlier point, as a restored backup does."""

    version: int
    position: Position
    branch: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    records: tuple[Raw, ...]


class Where(Struct, frozen=True):
    """*Where are we?* `known` are positions in the table's journal, the latest first: its end, and before the first
    entry of games. The league goes on from the first of them that it has as well."""

    version: int
    known: Annotated[tuple[Position, ...], Meta(max_length=MOST_KNOWN)]


class Confirmed(Struct, frozen=True):
    """All up to this position is stored, in this branch of the journal. `remark` is empty, or says in a key of the
    catalogues' context ``league-remark`` what the table's people should know."""

    version: int
    position: Position
    branch: int
    remark: str = ""


class MemberSaid(Struct, frozen=True):
    """Who a member is, by the id that the journals have; ``deleted``: forget name and colour. What the public sees is
    the `shown`: the name, its first letter, or nothing. In version 2 `secret` shows whose member it is: the id is the
    first 16 hex digits of its SHA-256. Ids from before there were secrets come in version 1."""

    version: int
    id: str
    name: str = ""
    colour: str = ""
    shown: Literal["name", "initial", "nothing"] = "nothing"
    deleted: bool = False
    secret: Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")] = ""


class AwayCodeShown(Struct, frozen=True):
    """The table shows a code, by which a member of another club gets leave to play there: the `digest` is the code's
    SHA-256 in hex."""

    version: int
    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class MemberAway(Struct, frozen=True):
    """A member of the table's club, whose `secret` it shows, plays at the table that shows this `code`."""

    version: int
    secret: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    code: Annotated[str, Meta(pattern=r"^[0-9A-Z]{10}\Z")]


_Message = TypeVar("_Message", Batch, Where, Confirmed, MemberSaid, AwayCodeShown, MemberAway)


def encode_signed(message: Struct, topic: str, key: bytes) -> bytes:
    """A message for a topic: the signature in hex, a line feed, and JSON."""
    body = msgspec.json.encode(message)
    return _signature(topic, body, key) + b"\n" + body


def decode_signed(payload: bytes, topic: str, key: bytes, kind: type[_Message]) -> _Message:
    """The message of that kind at a topic; `BadMessage` if it is none, or isn't signed with this key for this topic."""
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
