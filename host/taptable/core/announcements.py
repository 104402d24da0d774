"""Announcements: the effects of observations and deadlines as facts for the players, in the past tense. Verdicts carry
them. This module has the root class and the kinds that every game shares; each game adds its own. The sentences are in
the catalogues."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import ClassVar

from taptable.core.observations import Pad
from taptable.core.scoreboard import Count


class Mood(Enum):
    """The kind of moment that an announcement marks, for cues, speech and other systems."""

    CLAIM = auto()  # a seat was first and must show its card
    TURNED_TABLES = auto()  # somebody's plan was stopped
    END = auto()


@dataclass(frozen=True, slots=True)
class Announcement:
    """The root of all announcements. A field named ``…_us`` is a time or a span in microseconds. A field whose name
    would be a Python keyword ends in ``_``; output leaves the ``_`` out. A field with `compare=False` is not written to
    journals and lines; only the sentence uses it.

    `mood` chooses its sound. `written`: the scoreboard spells it out, since nothing else there shows it. `explains`:
    its card is then explained to learners. `pressing`: it is spoken at once, since time runs. `unanswered`: it ends a
    window that nobody answered."""

    mood: ClassVar[Mood | None] = None
    written: ClassVar[bool] = False
    explains: ClassVar[bool] = False
    pressing: ClassVar[bool] = False
    unanswered: ClassVar[bool] = False


@cache
def type_name(kind: type) -> str:
    """Return the public name of a kind of announcement or notice: ``CardLaid`` is ``card-laid``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@dataclass(frozen=True, slots=True)
class GameBegan(Announcement):
    """A game was set up and `seat` begins; None while the table waits for the youngest player's button."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class TurnAnnounced(Announcement):
    """The turn of `seat` begins. Each game has a subclass with its own sentence."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBegan(TurnAnnounced):
    """The turn of `seat` begins; `drawn` cards fill its hand, by the table's count."""

    drawn: int


@dataclass(frozen=True, slots=True)
class TurnSkipped(Announcement):
    """This seat's turn is skipped."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class WindowOpened(Announcement):
    """A window opened, in which buttons count until `closes_at_us`."""

    pressing = True

    seat: int
    closes_at_us: int


@dataclass(frozen=True, slots=True)
class WindowClosed(Announcement):
    """The window that this seat's card had opened is over."""

    unanswered = True

    seat: int


@dataclass(frozen=True, slots=True)
class BuzzHeard(Announcement):
    """A press in the window was recorded. It isn't decided yet which seat was first."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimGiven(Announcement):
    """This seat was first and must show its card before `until_us`. `margin_us` is the time to the next press; None
    without one, and in a tie by the rules since ``online/3``."""

    mood = Mood.CLAIM

    seat: int
    until_us: int
    tied: tuple[int, ...]
    margin_us: int | None
    uncertainty_us: int


@dataclass(frozen=True, slots=True)
class ClaimFailed(Announcement):
    """A false alarm: this seat showed no card in time and is locked out of this window."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class MoveTakenBack(Announcement):
    """The last move was undone."""

    written = True


@dataclass(frozen=True, slots=True)
class CardsParted(Announcement):
    """Two cards came at once; the effect of the first was undone."""

    pad: Pad
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paused(Announcement):
    """The game is paused; no deadline runs."""


@dataclass(frozen=True, slots=True)
class Resumed(Announcement):
    """The game continues after a pause of `paused_us`."""

    paused_us: int


@dataclass(frozen=True, slots=True)
class GameEnded(Announcement):
    """The game is over: `winner` has the seats of the winning teams, `by` the reason."""

    mood = Mood.END

    winner: tuple[int, ...]
    by: str
    # the value that decided the places where that isn't the score, the best first
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
"""The kinds of announcements that every game shares."""
