"""Notices: what the table has to say that is no verdict on a move. Nothing at the table is silent, and each is
in the journal. A kind of notice declares how it is given: its cue, its screen, and how long it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from taptable.core.cues import Cue, Lamp, Screen, Sound
from taptable.core.observations import Pad

_MISTAKE = Cue(Sound.FAULT, "refused")
_PASSED_BY = Cue(Sound.REFUSED, "refused", Lamp.NOTICED)
_OF_MOOD = {
    "accepted": Cue(Sound.ACCEPTED, "accepted", Lamp.GRANTED, everywhere=True),
    "refused": Cue(Sound.REFUSED, "refused", Lamp.TURNED_DOWN, everywhere=True),
    "fault": Cue(Sound.FAULT, "refused", Lamp.TURNED_DOWN, everywhere=True),
}
"""For a tag that is read for a deck: whoever taps it stands anywhere round the table."""

ADMINISTRATOR, PAGE, BRIDGE = "administrator", "page", "bridge"
"""Who asks for something, where nobody has to be paired."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The root of all notices; `at_us` is table time."""

    CUE: ClassVar[Cue] = Cue()
    SCREEN: ClassVar[Screen | None] = None
    BEGINS: ClassVar[str] = ""
    """What holds from this notice on, until another one `ENDS` it (see `narration.updates.Alerts`)."""
    ENDS: ClassVar[str] = ""
    GOES_ON: ClassVar[bool] = False
    """Whether people went on with something, so that what a restart broke off needn't be shown any more."""
    BY_HAND: ClassVar[bool] = False
    """Whether somebody did something, for which the display wakes up."""
    OVERTAKEN: ClassVar[bool] = False
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
    def begins(self) -> str:
        """What holds from now on; "" for nothing."""
        return self.BEGINS

    @property
    def ends(self) -> str:
        """What holds no longer; "" for nothing."""
        return self.ENDS

    @property
    def is_narrated(self) -> bool:
        """Whether it is told to those who weren't there."""
        return True

    @property
    def shown_us(self) -> tuple[int, int] | None:
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

    CUE: ClassVar[Cue] = _PASSED_BY
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PressUnheard(Notice):
    """A press on a button whose meaning has just changed, or one that means nothing to whoever asked for a
    take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED, lamp=Lamp.NOTICED)
    OVERTAKEN: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True)
class ButtonStuck(Notice):
    """A button that doesn't come up again."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)

    seat: int

    @property
    def begins(self) -> str:
        """What holds from now on."""
        return f"button {self.seat} stuck"


@dataclass(frozen=True, slots=True)
class ButtonFreed(Notice):
    """A stuck button came up."""

    seat: int

    @property
    def ends(self) -> str:
        """What holds no longer."""
        return f"button {self.seat} stuck"


@dataclass(frozen=True, slots=True)
class ConsentAsked(Notice):
    """Somebody wants to take the last move back; any other seat's press before `until_us` grants it. `seat` 0:
    nobody's pad."""

    BEGINS: ClassVar[str] = "consent"

    seat: int
    until_us: int


@dataclass(frozen=True, slots=True)
class ConsentGiven(Notice):
    """This seat granted the take-back."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, lamp=Lamp.GRANTED)
    ENDS: ClassVar[str] = "consent"

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentLapsed(Notice):
    """Nobody granted the take-back in time."""

    ENDS: ClassVar[str] = "consent"


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
class PartLost(Notice):
    """A part of the table doesn't answer; the rest plays on."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)

    part: str
    reason: str

    @property
    def begins(self) -> str:
        """What holds from now on."""
        return self.part


@dataclass(frozen=True, slots=True)
class PartBack(Notice):
    """A part of the table answers again."""

    part: str

    @property
    def ends(self) -> str:
        """What holds no longer."""
        return self.part


