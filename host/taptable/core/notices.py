"""Notices: what the table has to say that is no verdict on a move. Nothing at the table is silent, and each is
in the journal. A kind of notice declares how it is given: its cue, its screen, and how long it holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from taptable.core.cues import Cue, Lamp, Screen, Sound
from taptable.core.observations import Pad

_MISTAKE = Cue(Sound.FAULT, "refused")
ADMINISTRATOR, PAGE, BRIDGE = "administrator", "page", "bridge"
"""Who asks for something, where nobody has to be paired."""


class InterruptedWork(StrEnum):
    """Something that a restart breaks off, and that can only be begun again."""

    CHECK = "check"  # of the table
    DECK_CHECK = "deck-check"
    MEMBER_CARD = "member-card"  # one that was waited for


@dataclass(frozen=True, slots=True)
class Notice:
    """The root of all notices; `at_us` is table time."""

    CUE: ClassVar[Cue] = Cue()
    SCREEN: ClassVar[Screen | None] = None
    RAISED_ALERT: ClassVar[str] = ""
    """What holds from this notice on, until another one `CLEARED_ALERT` it (see `narration.updates.Alerts`)."""
    CLEARED_ALERT: ClassVar[str] = ""
    CLEARS_INTERRUPTION: ClassVar[bool] = False
    """Whether people went on with something, so that what a restart broke off needn't be shown any more."""
    WAKES_DISPLAY: ClassVar[bool] = False
    """Whether somebody did something, for which the display wakes up."""
    IS_TRANSIENT: ClassVar[bool] = False
    """Whether it only says how far something is, or what is known already, so that the next one says more."""

    at_us: int

    @property
    def place(self) -> Pad | None:
        """The pad, or the seat, that it is about."""
        return getattr(self, "pad", getattr(self, "seat", None))

    @property
    def cue(self) -> Cue:
        """What is seen and heard of it round the table."""
        return self.CUE

    @property
    def screen(self) -> Screen | None:
        """How the display shows its sentence; None if it doesn't."""
        return self.SCREEN

    @property
    def raised_alert(self) -> str:
        """What holds from now on; "" for nothing."""
        return self.RAISED_ALERT

    @property
    def cleared_alert(self) -> str:
        """What holds no longer; "" for nothing."""
        return self.CLEARED_ALERT

    @property
    def is_narrated(self) -> bool:
        """Whether it is told to those who weren't there."""
        return True

    @property
    def display_span_us(self) -> tuple[int, int] | None:
        """Until when its sentence is shown, and for how long in all, in µs; None for the usual time."""
        return None


@dataclass(frozen=True, slots=True)
class CardLying(Notice):
    """A card lies on a pad since before the table looked, and the journal has it elsewhere: lift it and tap again."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardTwice(Notice):
    """A tag was read on a pad while one with the same number lay on another, `also_at`: there are two of them, or one
    between two pads. It is refused where it came last."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    card: str
    pad: Pad
    also_at: Pad


@dataclass(frozen=True, slots=True)
class PhoneSeen(Notice):
    """A random tag number, as phones and bank cards have; said once a pad until something else comes."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class CardUnreadable(Notice):
    """Something lies on a pad that answers its reader and can't be read: said once for each such card."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED, "ignored")
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PadSilent(Notice):
    """Nothing has been heard for minutes at the pad where a turn is played: does its reader hear at all? Said once
    until something is noticed."""

    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class SeatUnused(Notice):
    """A card came to a pad at which nobody plays, or a button was pressed that is nobody's."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED, "refused", Lamp.NOTICED)
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PressUnheard(Notice):
    """A press on a button whose meaning has just changed, or one that means nothing to whoever asked for a
    take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED, lamp=Lamp.NOTICED)
    IS_TRANSIENT: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentAsked(Notice):
    """Somebody wants to take the last move back; any other seat's press before `until_us` grants it. `seat` 0:
    nobody's pad."""

    RAISED_ALERT: ClassVar[str] = "consent"

    seat: int
    until_us: int


@dataclass(frozen=True, slots=True)
class ConsentGiven(Notice):
    """This seat granted the take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, lamp=Lamp.GRANTED)
    CLEARED_ALERT: ClassVar[str] = "consent"

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentLapsed(Notice):
    """Nobody granted the take-back in time."""

    CLEARED_ALERT: ClassVar[str] = "consent"


@dataclass(frozen=True, slots=True)
class StopForgotten(Notice):
    """A turn has been left without a tap for a while; `loudly` the second time."""

    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    seat: int
    loudly: bool

    @property
    def cue(self) -> Cue:
        """It is heard the second time."""
        return Cue(Sound.REMINDER) if self.loudly else Cue()


@dataclass(frozen=True, slots=True)
class TimeRunsOut(Notice):
    """So many minutes are left of the time that was agreed for the game."""

    CUE: ClassVar[Cue] = Cue(Sound.REMINDER)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    minutes: int


@dataclass(frozen=True, slots=True)
class NothingToPause(Notice):
    """A pause was asked for before the first turn of a game, or after its end."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED)
    SCREEN: ClassVar[Screen | None] = Screen.PAUSE


@dataclass(frozen=True, slots=True)
class CorrectionAsked(Notice):
    """Somebody asks for a control, or for something else that no card of the game can do: `what` is the control's name,
    ``check``, ``set-up``, ``vacate``, ``lost`` or ``recovered``. A control card was tapped at `pad`, or `by` asked
    elsewhere ("": a card)."""

    what: str
    pad: Pad | None
    by: str


@dataclass(frozen=True, slots=True)
class PlayersNamed(Notice):
    """What the players are called, seat 1 first; "" for a seat without a name."""

    IS_TRANSIENT: ClassVar[bool] = True

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestartBrokeOff(Notice):
    """When the table stopped, this was under way, and isn't any more: a check, of this `deck` if it was one of a deck,
    or waiting for a card of this `member`, in place of the old ones if it `replaces` them. It holds until that is begun
    again, or something else is done."""

    RAISED_ALERT: ClassVar[str] = "interrupted"

    what: InterruptedWork
    deck: str = ""
    member: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class GameSetAside(Notice):
    """The game that was under way can't be gone on with, and stays unfinished; `id` is its number in the journal."""

    id: int


@dataclass(frozen=True, slots=True)
class PairingAsked(Notice):
    """Somebody at the table wants a phone to be paired with the page: a code is shown, whatever was tried before."""
