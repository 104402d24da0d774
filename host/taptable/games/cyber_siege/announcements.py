"""The announcements that only Cyber Siege makes; the statistics of each player that are counted from announcements; and
the milestones on a plot of a game. The sentences are in the catalogues. Must not know when an announcement is made:
`play` and `turns` do."""

from __future__ import annotations

from dataclasses import dataclass, field

from taptable.core import announcements as shared
from taptable.core.announcements import Announcement, Mood
from taptable.core.figures import Figure
from taptable.core.sentences import Sentences


@dataclass(frozen=True, slots=True)
class TurnStarted(shared.TurnAnnounced):
    """The turn of `seat` begins (S3.1)."""


@dataclass(frozen=True, slots=True)
class CardDrawn(Announcement):
    """`cards` cards were drawn, by the table's count, from ``red``, ``purple`` or ``discard``."""

    seat: int
    from_: str
    cards: int


@dataclass(frozen=True, slots=True)
class CardLaid(Announcement):
    """A card of a set that is being laid; the set card comes first."""

    explains = True

    seat: int
    card: str
    # for the sentence only, as `State.completion` returns them
    missing: tuple[str, ...] = field(default=(), compare=False)
    any_of: tuple[str, ...] = field(default=(), compare=False)
    left: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class SetLaid(Announcement):
    """A set is full, and its set card is worth `points` points (S4.5)."""

    seat: int
    card: str
    points: int


@dataclass(frozen=True, slots=True)
class SetTakenBack(Announcement):
    """A set was broken off; all its cards are back in the hand, the set card first (S4.4)."""

    written = True

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardDiscarded(Announcement):
    """A red card went from a hand to the discard pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class LaunchOffered(Announcement):
    """This seat may launch the attack that it has discarded (S5.2)."""

    pressing = True

    seat: int
    card: str
    until_us: int


@dataclass(frozen=True, slots=True)
class Spared(Announcement):
    """The attack isn't launched (S5.2)."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class WindowOpened(shared.WindowOpened):
    """The attack of `seat` was launched; `defender` may answer it (S6.1)."""

    explains = True

    defender: int
    card: str


@dataclass(frozen=True, slots=True)
class Defended(Announcement):
    """`seat` stopped the attack with this card, which earns it a point (S6.3)."""

    mood = Mood.TURNED_TABLES
    explains = True

    seat: int
    attacker: int
    card: str


@dataclass(frozen=True, slots=True)
class Hit(Announcement):
    """The attack on `seat` succeeded, which earns `attacker` a point; `n` is the number of cards or points in its
    effect (S6.4)."""

    written = True
    unanswered = True

    seat: int
    attacker: int
    card: str
    effect: str
    n: int


@dataclass(frozen=True, slots=True)
class EffectText(Announcement):
    """The players must do what `say` tells them, a text of the manifest (S1.3)."""

    written = True

    seat: int
    say: Sentences


@dataclass(frozen=True, slots=True)
class ReshuffleDue(Announcement):
    """By the table's count the red pile is empty: the discard pile must be shuffled and turned over (S3.4)."""

    written = True


@dataclass(frozen=True, slots=True)
class Reshuffled(Announcement):
    """The discard pile became the new red pile of `red_pile` cards."""

    written = True

    red_pile: int


@dataclass(frozen=True, slots=True)
class Corrected(Announcement):
    """A manual correction set the counts of a seat to these (S8.3)."""

    written = True

    seat: int
    red: int
    purple: int
    one_points: int


@dataclass(frozen=True, slots=True)
class TablePutRight(Announcement):
    """A check corrected the table's belief: cards laid, cards forgotten, and the piles by the new counts."""

    laid: tuple[str, ...]
    gone: tuple[str, ...]
    red_pile: int
    purple_pile: int


@dataclass(frozen=True, slots=True)
class GameOver(shared.GameEnded):
    """The game is over (S7)."""


ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    TurnStarted,
    CardDrawn,
    CardLaid,
    SetLaid,
    SetTakenBack,
    CardDiscarded,
    LaunchOffered,
    Spared,
    WindowOpened,
    Defended,
    Hit,
    EffectText,
    ReshuffleDue,
    Reshuffled,
    Corrected,
    TablePutRight,
    GameOver,
)

FIGURES = (
    Figure("sets", SetLaid),
    Figure("sets-taken-back", SetTakenBack),
    Figure("attacks", WindowOpened),
    Figure("attacks-spared", Spared),
    Figure("attacks-through", Hit, "attacker"),
    Figure("hits-taken", Hit),
    Figure("defences", Defended),
    Figure("attacks-stopped", Defended, "attacker"),
)
MILESTONES = (SetLaid, Defended, Reshuffled)