@dataclass(frozen=True, slots=True)
class CheckTeam(Notice):
    """The table is being checked: these seats tap each of these cards in their rows once, then press a button."""

    BEGINS: ClassVar[str] = "check"
    GOES_ON: ClassVar[bool] = True

    seats: tuple[int, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckTicked(Notice):
    """A card is where it should be; so many are still to be tapped."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS
    OVERTAKEN: ClassVar[bool] = True

    card: str
    left: int


@dataclass(frozen=True, slots=True)
class CheckExtra(Notice):
    """A card lies here that was thought elsewhere; it is put right."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED, "accepted")
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CheckMissing(Notice):
    """These cards don't lie where they were thought to; the table forgets them there."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckElsewhere(Notice):
    """A tap on another pad than that of the seats being checked."""

    CUE: ClassVar[Cue] = Cue(Sound.REFUSED)
    SCREEN: ClassVar[Screen | None] = Screen.NEWS

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckHand(Notice):
    """This seat should hold so many cards: one press if that is right, else a press for each card."""

    BEGINS: ClassVar[str] = "check"
    GOES_ON: ClassVar[bool] = True

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CheckCount(Notice):
    """This seat should have so many of what is `counted`, in a game that tells its cards apart: presses as for a
    hand."""

    BEGINS: ClassVar[str] = "check"
    GOES_ON: ClassVar[bool] = True

    seat: int
    count: int
    counted: str


@dataclass(frozen=True, slots=True)
class CheckDone(Notice):
    """The check is over; so many things were put right."""

    SCREEN: ClassVar[Screen | None] = Screen.CHECK
    ENDS: ClassVar[str] = "check"

    corrections: int


@dataclass(frozen=True, slots=True)
class CheckBrokenOff(Notice):
    """The check was ended early; nothing was put right."""

    SCREEN: ClassVar[Screen | None] = Screen.CHECK
    ENDS: ClassVar[str] = "check"


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

    OVERTAKEN: ClassVar[bool] = True

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MembersSeated(Notice):
    """Which members sit at the seats, seat 1 first, by their random ids; "" for a seat with nobody known."""

    members: tuple[str, ...]

    @property
    def is_narrated(self) -> bool:
        """It was told of whoever came."""
        return False


@dataclass(frozen=True, slots=True)
class MemberSeen(Notice):
    """A member's card was tapped, or somebody chose them at the page: whoever it is ``sits`` at the seat of the pad
    now, ``gets-up``, has no ``seat`` to get up from, or the game has ``begun``, and no tap changes who sits where."""

    OVERTAKEN: ClassVar[bool] = True

    member: str
    pad: Pad
    how: str

    @property
    def cue(self) -> Cue:
        """It sounds as if nothing happened where nothing did."""
        return Cue(Sound.ACCEPTED if self.how in ("sits", "gets-up") else Sound.IGNORED, "accepted")

    @property
    def screen(self) -> Screen:
        """In a game that has begun, everything else stays."""
        return Screen.NEWS if self.how == "begun" else Screen.PEOPLE


@dataclass(frozen=True, slots=True)
class MemberCardSays(Notice):
    """What became of a tag at the discard pad while it waits for a member's card: the sentence `key` of the catalogues'
    context ``people``, with its facts, and its `mood` as an enrolment's. It is asked for until `until_us` (0: no
    longer). It is shown, and not in the journal."""

    SCREEN: ClassVar[Screen | None] = Screen.PEOPLE
    OVERTAKEN: ClassVar[bool] = True

    member: str
    until_us: int
    key: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: str = ""

    @property
    def cue(self) -> Cue:
        """By its mood."""
        return _OF_MOOD.get(self.mood, Cue())

    @property
    def shown_us(self) -> tuple[int, int] | None:
        """As long as the card is asked for."""
        asks = self.until_us and not self.mood
        return (self.until_us, self.until_us - self.at_us) if asks else None


@dataclass(frozen=True, slots=True)
class MemberCardAwaited(Notice):
    """From now on the next tag at the discard pad is to be a card of this member, in place of all the old ones if it
    `replaces` them; `member` "": no longer of anybody."""

    GOES_ON: ClassVar[bool] = True

    member: str
    replaces: bool

    @property
    def is_narrated(self) -> bool:
        """Who waits sees it."""
        return False


@dataclass(frozen=True, slots=True)
class RestartBrokeOff(Notice):
    """When the table stopped, this was under way, and isn't any more: `what` is the ``check`` of the table,
    ``deck-check``, that of a `deck`, or ``member-card``, a card that was waited for, of this `member` and in place of
    the old ones if it `replaces` them. It holds until that is begun again, or something else is done."""

    BEGINS: ClassVar[str] = "interrupted"

    what: str
    deck: str = ""
    member: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class GameSetAside(Notice):
    """The game that was under way can't be gone on with, and stays unfinished; `id` is its number in the journal."""

    id: int


@dataclass(frozen=True, slots=True)
class DeckMissing(Notice):
    """There is no deck to play with yet, and every card is an unknown tag."""

    BEGINS: ClassVar[str] = "deck"


