"""Device events: the values that drivers report, before the filters turn them into observations. Times are table time
in microseconds. Must not know a driver, nor what an event means in a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, TypeAlias

from taptable.core.observations import Pad

_TAG_NUMBER = re.compile(r"(?:[0-9a-f]{2}){4,10}")


def is_tag_number(card: str) -> bool:
    """Return whether this is the bare number of a tag that is in no deck. The journal has such numbers; players never
    see them."""
    return _TAG_NUMBER.fullmatch(card) is not None


CONTROL_PREFIX = "control:"
"""Prefix of a control card's identity, before its name."""
MEMBER_PREFIX = "member/"
"""Prefix of the identity of a member's card, before the member's id. No deck may have this name."""

Identify: TypeAlias = Callable[[str], str | None]
"""Maps a tag's number to the card's id, ``control:<name>``, ``<deck>:<card>`` for a card of another deck,
``member/<id>``, or None."""

BOARD_PART_KINDS = ("firmware", "board", "twins", "flood")
"""The kinds of parts that stand for a pad's board. While the board isn't used, one of them replaces another."""


def part_name(kind: str, pad: Pad) -> str:
    """Return the name of a part at a pad: ``board 3`` at a seat, ``discard board`` elsewhere."""
    return f"{kind} {pad}" if isinstance(pad, int) else f"{pad} {kind}"


def is_pad_readable(pad: Pad, failed: Collection[str]) -> bool:
    """Return whether no failed part prevents the tags on a pad from being reported."""
    return not any(part_name(kind, pad) in failed for kind in ("pad", *BOARD_PART_KINDS))


class Clock(Enum):
    """The clock that stamped an event. `at_us` is table time with either."""

    TABLE = auto()
    """The table's own clock, or the kernel's, which runs with it: the stamp is right to tens of microseconds."""
    BOARD = auto()
    """A seat board's clock: the stamp was placed in table time within a bound."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The number of an event that its device keeps until it is acknowledged. The host takes each number once, and
    acknowledges it after the journal has it."""

    board: str
    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class TagCame:
    """A tag came to a pad at `at_us` ± `uncertainty_us`, which is 0 for a reader that looks all the time. `uid` is
    lower-case hex. `already_present`: it was there when the reader began to poll. `identity` is the result of
    `Identify`."""

    at_us: int
    pad: Pad
    uid: str
    already_present: bool = False
    origin: Origin | None = None
    identity: str | None = None
    clock: Clock = Clock.TABLE
    uncertainty_us: int = 0


@dataclass(frozen=True, slots=True)
class TagWent:
    """A tag has been gone for the time of absence (300 ms). `at_us` is at most 1.3 s after the last read, however late
    the absence is found. If no reader saw it leave (not `seen`), `at_us` is the last time it was known to be there."""

    at_us: int
    pad: Pad
    uid: str
    origin: Origin | None = None
    seen: bool = True
    clock: Clock = Clock.TABLE


@dataclass(frozen=True, slots=True)
class TagUnreadable:
    """Something on a pad has answered for a second or two but couldn't be selected, so it has no number."""

    origin: ClassVar[None] = None
    at_us: int
    pad: Pad


@dataclass(frozen=True, slots=True)
class ButtonEdge:
    """The button of a seat, or an unassigned one on the board of another pad, was pressed or released at `at_us` ±
    `uncertainty_us`. The level has settled: drivers report no bounces, and the edges of a button in order. The stamp is
    that of a press's first edge; `settle_us` later it was known to be no bounce."""

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
    """A part of the table answers again. If it is a pad's, the tags that left meanwhile are reported now."""

    origin: ClassVar[None] = None
    at_us: int
    part: str


class Receipt(Enum):
    """The outcome of reporting a device event: the journal has it now (`COMMITTED`) or had it before (`KNOWN`), or it
    couldn't be written, and its device keeps it and reports it again (`LATER`)."""

    COMMITTED = auto()
    KNOWN = auto()
    LATER = auto()


DeviceEvent: TypeAlias = TagCame | TagWent | TagUnreadable | ButtonEdge | PartFailed | PartReturned
