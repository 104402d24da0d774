"""Observations: what the table noticed, after the filters and before the referee. Times are table time in whole
microseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Pad: TypeAlias = int | str
"""A seat's number (1 and up), or the name of a pad in the middle, such as ``"discard"``."""

DISCARD_PAD = "discard"


@dataclass(frozen=True, slots=True)
class CardTapped:
    """A card came to a pad. `card` is its id in the deck, or whatever a tag without one is called."""

    at_us: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardHeld:
    """The same card still lies there after the time of a hold (1.5 s); its tap came before."""

    at_us: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardsTogether:
    """Two new cards came to one pad within 200 ms: nothing of either is applied. The first of them was noticed at
    `since_us`."""

    at_us: int
    cards: tuple[str, ...]
    pad: Pad
    since_us: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A seat's button; it was pressed at `pressed_at_us`, give or take `uncertainty_us`, and noticed at `at_us`."""

    at_us: int
    seat: int
    pressed_at_us: int
    uncertainty_us: int = 0


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Nothing but time."""

    at_us: int


@dataclass(frozen=True, slots=True)
class ControlUsed:
    """A gesture that is no card of the game: ``take-back``, ``reshuffle``, ``new-game``, ``pause``, ``resume``, or
    a game's own."""

    at_us: int
    control: str


@dataclass(frozen=True, slots=True)
class TableCorrected:
    """The players checked the table, and it was otherwise than it should have been.

    `laid` are cards that lie on a pad's rows (or on the pile of that name) though they were thought elsewhere,
    `gone` cards that don't lie where they were thought to, `hands` seats and how many cards they really hold."""

    at_us: int
    laid: tuple[tuple[str, Pad], ...]
    gone: tuple[str, ...]
    hands: tuple[tuple[int, int], ...]


Observation: TypeAlias = (
    CardTapped | CardHeld | CardsTogether | ButtonPressed | TimePassed | ControlUsed | TableCorrected
)
