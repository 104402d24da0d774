"""The announcements that only ONLINE makes; the statistics of each player that are counted from announcements; and the
milestones on a plot of a game. The sentences are in the catalogues. Must not know when an announcement is made: `play`
and the modules that it calls do."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement, ClaimFailed, ClaimGiven, Mood
from taptable.core.figures import Figure
from taptable.core.observations import Pad


@dataclass(frozen=True, slots=True)
class TurnEnded(Announcement):
    """A turn is over: by ``stop``, ``exchange``, ``pass`` or ``patrol``, or because its player has ``left``. An
    exchange drew `drawn` cards."""

    seat: int
    how: str
    drawn: int


@dataclass(frozen=True, slots=True)
class CardLaid(Announcement):
    """An access card was laid on the rows of a team; `seat` laid it, `onto` is the pad that was tapped."""

    seat: int
    card: str
    onto: int


@dataclass(frozen=True, slots=True)
class AttackLaid(Announcement):
    """An attack card was laid on an opponent's rows."""

    seat: int
    card: str
    onto: int


@dataclass(frozen=True, slots=True)
class CardDownloaded(Announcement):
    """A category card was laid in its row; the team of pad `onto` has `mb` megabytes now."""

    seat: int
    card: str
    onto: int
    mb: int


@dataclass(frozen=True, slots=True)
class CardDiscarded(Announcement):
    """A card went to the discard pile from a hand or by a search."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class CardHacked(Announcement):
    """A hacker took a card from the rows of these seats (none: from the discard pile) and puts it onto a pad."""

    seat: int
    card: str
    seats: tuple[int, ...]
    onto: Pad


@dataclass(frozen=True, slots=True)
class HackerShown(Announcement):
    """A hacker was laid on the discard pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class PatrolShown(Announcement):
    """A seat tapped a Cyber Patrol before the ruling on its press."""

    seat: int


@dataclass(frozen=True, slots=True)
class HackerStopped(Announcement):
    """A Cyber Patrol stopped the hacker, who also misses the next turn."""

    mood = Mood.TURNED_TABLES

    seat: int
    card: str
    hacker: int


@dataclass(frozen=True, slots=True)
class HackBegan(Announcement):
    """Nobody stopped the hacker, who may take a card now."""

    seat: int


@dataclass(frozen=True, slots=True)
class HackWaived(Announcement):
    """The hacker waived the hack."""

    seat: int


@dataclass(frozen=True, slots=True)
class SearchShown(Announcement):
    """A search was laid on the discard pile: its player may take one card from the draw pile and must play it at
    once."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class SearchWaived(Announcement):
    """The player waived the search."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawPileDisturbed(Announcement):
    """The draw pile was looked through and must be shuffled (R8.2)."""

    written = True


@dataclass(frozen=True, slots=True)
class RowBackedUp(Announcement):
    """A category row was turned face down."""

    seat: int
    row: str


@dataclass(frozen=True, slots=True)
class DrawPileUsedUp(Announcement):
    """By the table's count the draw pile is empty (R9.2)."""


@dataclass(frozen=True, slots=True)
class DrawPileTooShort(Announcement):
    """An exchange couldn't draw all its cards: `seat` is owed `owed` of them and draws them after a reshuffle
    (R9.2)."""

    written = True

    seat: int
    owed: int


@dataclass(frozen=True, slots=True)
class OwedCardsDrawn(Announcement):
    """After a reshuffle a seat drew the cards that its exchange was owed, or as many as there were (R9.2)."""

    seat: int
    drawn: int


@dataclass(frozen=True, slots=True)
class PilesReshuffled(Announcement):
    """A new draw pile of `draw_pile` cards was made; the player on turn drew `drawn` cards that were owed."""

    written = True

    draw_pile: int
    drawn: int


@dataclass(frozen=True, slots=True)
class TimeIsUp(Announcement):
    """The time limit is up; the current turn is finished first (R10.3)."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class SeatLeft(Announcement):
    """Nobody plays this seat any more; the `returned` cards of its hand go back into the draw pile, hidden."""

    written = True

    seat: int
    returned: int


@dataclass(frozen=True, slots=True)
class CardTakenOut(Announcement):
    """A card is lost, and out of the game until it is found."""

    written = True

    card: str
    draw_pile: int


@dataclass(frozen=True, slots=True)
class CardPutBack(Announcement):
    """A lost card was found and goes into the draw pile."""

    written = True

    card: str
    draw_pile: int


@dataclass(frozen=True, slots=True)
class TablePutRight(Announcement):
    """A check corrected the table's belief: cards laid, cards forgotten, and the draw pile by the new count."""

    laid: tuple[str, ...]
    gone: tuple[str, ...]
    draw_pile: int


ANNOUNCEMENTS: tuple[type[Announcement], ...] = (
    TurnEnded,
    CardLaid,
    AttackLaid,
    CardDownloaded,
    CardDiscarded,
    CardHacked,
    HackerShown,
    PatrolShown,
    HackerStopped,
    HackBegan,
    HackWaived,
    SearchShown,
    SearchWaived,
    DrawPileDisturbed,
    RowBackedUp,
    DrawPileUsedUp,
    DrawPileTooShort,
    OwedCardsDrawn,
    PilesReshuffled,
    TimeIsUp,
    SeatLeft,
    CardTakenOut,
    CardPutBack,
    TablePutRight,
)

FIGURES = (
    Figure("downloads", CardDownloaded),
    Figure("access-cards", CardLaid),
    Figure("attacks", AttackLaid),
    Figure("hackers-shown", HackerShown),
    Figure("hacks", CardHacked),
    Figure("hackers-stopped", HackerStopped),
    Figure("stopped", HackerStopped, "hacker"),
    Figure("claims", ClaimGiven),
    Figure("false-alarms", ClaimFailed),
    Figure("searches", SearchShown),
    Figure("backups", RowBackedUp),
)
MILESTONES = (HackerStopped, PilesReshuffled, TimeIsUp)
