"""Plays on at a page without a particular aim: the person takes the actions of the game's own player, and watches while
others are on turn."""

from __future__ import annotations

from taptable.core.player import PlayerAction

from page.evening import DemoEvening
from page.person import Person
from page.visitor import Visitor

MAX_ACTIONS = 400


def plays_a_turn(person: Person, way: str | None = None) -> list[PlayerAction]:
    """Play until a turn of the person has begun and ended; return the actions in it."""
    evening, done = person.evening, list[PlayerAction]()
    for _ in range(MAX_ACTIONS):
        if done and evening.ask(lambda: evening.on_turn) != person.seat:
            return done
        action = next_action(person)
        if evening.ask(lambda: evening.on_turn) == person.seat:
            done.append(action)
        person.does(action, way)
    raise AssertionError("the turn never comes, or never ends")


def next_action(person: Person) -> PlayerAction:
    """Wait until there is something to do."""
    action = person.evening.next_wish(person.seat)
    assert action is not None, "the game is over"
    return action


def sees_rows_as_they_lie(evening: DemoEvening, visitor: Visitor) -> None:
    """The page shows the rows that really lie on the table."""
    visitor.catches_up(evening.marks())
    assert visitor.rows == evening.ask(lambda: evening.rows)