@dataclass(frozen=True, slots=True)
class DeckChosen(Notice):
    """Another deck is played with from now on; `by` chose it ("": it is the first)."""

    ENDS: ClassVar[str] = "deck"

    deck: str
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentBegan(Notice):
    """From now on tags at the discard pad are for a deck and not for the game: `how` ``enrol``, the cards of a `kind`
    first ("": in their order), ``replace``, new ones for the cards and controls of `only`, or ``check``. `by` asked for
    it. Said again when fewer of `only` are left, and by a table that comes back."""

    BEGINS: ClassVar[str] = "enrolment"
    GOES_ON: ClassVar[bool] = True
    BY_HAND: ClassVar[bool] = True

    deck: str
    how: str
    kind: str
    only: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentEnded(Notice):
    """Tags at the discard pad are the game's again: it was ``stopped``, there is ``nothing-left`` to do, or nobody had
    tapped a card for a while (``silence``)."""

    SCREEN: ClassVar[Screen | None] = Screen.ENROLMENT_ENDED
    ENDS: ClassVar[str] = "enrolment"
    GOES_ON: ClassVar[bool] = True

    deck: str
    how: str

    @property
    def cue(self) -> Cue:
        """It is heard where nobody has ended it."""
        return Cue(Sound.REMINDER) if self.how == "silence" else Cue()


@dataclass(frozen=True, slots=True)
class EnrolmentSays(Notice):
    """What became of a tag at the discard pad, or of something else done in an enrolment: the sentence `key` of the
    catalogues' context ``deck`` ("": nothing was), with its facts, and its `mood`: ``accepted``, ``refused``, ``fault``
    or "". The next tag becomes `wanted`, a kind, a card or a control, and `have` of `need` are done. It is shown, and
    not in the journal: the deck itself is on the disk."""

    SCREEN: ClassVar[Screen | None] = Screen.ENROLMENT
    OVERTAKEN: ClassVar[bool] = True

    deck: str
    how: str
    wanted: str
    have: int
    need: int
    key: str = ""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: str = ""

    @property
    def cue(self) -> Cue:
        """By its mood."""
        return _OF_MOOD.get(self.mood, Cue())

    @property
    def is_narrated(self) -> bool:
        """Whoever enrols sees it as it happens; a hundred cards would leave nothing else to read."""
        return self.mood in ("refused", "fault")


@dataclass(frozen=True, slots=True)
class DiscardPadTaken(Notice):
    """A card was tapped at a seat, a button pressed or a control used (`pad`), while the discard pad reads cards for a
    deck: the game waits."""

    CUE: ClassVar[Cue] = _PASSED_BY
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad


@dataclass(frozen=True, slots=True)
class PairingAsked(Notice):
    """Somebody at the table wants a phone to be paired with the page: a code is shown, whatever was tried before."""


@dataclass(frozen=True, slots=True)
class PowerHeld(Notice):
    """The power button is held; held until `until_us`, `whole_us` in all, it switches off."""

    SCREEN: ClassVar[Screen | None] = Screen.POWER
    BEGINS: ClassVar[str] = "power"
    BY_HAND: ClassVar[bool] = True

    until_us: int
    whole_us: int

    @property
    def shown_us(self) -> tuple[int, int]:
        """Until it is held for long enough."""
        return self.until_us, self.whole_us


@dataclass(frozen=True, slots=True)
class PowerLetGo(Notice):
    """The power button was let go too early: it is to be held for so many seconds."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    ENDS: ClassVar[str] = "power"
    BY_HAND: ClassVar[bool] = True

    hold_s: int


@dataclass(frozen=True, slots=True)
class PoweringOff(Notice):
    """The system was asked to switch off, and will stop the table."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    BEGINS: ClassVar[str] = "power"
    BY_HAND: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class PowerOffFailed(Notice):
    """It can't be switched off: the daemon is ``not-a-service``, the request was ``not-written`` (`detail` says what
    was wrong), or ``not-taken``."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    ENDS: ClassVar[str] = "power"
    BY_HAND: ClassVar[bool] = True

    reason: str
    detail: str


NOTICES: tuple[type[Notice], ...] = (
    CardLying,
    CardTwice,
    PhoneSeen,
    CardUnreadable,
    PadSilent,
    SeatUnused,
    PressUnheard,
    ButtonStuck,
    ButtonFreed,
    ConsentAsked,
    ConsentGiven,
    ConsentLapsed,
    StopForgotten,
    TimeRunsOut,
    PartLost,
    PartBack,
    CheckTeam,
    CheckTicked,
    CheckExtra,
    CheckMissing,
    CheckElsewhere,
    CheckCount,
    CheckHand,
    CheckDone,
    CheckBrokenOff,
    NothingToPause,
    CorrectionAsked,
    PlayersNamed,
    MembersSeated,
    MemberSeen,
    MemberCardAwaited,
    RestartBrokeOff,
    GameSetAside,
    DeckMissing,
    DeckChosen,
    EnrolmentBegan,
    EnrolmentEnded,
    DiscardPadTaken,
    PairingAsked,
    PowerHeld,
    PowerLetGo,
    PoweringOff,
    PowerOffFailed,
)
"""Every kind of notice that is in the journal."""
