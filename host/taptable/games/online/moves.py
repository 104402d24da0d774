"""Moves: what a player means by an observation. Each is legal in the state it was read in; `apply` only carries
it out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from taptable.core.observations import Pad
from taptable.games.online.cards import Kind


class Source(Enum):
    """Where a card comes from that is played now."""

    HAND = auto()
    DRAW_PILE = auto()  # searched (R8.1)
    DISCARD = auto()  # hacked from under the hacker (R7.7 C)
    ROW = auto()  # hacked from a row (R7.7 A, B)


@dataclass(frozen=True, slots=True)
class PickStarter:
    """The youngest player's press (R2.3)."""

    at_us: int
    seat: int


@dataclass(frozen=True, slots=True)
class LayCard:
    """A card goes onto a row of a team: a play, an attack, a download, or what a search or a hack does with it.

    `pad` is the seat whose pad was tapped, `origin` the team a hacked card is taken from.
    """

    at_us: int
    card: str
    kind: Kind
    team: int
    pad: int
    source: Source
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class ReactWith:
    """An attacked team lays an access card out of turn, from the hand of `seat` (R6.2, R2.5)."""

    at_us: int
    card: str
    kind: Kind
    team: int
    pad: int
    seat: int


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """A card goes to the discard pile: plainly (R3.3), searched (R8.1, FR) or hacked away (R7.7)."""

    at_us: int
    card: str
    kind: Kind
    source: Source
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class ShowHacker:
    """A hacker is shown: it opens the window (R7.1)."""

    at_us: int
    card: str
    source: Source


@dataclass(frozen=True, slots=True)
class ShowSearch:
    """A search is shown (R8.1)."""

    at_us: int
    card: str
    source: Source


@dataclass(frozen=True, slots=True)
class Buzz:
    """A press in the window (R7.2)."""

    at_us: int
    seat: int
    pressed_at_us: int
    uncertainty_us: int


@dataclass(frozen=True, slots=True)
class ShowPatrol:
    """A Cyber Patrol tapped in the window: by the seat with the claim, by one that has pressed, or as a press
    (R7.3, R7.5)."""

    at_us: int
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class BackUp:
    """A category row is turned face down (R5.5)."""

    at_us: int
    team: int
    row: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """*Stop* (R3.4)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Waive:
    """A pending hack or search is let go (R7.10, R8.2)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The players have shuffled a new draw pile (R9.2)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Correct:
    """The table as it really is, after the players have checked it (R3.8); see `TableCorrected`."""

    at_us: int
    laid: tuple[tuple[str, Pad], ...]
    gone: tuple[str, ...]
    hands: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class EndGame:
    """The players end the game (R10.5)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Vacate:
    """A seat's player leaves for good (R2.5)."""

    at_us: int
    seat: int


@dataclass(frozen=True, slots=True)
class Lose:
    """A card is out of the game until it is found (R1.1)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class Recover:
    """A lost card was found, and goes back into the draw pile (R1.1)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class PassDeadline:
    """The game's next deadline has passed."""

    at_us: int


MoveInTurn: TypeAlias = (
    LayCard
    | ReactWith
    | DiscardCard
    | ShowHacker
    | ShowSearch
    | Buzz
    | ShowPatrol
    | BackUp
    | EndTurn
    | Waive
    | Reshuffle
    | Correct
    | EndGame
    | Vacate
    | PassDeadline
)
"""What there is a turn for."""

Move: TypeAlias = PickStarter | Lose | Recover | MoveInTurn
