"""Rules which seat buzzed first in a window: by the time of each press, never by the time of its arrival. `windows`
decides when to rule and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Press:
    """One seat's press. `shown_card` is a card that this seat has tapped already; it is played once the seat gets the
    claim."""

    seat: int
    pressed_at_us: int
    uncertainty_us: int = 0
    shown_card: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The winning press, the seats that tied (empty if it won alone), and its lead.

    `margin_us` is the time from the winner to the next press, `uncertainty_us` the sum of the uncertainties of those
    two. Without another press, or in a tie, `margin_us` is None and the uncertainty is the winner's own."""

    press: Press
    tied: tuple[int, ...]
    margin_us: int | None
    uncertainty_us: int


PressArbiter: TypeAlias = Callable[[tuple[Press, ...], int, int], Ruling]
"""Rules on one or more presses. The other arguments are a seat, and the number of seats at the table. Of several tied
seats, the one that is nearest clockwise after that seat wins."""


def first_press(presses: tuple[Press, ...], after: int, seats: int) -> Ruling:
    """Return the ruling of R7.2: the group is every press that no other is certainly before; more than one is a tie."""
    by_time = sorted(presses, key=lambda press: (press.pressed_at_us, press.seat))
    group = [press for press in by_time if not any(is_certainly_before(other, press) for other in by_time)]
    winner = nearest(group, after, seats)
    if len(group) > 1:
        return Ruling(winner, tuple(sorted(press.seat for press in group)), None, winner.uncertainty_us)
    if len(by_time) == 1:
        return Ruling(winner, (), None, winner.uncertainty_us)
    # nothing is certainly before the earliest press, so a lone winner is the earliest
    following = by_time[1]
    margin_us = following.pressed_at_us - winner.pressed_at_us
    return Ruling(winner, (), margin_us, winner.uncertainty_us + following.uncertainty_us)


def is_certainly_before(one: Press, other: Press) -> bool:
    """Return whether `one` is earlier by at least the sum of both uncertainties and by at least 1 µs (R7.2)."""
    apart_us = other.pressed_at_us - one.pressed_at_us
    return apart_us > 0 and apart_us >= one.uncertainty_us + other.uncertainty_us


def nearest(group: list[Press], after: int, seats: int) -> Press:
    """Return the press of the seat nearest clockwise after seat `after`."""
    return min(group, key=lambda press: (press.seat - after) % seats)
