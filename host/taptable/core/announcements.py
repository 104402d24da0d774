"""Announcements: facts for the players, past tense. Games bring their own; those here are said in every game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import ClassVar

from taptable.core.observations import Pad
from taptable.core.scoreboard import Count


class Mood(Enum):
    """What an announcement means to those who only listen."""

    CLAIM = auto()  # a seat was first and must show its card
    TURNED_TABLES = auto()  # somebody's plan was stopped
    END = auto()


@dataclass(frozen=True, slots=True)
class Announcement:
    """The root of all announcements. A field named ``…_us`` is a time or a span in microseconds; one that would be a
    word of Python ends in ``_``, which nobody else sees. One that isn't compared stands in no line: it is for the
    sentence alone.

    `mood` is what it sounds like; `written` is whether the scoreboard spells it out, since nothing else there shows it;
    `explains` is whether its card is then explained to those who want to learn; `pressing` is whether it is to be heard
    at once, since time runs; `unanswered` is whether a window is over with it that nobody has answered."""

    mood: ClassVar[Mood | None] = None
    written: ClassVar[bool] = False
    explains: ClassVar[bool] = False
    pressing: ClassVar[bool] = False
    unanswered: ClassVar[bool] = False


@cache
def type_name(kind: type) -> str:
    """The public name of a kind of announcement or notice: ``CardLaid`` is ``card-laid``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@dataclass(frozen=True, slots=True)
class GameBegan(Announcement):
    """A game was set up; `seat` begins, or None while the table waits for the youngest player's button."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class TurnAnnounced(Announcement):
    """It is this seat's turn, in whatever words a game says so."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBegan(TurnAnnounced):
    """It is this seat's turn; `drawn` cards fill its hand by the table's count."""

    drawn: int


@dataclass(frozen=True, slots=True)
class TurnSkipped(Announcement):
    """This seat's turn is left out."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class WindowOpened(Announcement):
    """A window in which buttons may be pressed, until `closes_at_us`."""

    pressing = True

    seat: int
    closes_at_us: int


@dataclass(frozen=True, slots=True)
class WindowClosed(Announcement):
    """The window of this seat's card is over."""

    unanswered = True

    seat: int


@dataclass(frozen=True, slots=True)
class BuzzHeard(Announcement):
    """A press in the window was taken down; who was first is not settled yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimGiven(Announcement):
    """This seat was first and must now show its card before `until_us`. The margin is to the next press, if there
    was one; a tie has none, by the rules since ``online/3``."""

    mood = Mood.CLAIM

    seat: int
    until_us: int
    tied: tuple[int, ...]
    margin_us: int | None
    uncertainty_us: int


@dataclass(frozen=True, slots=True)
class ClaimFailed(Announcement):
    """A false alarm: this seat showed no card in time and is out of this window."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class MoveTakenBack(Announcement):
    """The last move was undone."""

    written = True


@dataclass(frozen=True, slots=True)
class CardsParted(Announcement):
    """Two cards came at once, and what the first of them had done was undone."""

    pad: Pad
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paused(Announcement):
    """The table waits; no deadline runs."""


@dataclass(frozen=True, slots=True)
class Resumed(Announcement):
    """The table goes on after `paused_us` of waiting."""

    paused_us: int


@dataclass(frozen=True, slots=True)
class GameEnded(Announcement):
    """The game is over: `winner` are the seats of the winning teams, `by` is how."""

    mood = Mood.END

    winner: tuple[int, ...]
    by: str
    # what the places went by where that isn't the score, the best first
    decisive: tuple[Count, ...] = field(default=(), compare=False)


SHARED_ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    GameBegan,
    TurnBegan,
    TurnSkipped,
    WindowOpened,
    WindowClosed,
    BuzzHeard,
    ClaimGiven,
    ClaimFailed,
    MoveTakenBack,
    CardsParted,
    Paused,
    Resumed,
    GameEnded,
)
"""What is said in every game."""
