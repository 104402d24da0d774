"""The states of the link to a seat board, and the events that the link reports to its connection: the board comes or
goes, the state of its reader, and its numbered events."""

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
    """The board answers. `restarted` if this boot of it is new."""

    firmware: str
    restarted: bool


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board doesn't answer, or isn't used because its firmware is `unfit` for this table."""

    reason: str
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """A numbered event in its turn. `moment` is when it was stamped."""

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
    """How many events the board had no room for since the last report."""

    count: int


@dataclass(frozen=True, slots=True)
class Misread:
    """How many looks the board's reader has misread since the board's start."""

    count: int


@dataclass(frozen=True, slots=True)
class ReaderCounts:
    """The board's counters of its reader since its start: set-ups after the first one, registers found wrong, resets
    after which a card was found at once, and cards that couldn't be selected. `has_unreadable` is whether one is there
    now."""

    set_ups: int
    wrong: int
    healed: int
    unread: int
    has_unreadable: bool


LinkEvent: TypeAlias = BoardConnected | BoardLost | ReaderState | EventsLost | Misread | ReaderCounts


class LinkState(Enum):
    """The state of the line to a board, and whether its absence was reported."""

    NEW = auto()  # the port hasn't been opened yet
    ASKING = auto()  # the port is open, and no board has answered yet
    TALKING = auto()
    SILENT = auto()  # reported as lost; asked again and again
    UNFIT = auto()  # reported as unfit; asked again and again
    CLOSED = auto()  # reported as lost: the port is closed


class Cause(Enum):
    """The causes of a link's transitions."""

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
