"""The names of all cues at rings, lamps, the sounder and the display. `cues.cueing` chooses them; `tapshared.lights`,
`narration.lamps` and `narration.tunes` have the look or sound of each. Must not know when a cue is given."""

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
    REMINDER = "reminder"  # Stop may have been forgotten
    FAULT = "fault"
    CLAIM = "claim"  # a seat was first and must show its card
    STOPPED = "stopped"  # the hacker was stopped
    GAME_OVER = "game-over"


class Lamp(StrEnum):
    """A signal of a button's lamp. `cues.cueing` chooses it, and `narration.lamps` has its pattern."""

    OFF = "off"
    ON_TURN = "on-turn"  # this seat's turn
    MAY_BUZZ = "may-buzz"  # several seats may press: a window is open to them, or the youngest player begins
    FIRST = "first"  # this seat's press was the first to arrive
    CLAIM = "claim"  # this seat must show its card now
    ASKED = "asked"  # another seat asks to take back: a press consents
    REMINDED = "reminded"  # Stop may have been forgotten
    PAIRING = "pairing"  # a phone asks to be paired: holding this button allows it
    NOTICED = "noticed"  # a press without a meaning was received
    GRANTED = "granted"  # this press consented, or a card was enrolled
    TURNED_DOWN = "turned-down"  # a card was not enrolled


@dataclass(frozen=True, slots=True)
class SeatLights:
    """The lights at a pad, also at one that is no seat's: the pattern of its ring (`tapshared.lights.RING_PATTERNS`)
    and the lamp of its button (`LAMPS` there). A pattern over a span of time has its end (`ends_at_us`, table time) and
    its length (`whole_us`), both in microseconds."""

    pattern: str = "off"
    lamp: str = "off"
    ends_at_us: int = 0
    whole_us: int = 0


@dataclass(frozen=True, slots=True)
class Cue:
    """A passing cue: any of a sound, a ring pattern at a pad and a lamp at a seat; at every pad if `everywhere`."""

    sound: Sound | None = None
    ring: str | None = None
    lamp: Lamp | None = None
    everywhere: bool = False


class Screen(Enum):
    """How the display shows a notice's sentence for a while."""

    NEWS = auto()  # in a line of its own; a question stays visible
    SUBJECT = auto()  # over the whole display, below its subject
    CHECK = auto()  # the same, below a title of its own; so are the next three
    PAUSE = auto()
    POWER = auto()
    PEOPLE = auto()
    ENROLMENT = auto()  # with the card that the next tag becomes
    ENROLMENT_ENDED = auto()
