"""Notices: what the table has to say that is no verdict on a move. Nothing at the table is silent, and each is
in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from taptable.core.observations import Pad

ADMINISTRATOR, PAGE, BRIDGE = "administrator", "page", "bridge"
"""Who asks for something, where nobody has to be paired."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The root of all notices; `at_us` is table time."""

    at_us: int


@dataclass(frozen=True, slots=True)
class CardLying(Notice):
    """A card lies on a pad since before the table looked, and the journal has it elsewhere: lift it and tap again."""

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardTwice(Notice):
    """A tag was read on a pad while one with the same number lay on another, `also_at`: there are two of them, or one
    between two pads. It is refused where it came last."""

    card: str
    pad: Pad
    also_at: Pad


@dataclass(frozen=True, slots=True)
class PhoneSeen(Notice):
    """A random tag number, as phones and bank cards have; said once a pad until something else comes."""

    pad: Pad


@dataclass(frozen=True, slots=True)
class CardUnreadable(Notice):
    """Something lies on a pad that answers its reader and can't be read: said once for each such card."""

    pad: Pad


@dataclass(frozen=True, slots=True)
class PadSilent(Notice):
    """Nothing has been heard for minutes at the pad where a turn is played: does its reader hear at all? Said once
    until something is noticed."""

    pad: Pad


@dataclass(frozen=True, slots=True)
class SeatUnused(Notice):
    """A card came to a pad at which nobody plays, or a button was pressed that is nobody's."""

    pad: Pad


@dataclass(frozen=True, slots=True)
class PressUnheard(Notice):
    """A press on a button whose meaning has just changed, or one that means nothing to whoever asked for a
    take-back."""

    seat: int


@dataclass(frozen=True, slots=True)
class ButtonStuck(Notice):
    """A button that doesn't come up again."""

    seat: int


@dataclass(frozen=True, slots=True)
class ButtonFreed(Notice):
    """A stuck button came up."""

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentAsked(Notice):
    """Somebody wants to take the last move back; any other seat's press before `until_us` grants it. `seat` 0:
    nobody's pad."""

    seat: int
    until_us: int


@dataclass(frozen=True, slots=True)
class ConsentGiven(Notice):
    """This seat granted the take-back."""

    seat: int


@dataclass(frozen=True, slots=True)
class ConsentLapsed(Notice):
    """Nobody granted the take-back in time."""


@dataclass(frozen=True, slots=True)
class StopForgotten(Notice):
    """A turn has been left without a tap for a while; `loudly` the second time."""

    seat: int
    loudly: bool


@dataclass(frozen=True, slots=True)
class TimeRunsOut(Notice):
    """So many minutes are left of the time that was agreed for the game."""

    minutes: int


@dataclass(frozen=True, slots=True)
class PartLost(Notice):
    """A part of the table doesn't answer; the rest plays on."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class PartBack(Notice):
    """A part of the table answers again."""

    part: str


@dataclass(frozen=True, slots=True)
class CheckTeam(Notice):
    """The table is being checked: these seats tap each of these cards in their rows once, then press a button."""

    seats: tuple[int, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckTicked(Notice):
    """A card is where it should be; so many are still to be tapped."""

    card: str
    left: int


@dataclass(frozen=True, slots=True)
class CheckExtra(Notice):
    """A card lies here that was thought elsewhere; it is put right."""

    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CheckMissing(Notice):
    """These cards don't lie where they were thought to; the table forgets them there."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckElsewhere(Notice):
    """A tap on another pad than that of the seats being checked."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckHand(Notice):
    """This seat should hold so many cards: one press if that is right, else a press for each card."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CheckCount(Notice):
    """This seat should have so many of what is `counted`, in a game that tells its cards apart: presses as for a
    hand."""

    seat: int
    count: int
    counted: str


@dataclass(frozen=True, slots=True)
class CheckDone(Notice):
    """The check is over; so many things were put right."""

    corrections: int


@dataclass(frozen=True, slots=True)
class CheckBrokenOff(Notice):
    """The check was ended early; nothing was put right."""


