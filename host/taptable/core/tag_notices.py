"""Notices of tags that are no cards of the current game: members' cards, and tags that the discard pad reads for a
deck. The daemon gives them. Must not know how a tag is enrolled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from taptable.core.cues import Cue, Lamp, Screen, Sound
from taptable.core.notices import Notice, SeatUnused
from taptable.core.observations import Pad


class MemberTapEffect(StrEnum):
    """The effect of a member's card at a seat, or of choosing a member at the page."""

    SITS = "sits"
    GETS_UP = "gets-up"
    NO_SEAT = "seat"  # there is no seat to leave
    GAME_BEGUN = "begun"  # a tap no longer changes who sits where


class EnrolmentMode(StrEnum):
    """How the discard pad is used for a deck."""

    ENROL = "enrol"
    REPLACE = "replace"
    CHECK = "check"


class EnrolmentEnd(StrEnum):
    """Why the discard pad's tags are the game's again."""

    STOPPED = "stopped"
    NOTHING_LEFT = "nothing-left"
    SILENCE = "silence"  # nobody has tapped a card for `daemon.enrolment_session.IDLE_TIMEOUT_S`


class TagFeedback(StrEnum):
    """The feedback to a tag that is read for a deck or as a member's card."""

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
"""The cues for a tag that is read for a deck. They are given everywhere: the person who taps may stand anywhere round
the table."""


@dataclass(frozen=True, slots=True)
class MembersSeated(Notice):
    """The members at the seats, seat 1 first, by their random ids; "" for a seat of a guest or of nobody."""

    members: tuple[str, ...]

    @property
    def is_narrated(self) -> bool:
        """Never: the notice about each member's card was narrated already."""
        return False


@dataclass(frozen=True, slots=True)
class MemberSeen(Notice):
    """A member's card was tapped at this pad, or somebody chose the member at the page for its seat."""

    IS_TRANSIENT: ClassVar[bool] = True

    member: str
    pad: Pad
    how: MemberTapEffect

    @property
    def cue(self) -> Cue:
        """A sound of success only if something changed."""
        changed = self.how in (MemberTapEffect.SITS, MemberTapEffect.GETS_UP)
        return Cue(Sound.ACCEPTED if changed else Sound.IGNORED, "accepted")

    @property
    def screen(self) -> Screen:
        """One line once a game has begun, so that the rest stays visible."""
        return Screen.NEWS if self.how is MemberTapEffect.GAME_BEGUN else Screen.PEOPLE


@dataclass(frozen=True, slots=True)
class MemberCardSays(Notice):
    """The result for a tag at the discard pad while it waits for a member's card: the sentence `key` of the catalogues'
    context ``people``, with its facts, and its `mood` as in an enrolment. The wait lasts until `until_us` (0: it is
    over). Shown, and not in the journal."""

    SCREEN: ClassVar[Screen | None] = Screen.PEOPLE
    IS_TRANSIENT: ClassVar[bool] = True

    member: str
    until_us: int
    key: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    mood: TagFeedback = TagFeedback.NONE

    @property
    def cue(self) -> Cue:
        """The cue of its mood."""
        return _FEEDBACK_CUES[self.mood]

    @property
    def display_span_us(self) -> tuple[int, int] | None:
        """The time for which the table waits for the card."""
        asks = self.until_us and not self.mood
        return (self.until_us, self.until_us - self.at_us) if asks else None


@dataclass(frozen=True, slots=True)
class MemberCardAwaited(Notice):
    """From now on the next tag at the discard pad becomes a card of this member, and replaces all the old ones if
    `replaces`. `member` "" ends the wait."""

    CLEARS_INTERRUPTION: ClassVar[bool] = True

    member: str
    replaces: bool

    @property
    def is_narrated(self) -> bool:
        """Never: the person who waits sees it."""
        return False


@dataclass(frozen=True, slots=True)
class DeckMissing(Notice):
    """No deck is active, so every card is an unknown tag. Raised when the active deck was deleted and no other can take
    its place, when no deck fits a new game, and, if a page is configured, at a start without a deck. While its alert
    ``deck`` holds, the status is ``deckless`` and the display shows the scene's `missing_deck`."""

    RAISED_ALERT: ClassVar[str] = "deck"


@dataclass(frozen=True, slots=True)
class DeckChosen(Notice):
    """Another deck is active from now on; `by` chose it ("": it is the first)."""

    CLEARED_ALERT: ClassVar[str] = "deck"

    deck: str
    by: str


@dataclass(frozen=True, slots=True)
class EnrolmentBegan(Notice):
    """From now on tags at the discard pad are for a deck and not for the game: `how` is ``enrol``, the cards of a
    `kind` first ("": in their order), ``replace``, new ones for the cards and controls of `only`, or ``check``. `by`
    asked for it. Repeated when `only` has become shorter, and after a restart."""

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
        """A reminder, if it ended by itself."""
        return Cue(Sound.REMINDER) if self.how is EnrolmentEnd.SILENCE else Cue()


@dataclass(frozen=True, slots=True)
class EnrolmentSays(Notice):
    """The result for a tag at the discard pad, or of another step of an enrolment: the sentence `key` of the
    catalogues' context ``deck`` ("": nothing to say), with its facts, and its `mood`: ``accepted``, ``refused``,
    ``fault`` or "". The next tag becomes `wanted`, a kind, a card or a control, and `have` of `need` are done. Shown,
    and not in the journal: the deck itself is on the disk."""

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
        """The cue of its mood."""
        return _FEEDBACK_CUES[self.mood]

    @property
    def is_narrated(self) -> bool:
        """Only failures: the person who enrols sees the rest, and a hundred cards would leave nothing else to read."""
        return self.mood in (TagFeedback.REFUSED, TagFeedback.FAULT)


@dataclass(frozen=True, slots=True)
class DiscardPadTaken(Notice):
    """While the discard pad reads cards for a deck, a card was tapped at a seat, a button pressed or a control used
    (`pad`): the game waits."""

    CUE: ClassVar[Cue] = SeatUnused.CUE
    SCREEN: ClassVar[Screen | None] = Screen.SUBJECT

    pad: Pad
