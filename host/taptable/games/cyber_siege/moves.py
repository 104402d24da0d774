"""Moves: what a player means by an observation. Each is legal in the state it was read in; `apply` only carries
it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from taptable.core.observations import Pad


@dataclass(frozen=True, slots=True)
class PickStarter:
    """The youngest player's press (S2.2)."""

    at_us: int
    seat: int


@dataclass(frozen=True, slots=True)
class TakeDiscard:
    """The top card of the discard pile is drawn (S3.2)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class BeginSet:
    """A set card is tapped, and its red cards come next (S4.1)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class AddToSet:
    """A red card that the set misses, or an admin (S4.2, S4.3)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class BreakOff:
    """A set that isn't full goes back to the hand (S4.4)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """The red card that ends the turn, or opens a launch (S5.1, S5.2)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class PayDiscard:
    """A card that an attack's effect makes the player discard (S6.6)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class LaunchAttack:
    """The press that launches the attack (S5.2)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Spare:
    """The next player is spared (S5.2)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """A player without a red card ends the turn (S5.4)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Defend:
    """A card that defends against the attack (S6.2)."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class TakeHit:
    """The defender lets the attack happen (S6.4)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The players have turned the shuffled discard pile over (S3.4)."""

    at_us: int


@dataclass(frozen=True, slots=True)
class Correct:
    """A seat's counts as they really are; None: as they were (S8.3)."""

    at_us: int
    seat: int
    red: int | None = None
    purple: int | None = None
    one_points: int | None = None


@dataclass(frozen=True, slots=True)
class PutRight:
    """The table as it really is, after the players have checked it; see `TableCorrected`."""

    at_us: int
    laid: tuple[tuple[str, Pad], ...]
    gone: tuple[str, ...]
    counts: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class EndGame:
    """The players end the game as it stands."""

    at_us: int


@dataclass(frozen=True, slots=True)
class PassDeadline:
    """The game's next deadline has passed."""

    at_us: int


MoveInTurn: TypeAlias = (
    TakeDiscard
    | BeginSet
    | AddToSet
    | BreakOff
    | DiscardCard
    | PayDiscard
    | LaunchAttack
    | Spare
    | EndTurn
    | Defend
    | TakeHit
    | Reshuffle
    | Correct
    | PutRight
    | EndGame
    | PassDeadline
)
"""What there is a turn for."""

Move: TypeAlias = PickStarter | MoveInTurn