@dataclass(frozen=True, slots=True)
class NothingToPause(Notice):
    """A pause was asked for before the first turn of a game, or after its end."""


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

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MembersSeated(Notice):
    """Which members sit at the seats, seat 1 first, by their random ids; "" for a seat with nobody known."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemberSeen(Notice):
    """A member's card was tapped, or somebody chose them at the page: whoever it is ``sits`` at the seat of the pad
    now, ``gets-up``, has no ``seat`` to get up from, or the game has ``begun``, and no tap changes who sits where."""

    member: str
    pad: Pad
    how: str


@dataclass(frozen=True, slots=True)
class MemberCardSays(Notice):
    """What became of a tag at the discard pad while it waits for a member's card: the sentence `key` of the catalogues'
    context ``people``, with its facts, and its `mood` as an enrolment's. It is asked for until `until_us` (0: no
    longer). It is shown, and not in the journal."""

    member: str
    until_us: int
    key: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: str = ""


@dataclass(frozen=True, slots=True)
class MemberCardAwaited(Notice):
    """From now on the next tag at the discard pad is to be a card of this member, in place of all the old ones if it
    `replaces` them; `member` "": no longer of anybody."""

    member: str
    replaces: bool


@dataclass(frozen=True, slots=True)
class RestartBrokeOff(Notice):
    """When the table stopped, this was under way, and isn't any more: `what` is the ``check`` of the table,
    ``deck-check``, that of a `deck`, or ``member-card``, a card that was waited for, of this `member` and in place of
    the old ones if it `replaces` them. It holds until that is begun again, or something else is done."""

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


@dataclass(frozen=True, slots=True)
class DeckChosen(Notice):
    """Another deck is played with from now on; `by` chose it ("": it is the first)."""

    deck: str
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentBegan(Notice):
    """From now on tags at the discard pad are for a deck and not for the game: `how` ``enrol``, the cards of a `kind`
    first ("": in their order), ``replace``, new ones for the cards and controls of `only`, or ``check``. `by` asked for
    it. Said again when fewer of `only` are left, and by a table that comes back."""

    deck: str
    how: str
    kind: str
    only: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentEnded(Notice):
    """Tags at the discard pad are the game's again: it was ``stopped``, there is ``nothing-left`` to do, or nobody had
    tapped a card for a while (``silence``)."""

    deck: str
    how: str


@dataclass(frozen=True, slots=True)
class EnrolmentSays(Notice):
    """What became of a tag at the discard pad, or of something else done in an enrolment: the sentence `key` of the
    catalogues' context ``deck`` ("": nothing was), with its facts, and its `mood`: ``accepted``, ``refused``, ``fault``
    or "". The next tag becomes `wanted`, a kind, a card or a control, and `have` of `need` are done. It is shown, and
    not in the journal: the deck itself is on the disk."""

    deck: str
    how: str
    wanted: str
    have: int
    need: int
    key: str = ""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: str = ""


@dataclass(frozen=True, slots=True)
class DiscardPadTaken(Notice):
    """A card was tapped at a seat, a button pressed or a control used (`pad`), while the discard pad reads cards for a
    deck: the game waits."""

    pad: Pad


@dataclass(frozen=True, slots=True)
class PairingAsked(Notice):
    """Somebody at the table wants a phone to be paired with the page: a code is shown, whatever was tried before."""


@dataclass(frozen=True, slots=True)
class PowerHeld(Notice):
    """The power button is held; held until `until_us`, `whole_us` in all, it switches off."""

    until_us: int
    whole_us: int


@dataclass(frozen=True, slots=True)
class PowerLetGo(Notice):
    """The power button was let go too early: it is to be held for so many seconds."""

    hold_s: int


@dataclass(frozen=True, slots=True)
class PoweringOff(Notice):
    """The system was asked to switch off, and will stop the table."""


@dataclass(frozen=True, slots=True)
class PowerOffFailed(Notice):
    """It can't be switched off: the daemon is ``not-a-service``, the request was ``not-written`` (`detail` says what
    was wrong), or ``not-taken``."""

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
