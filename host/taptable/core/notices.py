"""Notices: messages about the table that are no verdict on a move. Nothing at the table happens silently, and each
notice is in the journal, unless its kind says otherwise. A kind declares its cue, its screen, and how long it holds.
This module has the root and the notices of play; `check_notices`, `part_notices` and `tag_notices` have others. The
sentences are in the catalogues. Must not know a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from taptable.core.cues import Cue, Lamp, Screen, Sound
from taptable.core.observations import Pad

_MISTAKE = Cue(Sound.FAULT, "refused")
ADMINISTRATOR, PAGE, BRIDGE = "administrator", "page", "bridge"
"""The names of requesters that need no pairing."""


class InterruptedWork(StrEnum):
    """Work that a restart ends and that people have to begin again."""

    CHECK = "check"  # of the table
    DECK_CHECK = "deck-check"
    MEMBER_CARD = "member-card"  # waiting for one


@dataclass(frozen=True, slots=True)
class Notice:
    """The root of all notices; `at_us` is table time."""

    CUE: ClassVar[Cue] = Cue()
    SCREEN: ClassVar[Screen | None] = None
    RAISED_ALERT: ClassVar[str] = ""
    """The name of the alert that this notice raises. It holds until another notice clears it with `CLEARED_ALERT` (see
    `narration.updates.Alerts`)."""
    CLEARED_ALERT: ClassVar[str] = ""
    CLEARS_INTERRUPTION: ClassVar[bool] = False
    """Whether this notice shows that people have moved on, so that the alert about interrupted work can be cleared."""
    WAKES_DISPLAY: ClassVar[bool] = False
    """Whether a person caused this notice, so that the display wakes up."""
    IS_TRANSIENT: ClassVar[bool] = False
    """Whether this notice only reports progress or repeats something known. Speech drops such a notice for more urgent
    sentences."""

    at_us: int

    @property
    def place(self) -> Pad | None:
        """The pad or the seat that it is about; None if neither."""
        return getattr(self, "pad", getattr(self, "seat", None))

    @property
    def cue(self) -> Cue:
        """The cue at the table."""
        return self.CUE

    @property
    def screen(self) -> Screen | None:
        """How the display shows its sentence; None if it doesn't."""
        return self.SCREEN

    @property
    def raised_alert(self) -> str:
        """The name of the alert that it raises; "" for none."""
        return self.RAISED_ALERT

    @property
    def cleared_alert(self) -> str:
        """The name of the alert that it clears; "" for none."""
        return self.CLEARED_ALERT

    @property
    def is_narrated(self) -> bool:
        """Whether the narration, for those who were not there, includes it."""
        return True

    @property
    def display_span_us(self) -> tuple[int, int] | None:
        """The end of the display of its sentence and the length of that display, in µs; None for the usual time."""
        return None


@dataclass(frozen=True, slots=True)
class CardLying(Notice):
    """A card has lain on a pad since before the table looked, but the journal has it elsewhere: lift it and tap
    again."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardTwice(Notice):
    """A tag was read on a pad while one with the same number lay on another, `also_at`: there are two of them, or one
    lies between two pads. The later tap is refused."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    card: str
    pad: Pad
    also_at: Pad


@dataclass(frozen=True, slots=True)
class PhoneSeen(Notice):
    """A random tag number was read, as phones and bank cards have. Given once a pad until something else comes."""

    CUE: ClassVar[Cue] = _MISTAKE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class CardUnreadable(Notice):
    """Something on a pad answers the reader but can't be read. Given once for each such card."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED, "ignored")
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PadSilent(Notice):
    """The reader of the pad where the turn is played has reported nothing for minutes; it may be broken. Given once
    until something is read."""

    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class SeatUnused(Notice):
    """A card came to a pad at which nobody plays, or an unassigned button was pressed."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED, "refused", Lamp.NOTICED)
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PressUnheard(Notice):
    """A press was ignored: the button's action had just changed, or it has none for the seat that asked for a
    take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED, lamp=Lamp.NOTICED)
    IS_TRANSIENT: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentAsked(Notice):
    """Somebody wants to take the last move back; any other seat's press before `until_us` consents. `seat` is 0 if it
    was asked at a pad of no seat."""

    RAISED_ALERT: ClassVar[str] = "consent"

    seat: int
    until_us: int


@dataclass(frozen=True, slots=True)
class ConsentGiven(Notice):
    """This seat consented to the take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, lamp=Lamp.GRANTED)
    CLEARED_ALERT: ClassVar[str] = "consent"

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentLapsed(Notice):
    """Nobody consented to the take-back in time."""

    CLEARED_ALERT: ClassVar[str] = "consent"


