"""Notices of a check of the table: the cards to tap, the counts to confirm, and the corrections. `referee.checking`
gives them. Must not know how a check proceeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from taptable.core.cues import Cue, Screen, Sound
from taptable.core.notices import Notice
from taptable.core.observations import Pad


@dataclass(frozen=True, slots=True)
class CheckTeam(Notice):
    """The table is being checked: these seats tap each of these cards in their rows once, then press a button."""

    RAISED_ALERT: ClassVar[str] = "check"
    CLEARS_INTERRUPTION: ClassVar[bool] = True

    seats: tuple[int, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckTicked(Notice):
    """A card is where it should be; `left` cards are still to be tapped."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS
    IS_TRANSIENT: ClassVar[bool] = True

    card: str
    left: int


@dataclass(frozen=True, slots=True)
class CheckExtra(Notice):
    """A card lies here that the table believed elsewhere; the table corrects itself."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, "accepted")
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CheckMissing(Notice):
    """These cards don't lie where the table believed them; it forgets them there."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckElsewhere(Notice):
    """A card was tapped on a pad of other seats than those being checked."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckHand(Notice):
    """This seat should hold `count` cards: one press if that is right, else a press for each card."""

    RAISED_ALERT: ClassVar[str] = "check"
    CLEARS_INTERRUPTION: ClassVar[bool] = True

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CheckCount(Notice):
    """This seat should have `count` of `counted`, in a game that tells its cards apart: presses as for a hand."""

    RAISED_ALERT: ClassVar[str] = "check"
    CLEARS_INTERRUPTION: ClassVar[bool] = True

    seat: int
    count: int
    counted: str


@dataclass(frozen=True, slots=True)
class CheckDone(Notice):
    """The check is over, with `corrections` corrections."""

    SCREEN: ClassVar[Screen | None] = Screen.CHECK
    CLEARED_ALERT: ClassVar[str] = "check"

    corrections: int


@dataclass(frozen=True, slots=True)
class CheckBrokenOff(Notice):
    """The check was ended early; nothing was corrected."""

    SCREEN: ClassVar[Screen | None] = Screen.CHECK
    CLEARED_ALERT: ClassVar[str] = "check"
