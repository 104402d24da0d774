"""The values between `link` and `boards`: the events by which a link reports what its board does, and the link's states
with their transitions, as a table. Must not know how a link finds out, nor what the table does about it."""

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
    """The board answers, with this version of its firmware. `restarted` says that it has started since it last
    answered, or answers for the first time."""

    firmware: str
    restarted: bool


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board doesn't answer. If `unfit`, it answers and isn't used, because its firmware doesn't fit this table."""

    reason: str
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """A numbered event of the board, after all before it were committed. `moment` is the table time of its stamp."""

    origin: Origin
    message: Message
    moment: Moment


@dataclass(frozen=True, slots=True)
class ReaderState:
    """Whether the board's reader answers the board: if `deaf`, it doesn't."""

    deaf: bool


@dataclass(frozen=True, slots=True)
class GainReport:
    """The board's answer when a gain is set: how often it has looked at its pad with this gain, and in how many of
    these looks it read a card."""

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
    """The state of the link to a board, which also says whether `BoardLost` has been reported."""

    NEW = auto()  # the port hasn't been opened yet
    ASKING = auto()  # the port is open, and no board has answered yet
    TALKING = auto()  # the board answers and is used
    SILENT = auto()  # the port is open; reported as lost, and asked every half second
    UNFIT = auto()  # the port is open; reported as unfit, and asked every half second
    CLOSED = auto()  # the port is closed; reported as lost


class Cause(Enum):
    """The causes of a link's transitions."""

    OPENED = auto()  # the port was opened
    CLOSED = auto()  # the port was closed, or couldn't be opened
    HELLO = auto()  # the board said hello, and is used
    REFUSED = auto()  # it said hello, and its firmware doesn't fit
    LOST = auto()  # it has fallen silent, or another board has answered


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
"""The next state, by the state and the cause."""
NOT_REPORTED = frozenset({LinkState.NEW, LinkState.ASKING, LinkState.TALKING})
"""The states in which `BoardLost` hasn't been reported: a link that leaves one of them because of a loss reports it."""
