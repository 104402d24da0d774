"""Device events: what a device reports, before the filters decide whether it is an observation. Times are table time in
microseconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, TypeAlias

from taptable.core.observations import Pad

_TAG_NUMBER = re.compile(r"(?:[0-9a-f]{2}){4,10}")


def is_tag_number(card: str) -> bool:
    """Is this no card but the bare number of a tag that is in no deck? It is for the journal; people are never shown
    it."""
    return _TAG_NUMBER.fullmatch(card) is not None


CONTROL_PREFIX = "control:"
"""Prefix of a control card's identity, before its name."""
MEMBER_PREFIX = "member/"
"""Prefix of the identity of a member's card, before the member's id; no deck is called so."""

Identify: TypeAlias = Callable[[str], str | None]
"""From a tag's number to the card's id, ``control:<name>``, ``<deck>:<card>`` for a card of another deck,
``member/<id>``, or None."""

BOARD_PART_KINDS = ("firmware", "board", "twins", "flood")
"""The kinds of parts that are reported instead of one another where a pad's board isn't used."""


def part_name(kind: str, pad: Pad) -> str:
    """What a part at a pad is called: ``board 3`` at a seat, ``discard board`` elsewhere."""
    return f"{kind} {pad}" if isinstance(pad, int) else f"{pad} {kind}"


def is_pad_readable(pad: Pad, failed: Collection[str]) -> bool:
    """Whether nothing that failed keeps the tags on a pad from being told."""
    return not any(part_name(kind, pad) in failed for kind in ("pad", *BOARD_PART_KINDS))


class Clock(Enum):
    """The clock that stamped an event. Whatever it was, `at_us` is table time."""

    TABLE = auto()
    """The table's own, or the kernel's, which runs with it: the stamp is right to tens of microseconds."""
    BOARD = auto()
    """A seat board's own: its stamp was placed in table time within a bound."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The number of an event that its device keeps until it is acknowledged: it is taken once, and acknowledged after
    it is in the journal."""

    board: str
    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class TagCame:
    """A tag came to a pad. `uid` is lower-case hex; `lying` if it was there when the reader began to look. `identity`
    is what `Identify` gives for it."""

    at_us: int
    pad: Pad
    uid: str
    already_present: bool = False
    origin: Origin | None = None
    identity: str | None = None
    clock: Clock = Clock.TABLE


@dataclass(frozen=True, slots=True)
class TagWent:
    """A tag has been gone for the time of absence (300 ms). `at_us` is at most 1.3 s after it was last read, however
    late it is found. If no reader saw it leave (not `seen`), `at_us` is when it was last known to be there."""

    at_us: int
    pad: Pad
    uid: str
    origin: Origin | None = None
    seen: bool = True
    clock: Clock = Clock.TABLE


@dataclass(frozen=True, slots=True)
class TagUnreadable:
    """Something on a pad has answered for a second or two, and couldn't be selected: it has no number."""

    origin: ClassVar[None] = None
    at_us: int
    pad: Pad


@dataclass(frozen=True, slots=True)
class ButtonEdge:
    """A seat's button was pressed or released at `at_us`, give or take `uncertainty_us`; or a button that is nobody's,
    on the board of another pad. Its level has settled: drivers report no bounces, and the edges of a button in their
    order. The stamp is that of a press's first edge; that it is no bounce was known `settle_us` later."""

    at_us: int
    pad: Pad
    pressed: bool
    uncertainty_us: int = 0
    origin: Origin | None = None
    clock: Clock = Clock.TABLE
    settle_us: int = 0


@dataclass(frozen=True, slots=True)
class PartFailed:
    """A part of the table stopped answering: ``pad 3``, ``discard board``, ``oled``…; `reason` is for the log."""

    origin: ClassVar[None] = None
    at_us: int
    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class PartReturned:
    """A part of the table answers again. If it is a pad's, tags that went meanwhile are told now."""

    origin: ClassVar[None] = None
    at_us: int
    part: str


class Receipt(Enum):
    """What became of a device event that was reported: it is in the journal now, or was before; or it couldn't be
    written down, and its device keeps it and reports it again later."""

    COMMITTED = auto()
    KNOWN = auto()
    LATER = auto()


DeviceEvent: TypeAlias = TagCame | TagWent | TagUnreadable | ButtonEdge | PartFailed | PartReturned
