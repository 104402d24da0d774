"""The base of all requests of the local API, the roles of clients, and the types and limits of parameters. This module
must not know any request."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

VERSION = 1
"""The version of the API. It changes when a client that knows this version would go wrong."""


class Role(StrEnum):
    """The role of a client. Each role has a socket of its own."""

    PAGE = "page"
    BRIDGE = "bridge"
    ADMIN = "admin"


Seat: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Text: TypeAlias = Annotated[str, Meta(max_length=100)]
GameId: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)]
NameVisibility: TypeAlias = Literal["name", "initial", "nothing"]
Device: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
Ticket: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}$")]

MAX_ENTRIES = 64
"""Maximum number of entries of a game in one answer."""
MAX_STREAMED = 131_072
"""Maximum bytes of records in one answer, unless it has only one entry."""
MAX_GAMES = 21
"""Maximum number of games in one answer: a page of twenty, and one more that shows whether there is another page."""
LONGEST_DECK = 262_144
"""Maximum number of characters in a deck's file; `page.file_transfer.MAX_UPLOAD_BYTES` bounds the same for a
browser."""
LONGEST_MANIFEST = 60_000
"""Maximum number of characters in a deck's manifest."""


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all requests. `roles` are those that may send it."""

    roles: ClassVar[frozenset[Role]] = frozenset()
    METHOD: ClassVar[str] = ""


class Reading(Request, frozen=True):
    """A request that changes nothing; every role may send it."""

    roles = frozenset(Role)


class Change(Request, frozen=True, kw_only=True):
    """A request that changes something. The page sends it for somebody who is paired, an administrator for anybody."""

    roles = frozenset({Role.PAGE, Role.ADMIN})
    device: Device = ""