@dataclass(frozen=True, slots=True)
class StopForgotten(Notice):
    """A turn has had no tap for a while; `loudly` the second time."""

    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    seat: int
    loudly: bool

    @property
    def cue(self) -> Cue:
        """A reminder sound, the second time only."""
        return Cue(Sound.REMINDER) if self.loudly else Cue()


@dataclass(frozen=True, slots=True)
class ButtonAdvised(Notice):
    """In the window that is over now, a card counted as a press whose reader doesn't say when it came: people should
    press their buttons before they show a card. Given once a game."""

    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    pad: Pad


@dataclass(frozen=True, slots=True)
class TimeRunsOut(Notice):
    """`minutes` are left of the time agreed for the game."""

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
    """Somebody asks for a control, or for a correction that no card of the game can make: `what` is the control's name,
    ``check``, ``set-up``, ``vacate``, ``lost`` or ``recovered``. A control card was tapped at `pad`, or `by` asked
    elsewhere ("": a card)."""

    what: str
    pad: Pad | None
    by: str


@dataclass(frozen=True, slots=True)
class PlayersNamed(Notice):
    """The names of the players, seat 1 first; "" for a seat without a name."""

    IS_TRANSIENT: ClassVar[bool] = True

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestartBrokeOff(Notice):
    """A restart interrupted this work: a check (of this `deck` if it was one of a deck), or waiting for a card of this
    `member`, which would have replaced the old ones if `replaces`. Holds until that is begun again or something else is
    done."""

    RAISED_ALERT: ClassVar[str] = "interrupted"

    what: InterruptedWork
    deck: str = ""
    member: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class GameSetAside(Notice):
    """The game under way can't be continued and stays unfinished; `id` is its number in the journal."""

    id: int


@dataclass(frozen=True, slots=True)
class PairingAsked(Notice):
    """Somebody at the table wants to pair a phone with the page: a code is shown, regardless of earlier failed
    attempts."""


class PairingTry(StrEnum):
    """The last try to allow a phone that was none: a press of the button was too short, or another button was held."""

    NONE = ""
    SHORT = "short"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PairingAwaited(Notice):
    """A phone asks to be paired at a table that can't show a code: its owner holds the button of this seat (0:
    any button) before `until_us`. `allowed`: that was done, and the phone is about to be paired. `tried` is the last
    try that has not allowed it. Not in the journal, since strangers cause it."""

    RAISED_ALERT: ClassVar[str] = "pairing"

    # before the seat: the first fact with a sentence of its own decides, and these must change it
    allowed: bool
    tried: PairingTry
    seat: int
    until_us: int

    @property
    def cue(self) -> Cue:
        """A sound for each request, and an answer to each try at once."""
        if self.tried is not PairingTry.NONE and not self.allowed:
            return Cue(Sound.IGNORED)
        return Cue(Sound.PULSE) if self.allowed else Cue(Sound.REMINDER)


@dataclass(frozen=True, slots=True)
class PairingLapsed(Notice):
    """The phone that asked was not paired: nobody allowed it in time, play went on, or it is gone. Not in the journal,
    as its request isn't."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED)
    CLEARED_ALERT: ClassVar[str] = "pairing"

    seat: int


@dataclass(frozen=True, slots=True)
class PhonePaired(Notice):
    """A phone was paired by the button of this seat; 0: by any button."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, lamp=Lamp.GRANTED)
    CLEARED_ALERT: ClassVar[str] = "pairing"
    WAKES_DISPLAY: ClassVar[bool] = True

    seat: int
