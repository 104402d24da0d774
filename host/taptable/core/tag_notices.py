"""Notices of tags that are no cards of the game at the table: those of members, who sit down with them, and those that
the discard pad reads for a deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from taptable.core.cues import Cue, Lamp, Screen, Sound
from taptable.core.notices import Notice, SeatUnused
from taptable.core.observations import Pad


class MemberTapEffect(StrEnum):
    """How a member's card is answered, or a choice of a member at the page."""

    SITS = "sits"
    GETS_UP = "gets-up"
    NO_SEAT = "seat"  # there is none to get up from
    GAME_BEGUN = "begun"  # no tap changes who sits where


class EnrolmentMode(StrEnum):
    """How the discard pad is used for a deck."""

    ENROL = "enrol"
    REPLACE = "replace"
    CHECK = "check"


class EnrolmentEnd(StrEnum):
    """Why tags at the discard pad are the game's again."""

    STOPPED = "stopped"
    NOTHING_LEFT = "nothing-left"
    SILENCE = "silence"  # nobody had tapped a card for a while


class TagFeedback(StrEnum):
    """How a tag that is read for a deck, or as a member's card, is answered."""

    NONE = ""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    FAULT = "fault"


_FEEDBACK_CUES = {
    TagFeedback.NONE: Cue(),
    TagFeedback.ACCEPTED: Cue(Sound.ACCEPTED, "accepted", Lamp.GRANTED, everywhere=True),
    TagFeedback.REFUSED: Cue(Sound.REFUSED, "refused", Lamp.TURNED_DOWN, everywhere=True),
    TagFeedback.FAULT: Cue(Sound.FAULT, "refused", Lamp.TURNED_DOWN, everywhere=True),
}
"""For a tag that is read for a deck: whoever taps it stands anywhere round the table."""


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
    """A member's card was tapped at this pad, or somebody chose them at the page for its seat."""

    IS_TRANSIENT: ClassVar[bool] = True

    member: str
    pad: Pad
    how: MemberTapEffect

    @property
    def cue(self) -> Cue:
        """It sounds as if nothing happened where nothing did."""
        changed = self.how in (MemberTapEffect.SITS, MemberTapEffect.GETS_UP)
        return Cue(Sound.ACCEPTED if changed else Sound.IGNORED, "accepted")

    @property
    def screen(self) -> Screen:
        """In a game that has begun, everything else stays."""
        return Screen.NEWS if self.how is MemberTapEffect.GAME_BEGUN else Screen.PEOPLE


@dataclass(frozen=True, slots=True)
class MemberCardSays(Notice):
    """What became of a tag at the discard pad while it waits for a member's card: the sentence `key` of the catalogues'
    context ``people``, with its facts, and its `mood` as an enrolment's. It is asked for until `until_us` (0: no
    longer). It is shown, and not in the journal."""

    SCREEN: ClassVar[Screen | None] = Screen.PEOPLE
    IS_TRANSIENT: ClassVar[bool] = True

    member: str
    until_us: int
    key: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: TagFeedback = TagFeedback.NONE

    @property
    def cue(self) -> Cue:
        """By its mood."""
        return _FEEDBACK_CUES[self.mood]

    @property
    def display_span_us(self) -> tuple[int, int] | None:
        """As long as the card is asked for."""
        asks = self.until_us and not self.mood
        return (self.until_us, self.until_us - self.at_us) if asks else None


@dataclass(frozen=True, slots=True)
class MemberCardAwaited(Notice):
    """From now on the next tag at the discard pad is to be a card of this member, in place of all the old ones if it
    `replaces` them; `member` "": no longer of anybody."""

    CLEARS_INTERRUPTION: ClassVar[bool] = True

    member: str
    replaces: bool

    @property
    def is_narrated(self) -> bool:
        """Who waits sees it."""
        return False


@dataclass(frozen=True, slots=True)
class DeckMissing(Notice):
    """There is no deck to play with yet, and every card is an unknown tag."""

    RAISED_ALERT: ClassVar[str] = "deck"


@dataclass(frozen=True, slots=True)
class DeckChosen(Notice):
    """Another deck is played with from now on; `by` chose it ("": it is the first)."""

    CLEARED_ALERT: ClassVar[str] = "deck"

    deck: str
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentBegan(Notice):
    """From now on tags at the discard pad are for a deck and not for the game: `how` ``enrol``, the cards of a `kind`
    first ("": in their order), ``replace``, new ones for the cards and controls of `only`, or ``check``. `by` asked for
    it. Said again when fewer of `only` are left, and by a table that comes back."""

    RAISED_ALERT: ClassVar[str] = "enrolment"
    CLEARS_INTERRUPTION: ClassVar[bool] = True
    WAKES_DISPLAY: ClassVar[bool] = True

    deck: str
    how: EnrolmentMode
    kind: str
    only: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentEnded(Notice):
    """Tags at the discard pad are the game's again."""

    SCREEN: ClassVar[Screen | None] = Screen.ENROLMENT_ENDED
    CLEARED_ALERT: ClassVar[str] = "enrolment"
    CLEARS_INTERRUPTION: ClassVar[bool] = True

    deck: str
    how: EnrolmentEnd

    @property
    def cue(self) -> Cue:
        """It is heard where nobody has ended it."""
        return Cue(Sound.REMINDER) if self.how is EnrolmentEnd.SILENCE else Cue()


@dataclass(frozen=True, slots=True)
class EnrolmentSays(Notice):
    """What became of a tag at the discard pad, or of something else done in an enrolment: the sentence `key` of the
    catalogues' context ``deck`` ("": nothing was), with its facts, and its `mood`: ``accepted``, ``refused``, ``fault``
    or "". The next tag becomes `wanted`, a kind, a card or a control, and `have` of `need` are done. It is shown, and
    not in the journal: the deck itself is on the disk."""

    SCREEN: ClassVar[Screen | None] = Screen.ENROLMENT
    IS_TRANSIENT: ClassVar[bool] = True

    deck: str
    how: EnrolmentMode
    wanted: str
    have: int
    need: int
    key: str = ""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: TagFeedback = TagFeedback.NONE

    @property
    def cue(self) -> Cue:
        """By its mood."""
        return _FEEDBACK_CUES[self.mood]

    @property
    def is_narrated(self) -> bool:
        """Whoever enrols sees it as it happens; a hundred cards would leave nothing else to read."""
        return self.mood in (TagFeedback.REFUSED, TagFeedback.FAULT)


@dataclass(frozen=True, slots=True)
class DiscardPadTaken(Notice):
    """A card was tapped at a seat, a button pressed or a control used (`pad`), while the discard pad reads cards for a
    deck: the game waits."""

    CUE: ClassVar[Cue] = SeatUnused.CUE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad
