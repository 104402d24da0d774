"""ONLINE by its earlier rules. A game that began under them is replayed, narrated and finished by them; new games never
use them. The versions of the rules differ in their editions only, which are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from taptable.core.arbiter import Press, Ruling, nearest
from taptable.games.online.game import Online
from taptable.games.online.options import EDITIONS, Edition


def first_press_with_margin(presses: tuple[Press, ...], after: int, seats: int) -> Ruling:
    """Return the ruling of R7.2 until ``online/2``: the group is every press that isn't certainly after the earliest,
    or after one of several at the earliest microsecond. A tie has a margin: from the earliest press to the next."""
    by_time = sorted(presses, key=lambda press: (press.pressed_at_us, press.seat))
    earliest = [press for press in by_time if press.pressed_at_us == by_time[0].pressed_at_us]
    group = [press for press in by_time if press in earliest or any(_ties(first, press) for first in earliest)]
    winner = nearest(group, after, seats)
    if len(by_time) == 1:
        return Ruling(winner, (), None, winner.uncertainty_us)
    following = by_time[1]
    return Ruling(
        winner,
        tuple(sorted(press.seat for press in group)) if len(group) > 1 else (),
        following.pressed_at_us - by_time[0].pressed_at_us,
        by_time[0].uncertainty_us + following.uncertainty_us,
    )


def _ties(earliest: Press, press: Press) -> bool:
    return press.pressed_at_us - earliest.pressed_at_us < earliest.uncertainty_us + press.uncertainty_us


EDITIONS_2: Mapping[str, Edition] = {
    name: replace(edition, arbiter=first_press_with_margin, exchange_owed=False, repaired_is_up=True)
    for name, edition in EDITIONS.items()
}
"""The editions of release 0.2.0."""

EDITIONS_1: Mapping[str, Edition] = {
    name: replace(edition, solo_needs_limit=True, losses_of_parties=(2, 3, 4), reacts_anywhere=True)
    for name, edition in EDITIONS_2.items()
}
"""The editions of release 0.1.0."""

EARLIER = (Online("online/1", EDITIONS_1), Online("online/2", EDITIONS_2))
