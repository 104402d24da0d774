"""What is said of a game of ONLINE, beside what is said in every game; what of it is counted for each player, and what
is marked on a plot of a game."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement, ClaimFailed, ClaimGiven, Mood
from taptable.core.figures import Figure
from taptable.core.observations import Pad


@dataclass(frozen=True, slots=True)
class TurnEnded(Announcement):
    """A turn is over: by ``stop``, ``exchange``, ``pass`` or ``patrol``, or its player has ``left``; an exchange drew
    so many cards."""

    seat: int
    how: str
    drawn: int


@dataclass(frozen=True, slots=True)
class CardLaid(Announcement):
    """An access card lies on the rows of a team; `seat` did it, `onto` is the pad that was tapped."""

    seat: int
    card: str
    onto: int


@dataclass(frozen=True, slots=True)
class AttackLaid(Announcement):
    """An attack card lies on an opponent's rows."""

    seat: int
    card: str
    onto: int


@dataclass(frozen=True, slots=True)
class CardDownloaded(Announcement):
    """A category card lies in its row; the team of pad `onto` has `mb` megabytes now."""

    seat: int
    card: str
    onto: int
    mb: int


@dataclass(frozen=True, slots=True)
class CardDiscarded(Announcement):
    """A card went from a hand, or by a search, to the discard pile."""

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
    """A hacker lies on the discard pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class PatrolShown(Announcement):
    """A Cyber Patrol was tapped by a seat that has not been named yet."""

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
    """The hacker let the hack go."""

    seat: int


@dataclass(frozen=True, slots=True)
class SearchShown(Announcement):
    """A search lies on the discard pile: one card may be taken from the draw pile and must be played at once."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class SearchWaived(Announcement):
    """The player let the search go."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawPileDisturbed(Announcement):
    """The draw pile was looked through and is to be shuffled (R8.2)."""

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
    """An exchange couldn't draw all its cards: the seat is owed this many, which it draws after a reshuffle (R9.2)."""

    written = True

    seat: int
    owed: int


@dataclass(frozen=True, slots=True)
class OwedCardsDrawn(Announcement):
    """After a reshuffle a seat has drawn what its exchange was owed, or as much of it as there was (R9.2)."""

    seat: int
    drawn: int


@dataclass(frozen=True, slots=True)
class PilesReshuffled(Announcement):
    """There is a new draw pile of so many cards; the player on turn has drawn what was owed."""

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
    """Nobody plays this seat any more; the cards of its hand, so many, go back into the draw pile, hidden."""

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
    """A lost card was found, and goes into the draw pile."""

    written = True

    card: str
    draw_pile: int


@dataclass(frozen=True, slots=True)
class TablePutRight(Announcement):
    """After a check the table knows better: cards laid, cards forgotten, and the draw pile by the new count."""

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
