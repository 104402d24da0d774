"""Observations: the input of the referee, which the filters make from device events, and pages and recorded games too.
Times are table time in whole microseconds. Must not know a device, nor what an observation means in a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from taptable.core.controls import Fields
from taptable.core.game_options import GameOptions

Pad: TypeAlias = int | str
"""A seat's number (1 and up), or the name of a pad in the middle, such as ``"discard"``."""

DISCARD_PAD = "discard"


@dataclass(frozen=True, slots=True)
class CardTapped:
    """A card came to a pad, which was known at `at_us`; it came at most `uncertainty_us` before. `card` is its id in
    the deck, or the name given to a tag without one."""

    at_us: int
    card: str
    pad: Pad
    uncertainty_us: int = 0


@dataclass(frozen=True, slots=True)
class CardHeld:
    """A card was held on a pad: it still lay there after the filter's `HOLD_US`. Its tap was reported before."""

    at_us: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class CardsTogether:
    """Two new cards came to one pad within 200 ms; neither has an effect. The first was detected at `since_us`."""

    at_us: int
    cards: tuple[str, ...]
    pad: Pad
    since_us: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A seat's button was pressed at `pressed_at_us` ± `uncertainty_us`, and the press was received at `at_us`."""

    at_us: int
    seat: int
    pressed_at_us: int
    uncertainty_us: int = 0


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time passed, and nothing else happened."""

    at_us: int


@dataclass(frozen=True, slots=True)
class ControlUsed:
    """A control was used instead of a card of the game: ``take-back``, ``reshuffle``, ``new-game``, ``end-game``,
    ``pause``, ``resume``, or a game's own, which may have `fields`, sorted by name."""

    at_us: int
    control: str
    fields: Fields = ()


@dataclass(frozen=True, slots=True)
class TableCorrected:
    """The players checked the table, and the referee's belief was wrong.

    `laid` are cards that lie on a pad's rows (or on the pile of that name) but were believed elsewhere, `gone` cards
    that don't lie where they were believed, `hands` seats and the number of cards they really hold. Where a game tells
    apart what a seat holds, `counts` has it: seat, name (as in `Scoreboard.hands`) and number."""

    at_us: int
    laid: tuple[tuple[str, Pad], ...]
    gone: tuple[str, ...]
    hands: tuple[tuple[int, int], ...]
    counts: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GameSetUp:
    """A new game with other options than the last. With `keep_next_starter` the next starter of an earlier game begins,
    if that seat takes part; else the agreed starter or the youngest."""

    at_us: int
    game: str
    game_options: GameOptions
    keep_next_starter: bool


@dataclass(frozen=True, slots=True)
class SeatVacated:
    """A seat's player leaves, and nobody takes over."""

    at_us: int
    seat: int


@dataclass(frozen=True, slots=True)
class CardLost:
    """A card can't be found any more."""

    at_us: int
    card: str


@dataclass(frozen=True, slots=True)
class CardRecovered:
    """A lost card was found."""

    at_us: int
    card: str


Arrangement: TypeAlias = TableCorrected | GameSetUp | SeatVacated | CardLost | CardRecovered
"""Manual corrections and decisions, which no card and no button can express."""

Observation: TypeAlias = CardTapped | CardHeld | CardsTogether | ButtonPressed | TimePassed | ControlUsed | Arrangement


_FINAL_TYPES = (TableCorrected, CardLost, CardRecovered)


def is_final(observation: Observation) -> bool:
    """Return whether the observation can't be taken back: shuffled cards can't be unshuffled, and a correction states
    what really lies on the table."""
    if isinstance(observation, ControlUsed):
        return observation.control == "reshuffle"
    return isinstance(observation, _FINAL_TYPES)
