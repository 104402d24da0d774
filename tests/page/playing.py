"""Playing on at a page without anything in particular to happen: the person does what the game's own player would do,
and looks on while others are on turn."""

from __future__ import annotations

import time
from collections.abc import Callable

from taptable.core.player import Deed

from page.evening import AnEvening
from page.in_a_thread import SLOW
from page.person import Person
from page.visitor import DEADLINE_S, Visitor

SWIFT, CALM, HURRYING = 20.0, 5.0, 0.5
"""How fast time passes while others do something, while the person does, and does it in a window."""
MOST_STEPS = 2000


def goes_on(evening: AnEvening, person: Person, sentences: int = 2) -> None:
    """Play until so many more announcements stand in the log."""
    visitor = person.visitor
    before = visitor.announced
    for _ in range(MOST_STEPS):
        if visitor.announced >= before + sentences:
            return
        one_step(evening, person)
    raise AssertionError("nothing goes on")


def one_step(evening: AnEvening, person: Person, way: str | None = None) -> Deed | None:
    """Do what there is to do, or wait until something new stands on the page."""
    seen = person.visitor.revision
    evening.set_speed(CALM)
    deed = evening.wish(person.seat)
    if deed is not None:
        person.does(deed, way)
        return deed
    evening.set_speed(SWIFT)
    newer = "(seen) => Number(document.documentElement.dataset.revision) > seen"
    person.visitor.until("something new", newer, seen)
    return None


def next_deed(evening: AnEvening, visitor: Visitor, wish: Callable[[], Deed | None]) -> Deed | None:
    """Wait until `wish`, which is asked on the table's loop, gives what the person is to do, and the page shows that
    moment; None: the game is over."""
    deed = evening.next_wish(wish, SWIFT)
    visitor.catches_up(evening.marks())
    evening.set_speed(HURRYING if evening.ask(lambda: in_a_window(evening)) else CALM)
    return deed


def in_a_window(evening: AnEvening) -> bool:
    """Does a window run? To be looked at in `ask`."""
    table = evening.session.table
    return table.game.scoreboard(table.state).window is not None


def plays_a_turn(evening: AnEvening, person: Person, way: str | None = None) -> list[Deed]:
    """Play until a turn of the person has begun and ended; what was done in it."""
    done: list[Deed] = []
    for _ in range(MOST_STEPS):
        if evening.ask(lambda: evening.on_turn) == person.seat:
            deed = one_step(evening, person, way)
            done += [deed] if deed is not None else []
        elif done:
            return done
        else:
            one_step(evening, person, way)
    raise AssertionError("the turn never comes, or never ends")


def sees_rows_as_they_lie(evening: AnEvening, visitor: Visitor) -> None:
    """Look until the page shows the rows that really lie on the table. Others may lay a card between a look at the
    table and one at the page: then both are looked at anew."""
    evening.set_speed(SLOW)
    deadline = time.monotonic() + DEADLINE_S
    while True:
        lying = evening.ask(lambda: evening.rows)
        visitor.catches_up(evening.marks())
        shown = visitor.rows
        if shown == lying:
            return
        if time.monotonic() > deadline:
            assert shown == lying
