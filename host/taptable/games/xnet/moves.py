"""Moves: what a player means by an observation. Each is legal in the state it was read in; `apply` only carries
it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from taptable.core.observations import Pad
from taptable.games.xnet.state import Pending


@dataclass(frozen=True, slots=True)
class NameStarter:
    """The first press names who begins (X1.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class OpenDemand:
    """One of the three first cards of the pyramid, from the draw pile (X1.4)."""

    card: str


@dataclass(frozen=True, slots=True)
class LayCard:
    """A card from the hand goes onto an own server: a new topic, or one more card of a topic (X3.6, X3.7)."""

    card: str


@dataclass(frozen=True, slots=True)
class BeginAction:
    """A control begins an action; what needs no more is done at once (X5.1, X5.3)."""

    pending: Pending


@dataclass(frozen=True, slots=True)
class Choose:
    """A tap chooses a topic for the action that was begun: `pending` is the action with it (X5.2)."""

    topic: str
    pending: Pending


@dataclass(frozen=True, slots=True)
class Pay:
    """A card from the hand is tapped for the action that was begun; with the last one it is done (X5.5)."""

    card: str


@dataclass(frozen=True, slots=True)
class BreakOff:
    """The own button breaks an action off (X5.6)."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The own button ends the turn (X2.1)."""


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The players have shuffled the discard pile into a draw pile (X2.5)."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The players end the game: it is decided by points as they are."""


@dataclass(frozen=True, slots=True)
class Correct:
    """The table as it really is, after the players have checked it; see `TableCorrected`."""

    laid: tuple[tuple[str, Pad], ...]
    gone: tuple[str, ...]
    hands: tuple[tuple[int, int], ...]


MoveInTurn: TypeAlias = (
    OpenDemand | LayCard | BeginAction | Choose | Pay | BreakOff | EndTurn | Reshuffle | EndGame | Correct
)
"""What there is a turn for."""

Move: TypeAlias = NameStarter | MoveInTurn
