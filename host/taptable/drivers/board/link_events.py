"""The states of the link to a seat board, and what the link reports to its connection: that the board comes or goes,
how its reader fares, and its numbered events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from tapshared.sentences import Message

from taptable.core.device_events import Origin
from taptable.drivers.board.clock import Moment


@dataclass(frozen=True, slots=True)
class BoardConnected:
    """The board answers; `restarted` if this boot of it hasn't been heard before."""

    firmware: str
    restarted: bool


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board doesn't answer, or isn't used, since its firmware is `unfit` for this table."""

    reason: str
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """A numbered event in its turn; `made` is when it was stamped."""

    origin: Origin
    message: Message
    moment: Moment


@dataclass(frozen=True, slots=True)
class ReaderState:
    """Whether the board's reader answers it."""

    deaf: bool


@dataclass(frozen=True, slots=True)
class GainReport:
    """The board's answer to a gain: how often it looked at its pad with it, and how many looks read a card."""

    gain_db: int
    looks: int
    read: int


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The board had no room for so many events since it last told."""

    count: int


@dataclass(frozen=True, slots=True)
class Misread:
    """How many looks the board's reader has misread since the board's start."""

    count: int


@dataclass(frozen=True, slots=True)
class ReaderCounts:
    """What the board counts of its reader since its start: set-ups after the first, registers that were found wrong,
    resets after which a card was heard at once, and cards that couldn't be selected; whether one `lies` there now."""

    set_ups: int
    wrong: int
    healed: int
    unread: int
    has_unreadable: bool


LinkEvent: TypeAlias = BoardConnected | BoardLost | ReaderState | EventsLost | Misread | ReaderCounts


class LinkState(Enum):
    """What is known of the board at the other end of the line, and whether its absence was reported."""

    NEW = auto()  # the port hasn't been opened yet
    ASKING = auto()  # the port is open, and nobody has answered yet
    TALKING = auto()
    SILENT = auto()  # reported as lost; asked again and again
    UNFIT = auto()  # reported as unfit; asked again and again
    CLOSED = auto()  # reported as lost: the port is closed


class Cause(Enum):
    """Why the state of a link changes."""

    OPENED = auto()
    CLOSED = auto()
    HELLO = auto()
    REFUSED = auto()  # its firmware doesn't fit
    LOST = auto()


_WHILE_OPEN = {
    Cause.CLOSED: LinkState.CLOSED,
    Cause.HELLO: LinkState.TALKING,
    Cause.REFUSED: LinkState.UNFIT,
    Cause.LOST: LinkState.SILENT,
}
TRANSITIONS: Mapping[LinkState, Mapping[Cause, LinkState]] = {
    LinkState.NEW: {Cause.OPENED: LinkState.ASKING, Cause.CLOSED: LinkState.CLOSED},
    LinkState.ASKING: _WHILE_OPEN,
    LinkState.TALKING: _WHILE_OPEN,
    LinkState.SILENT: _WHILE_OPEN,
    LinkState.UNFIT: {**_WHILE_OPEN, Cause.LOST: LinkState.UNFIT},
    LinkState.CLOSED: {Cause.OPENED: LinkState.SILENT, Cause.CLOSED: LinkState.CLOSED},
}
NOT_REPORTED = frozenset({LinkState.NEW, LinkState.ASKING, LinkState.TALKING})
