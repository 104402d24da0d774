"""What a board's line has to tell the table, and what the table lets a seat show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tapshared.sentences import Message

from taptable.core.sightings import Origin
from taptable.edges.boards.clock import Moment


@dataclass(frozen=True, slots=True)
class Met:
    """The board answers; `anew` if this boot of it hasn't been heard before."""

    firmware: str
    anew: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """The board doesn't answer, or isn't used, since its firmware is `unfit` for this table."""

    reason: str
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """A numbered event in its turn; `made` is when it was stamped."""

    origin: Origin
    message: Message
    made: Moment


@dataclass(frozen=True, slots=True)
class ReaderState:
    """Whether the board's reader answers it."""

    deaf: bool


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The board had no room for so many events since it last told."""

    count: int


News: TypeAlias = Met | Missed | ReaderState | EventsLost


@dataclass(frozen=True, slots=True)
class Light:
    """What a seat shows: a pattern of its ring, the lamp of its button, and for a pattern that runs over a time its
    end (table time) and its whole length.
    """

    pattern: str = "off"
    lamp: str = "off"
    ends_at_us: int = 0
    whole_us: int = 0
