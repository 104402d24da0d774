"""What there is to be seen of a simulated table at one moment, as values: made by `looking`, set in lines by `panels`
and `layout`."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from taptable.core.agreed import Agreed
from taptable.core.player import Heap
from taptable.core.scoreboard import Count, TeamScore


@dataclass(frozen=True, slots=True)
class Show:
    """What is shown at all: the game, what was agreed, the seed, and which seats people play."""

    game: str
    agreed: Agreed
    seed: int
    people: tuple[int, ...]
    compact: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: the pattern of its ring (None: it has none) with the share that is left of one that runs, its lamp by
    the pattern's name and as it is at this moment, what its button means, and its hand by the table's count."""

    seat: int
    on_turn: bool
    ring: str | None
    ring_left: float | None
    lamp: str
    lit: bool
    meaning: str | None
    hand: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class TeamView:
    """One team: its score, and its rows as they lie on the table."""

    score: TeamScore
    rows: tuple[Heap, ...]


@dataclass(frozen=True, slots=True)
class WindowView:
    """A running window, or the claim of the seat that was first, and what is left of it."""

    seat: int
    claimant: int | None
    left_s: float
    whole_s: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the table, in a style by its name, behind a sign."""

    text: str
    style: str
    sign: str


@dataclass(frozen=True, slots=True)
class Own:
    """What a person at a seat sees and may do: the heaps in reach, the chosen card, and whether a pad is asked for.

    `doing` while the hands are busy, `answer` is what came of the last key, `asked` a key that must be pressed again to
    be meant, `may_draw` whether a card may be drawn. `offers` are the game's control cards that would count now, of
    which `offered` is the chosen one while the list is open; `pads` are those beside the seats' and the discard
    pile's."""

    seat: int
    heaps: tuple[Heap, ...]
    chosen: str | None
    asking_pad: bool
    doing: bool = False
    answer: tuple[Said, ...] = ()
    asked: str | None = None
    may_draw: bool = False
    offers: tuple[str, ...] = ()
    offered: str | None = None
    pads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Everything; `glass` is the display's picture, `middle` what lies open for everybody, `sound` what the sounder
    plays or has just played. `hint` is what the display says of what is pending; `reshuffles` is whether a pile is to
    be shuffled."""

    show: Show
    speed: float
    glass: Image.Image
    seats: tuple[SeatView, ...]
    teams: tuple[TeamView, ...]
    unit: str
    middle: tuple[Heap, ...]
    stock: tuple[Count, ...]
    window: WindowView | None
    pending: str | None
    hint: str | None
    reshuffles: bool
    sound: str | None
    paused: bool
    over: bool
    log: tuple[Said, ...]
    own: Own | None = None
    helping: bool = False

    @property
    def on_turn(self) -> int | None:
        """The seat on turn."""
        return next((seat.seat for seat in self.seats if seat.on_turn), None)
