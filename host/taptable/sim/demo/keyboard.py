"""The keyboard of the demo: which key does what, for those who look on and for people at seats. Knows no terminal: keys
come in by their names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from taptable.sim.demo.person import Begin, Person
from taptable.sim.demo.views import Own
from taptable.sim.people import People
from taptable.sim.touching import GONE_S

SPEEDS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 40.0)

CONTROLS = {"t": "take-back", "p": "pause", "r": "reshuffle", "n": "new-game", "c": "check"}
"""The key of each control card."""

MEANT_TWICE = ("n", "q")
"""Keys that must be pressed again to be meant while a game runs that people play."""


class Keyboard:
    """`persons` are those who sit at seats, of whom one has the keyboard; with none, somebody looks on.

    `helping` while the help is shown, `leaving` once it was asked to end."""

    def __init__(
        self,
        people: People,
        persons: Sequence[Person],
        begin: Begin,
        speed: float,
        set_speed: Callable[[float], None],
    ) -> None:
        self._people = people
        self._persons = persons
        self._begin = begin
        self._set_speed = set_speed
        self._has_keyboard = 0
        self._asked: str | None = None
        self._first_pad = asyncio.Lock()
        self.speed = speed
        self.helping = False
        self.leaving = False

    @property
    def person(self) -> Person | None:
        """Who has the keyboard."""
        return self._persons[self._has_keyboard] if self._persons else None

    def own(self) -> Own | None:
        """What the person with the keyboard sees."""
        return self.person.own(self._asked) if self.person is not None else None

    def key(self, key: str) -> None:
        """A key was pressed; one without a meaning does nothing."""
        asked, self._asked = self._asked, None
        if self.helping and key != "q":
            self.helping = False
        elif key in MEANT_TWICE and key != asked and self._persons and not self._people.over.is_set():
            self._asked = key
        elif key == "q":
            self.leaving = True
        elif key == "?":
            self.helping = True
        elif key in ("+", "-"):
            self._change_step(key)
        elif key == "tab" and self._persons:
            self._has_keyboard = (self._has_keyboard + 1) % len(self._persons)
        elif key in CONTROLS:
            self._use_control(CONTROLS[key])
        elif self.person is not None:
            self.person.key(key)

    def _change_step(self, key: str) -> None:
        """The next speed up or down."""
        steps = [speed for speed in SPEEDS if (speed > self.speed if key == "+" else speed < self.speed)]
        if steps:
            self.speed = steps[0] if key == "+" else steps[-1]
            self._set_speed(self.speed)

    def _use_control(self, control: str) -> None:
        if self.person is not None:
            self.person.use_control(control)
            return
        self._begin(self._use_at_first_seat(control))

    async def _use_at_first_seat(self, control: str) -> None:
        async with self._first_pad:
            if control == "pause":
                # who looks on and pauses wants it to last
                self._people.go_on = self._people.paused
            await self._people.use_control(1, control)
            await asyncio.sleep(GONE_S)
