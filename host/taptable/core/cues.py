"""The names of all cues at rings, lamps, the sounder and the display. How each looks or sounds is known where it is
given."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto


class Sound(StrEnum):
    """A sound of the sounder."""

    PULSE = "pulse"  # a card was read
    TICK = "tick"  # a window is running
    IGNORED = "ignored"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    REMINDER = "reminder"  # Stop seems to have been forgotten
    FAULT = "fault"
    CLAIM = "claim"  # a seat was first and must show its card
    STOPPED = "stopped"  # the hacker was stopped
    GAME_OVER = "game-over"


class Lamp(StrEnum):
    """A message of a lamp."""

    OFF = "off"
    ON_TURN = "on-turn"  # this seat's turn
    MAY_BUZZ = "may-buzz"  # a window is open to this seat
    FIRST = "first"  # this seat's press was the first to be heard
    CLAIM = "claim"  # this seat must show its card now
    ASKED = "asked"  # another seat asks to take back: a press grants it
    REMINDED = "reminded"  # Stop seems to have been forgotten
    NOTICED = "noticed"  # a press without a meaning was seen all the same
    GRANTED = "granted"  # the press has granted what was asked, or a card is enrolled
    TURNED_DOWN = "turned-down"  # a card isn't enrolled


@dataclass(frozen=True, slots=True)
class SeatLights:
    """What a pad shows: a pattern of its ring, the lamp of its button on the same board, and for a pattern that runs
    over a time its end (table time) and its whole length, both in microseconds."""

    pattern: str = "off"
    lamp: str = "off"
    ends_at_us: int = 0
    whole_us: int = 0


@dataclass(frozen=True, slots=True)
class Cue:
    """A passing cue: a sound, a pattern of the ring at a pad, a lamp at a seat, or any of them; at every pad if it is
    given `everywhere`."""

    sound: Sound | None = None
    ring: str | None = None
    lamp: Lamp | None = None
    everywhere: bool = False


class Screen(Enum):
    """How the display shows a sentence for a while."""

    NEWS = auto()  # in a line of its own; whatever is asked stays
    SUBJECT = auto()  # over the whole display, below what it is about
    CHECK = auto()  # so, below the name of what was done
    PAUSE = auto()
    POWER = auto()
    PEOPLE = auto()
    ENROLMENT = auto()  # with what the next tag becomes
    ENROLMENT_ENDED = auto()
