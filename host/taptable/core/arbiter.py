"""Who buzzed first: a ruling over the presses a window has heard, by the time of the press and never by the time it
arrived."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Press:
    """One seat's press; `shown` is the card this seat has tapped already, to be played as soon as it gets the claim."""

    seat: int
    pressed_at_us: int
    uncertainty_us: int = 0
    shown: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The press that wins, the seats that tied with the earliest (none if it stood alone), and by how much it was
    first.

    `margin_us` is the time from the earliest press to the next, None if there was no other; `uncertainty_us` is the
    sum of the uncertainties of those two."""

    press: Press
    tied: tuple[int, ...]
    margin_us: int | None
    uncertainty_us: int


def first_press(presses: tuple[Press, ...], after: int, seats: int) -> Ruling:
    """Rule on one or more presses (R7.2).

    Presses closer to the earliest than the sum of both uncertainties, or at the very same microsecond, tie with it;
    of those the seat nearest clockwise after seat `after` wins, at a table of `seats`."""
    by_time = sorted(presses, key=lambda press: (press.pressed_at_us, press.seat))
    earliest = [press for press in by_time if press.pressed_at_us == by_time[0].pressed_at_us]
    group = [press for press in by_time if press in earliest or any(_ties(first, press) for first in earliest)]
    winner = min(group, key=lambda press: (press.seat - after) % seats)
    if len(by_time) == 1:
        return Ruling(winner, (), None, winner.uncertainty_us)
    runner_up = by_time[1]
    return Ruling(
        winner,
        tuple(sorted(press.seat for press in group)) if len(group) > 1 else (),
        runner_up.pressed_at_us - by_time[0].pressed_at_us,
        by_time[0].uncertainty_us + runner_up.uncertainty_us,
    )


def _ties(earliest: Press, press: Press) -> bool:
    return press.pressed_at_us - earliest.pressed_at_us < earliest.uncertainty_us + press.uncertainty_us
