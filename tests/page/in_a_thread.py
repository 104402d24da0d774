"""A simulated table on a loop of scaled time in a thread of its own, so that a test can sit at its page; what really
lies on the table can be asked for, and time can be made to pass faster or slower."""

from __future__ import annotations

import asyncio
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from taptable.games.online.holdings import Holdings
from taptable.games.online.state import State
from taptable.referee.session import Session
from taptable.sim.page.annex import LOOKS_HZ
from taptable.sim.people import People
from taptable.sim.room import Room
from taptable.sim.scaled_time import ScaledTimeLoop

from page.staging import Stage

DEADLINE_S = 60.0
"""Seconds outside within which everything happens that is waited for."""
LOOK_S = 0.1
FAST, SLOW, STILL = 40.0, 1.0, 0.1
"""While a scene is made, while somebody looks at it, and while nothing is to pass."""

T = TypeVar("T")


class InAThread(ABC):
    """A table at a port of this computer; which one is said by who inherits."""

    def __init__(self, port: int, speed: float) -> None:
        self.port = port
        self.loop = ScaledTimeLoop(speed)
        self.trouble: list[str] = []
        self._marks = 0
        self._began = threading.Event()
        self._leaving: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="evening", daemon=True)

    @property
    @abstractmethod
    def room(self) -> Room:
        """The room of the present table; to be looked at in `ask`."""

    @abstractmethod
    async def _stay(self, began: Callable[[], None], leaving: asyncio.Event) -> None:
        """Run the table until it is to be left; `began` once it is there."""

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/"

    @property
    def people(self) -> People:
        return self.room.people

    @property
    def holdings(self) -> Holdings:
        """Where the cards really are."""
        return self.people.holdings

    @property
    def rows(self) -> list[list[list[str]]]:
        """The cards that really lie in the rows of each team; to be looked at in `ask`."""
        return [[list(row) for row in team] for team in self.holdings.rows]

    @property
    def on_turn(self) -> int | None:
        """Whose turn it is."""
        return self.session.table.game.scoreboard(self.session.table.state).seat

    @property
    def state(self) -> State:
        """The game's state, as the table believes it."""
        return self.session.table.state

    @property
    def session(self) -> Session:
        return self.room.session

    def begin(self) -> None:
        """Start, and wait until the table is there."""
        self._thread.start()
        assert self._began.wait(DEADLINE_S), "it hasn't begun"
        assert not self.trouble, "\n".join(self.trouble)

    def end(self) -> None:
        """End it, and say what went wrong there."""
        if self._leaving is not None and self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive(), "it doesn't end"
        assert not self.trouble, "\n".join(self.trouble)

    def ask(self, question: Callable[[], T]) -> T:
        """What `question` gives there, where nothing else happens meanwhile."""

        async def answer() -> T:
            return question()

        return asyncio.run_coroutine_threadsafe(answer(), self.loop).result(DEADLINE_S)

    def lets(self, doing: Callable[[], Awaitable[T]]) -> T:
        """Let something be done there, and wait until it is."""

        async def do() -> T:
            return await doing()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(DEADLINE_S)

    def stages(self, scene: Callable[[Stage], Awaitable[object]]) -> None:
        """Make a scene, fast, and then let time pass slowly."""

        async def make() -> None:
            self.loop.speed = FAST
            await scene(Stage(self.room))
            await asyncio.sleep(FAST / LOOKS_HZ)  # what it has led to is published by then
            self.loop.speed = SLOW

        self.lets(make)

    @contextmanager
    def under_way(self, doing: Callable[[], Awaitable[None]]) -> Iterator[Future[None]]:
        """Let something be done there while this lasts; it is waited for at the end."""

        async def do() -> None:
            await doing()

        running = asyncio.run_coroutine_threadsafe(do(), self.loop)
        yield running
        running.result(DEADLINE_S)

    def plays_turns(self, turns: int, speed: float) -> None:
        """Let the virtual players play so many turns."""

        async def play() -> None:
            self.loop.speed = speed
            for _ in range(turns):
                before = self.on_turn
                while self.on_turn == before:
                    await asyncio.sleep(LOOK_S)
            self.loop.speed = SLOW

        self.lets(play)

    def set_speed(self, speed: float) -> None:
        """Let time pass faster or slower from now on."""

        def change() -> None:
            self.loop.speed = speed

        self.ask(change)

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.ask(self.people.over.is_set)

    def marks(self) -> int:
        """Tell every page something that means nothing to it; with this revision it has all that was told before."""

        def mark() -> int:
            page = self.room.daemon.devices.page
            assert page is not None
            self._marks += 1
            page.feed.put("mark", self._marks)
            return page.feed.revision

        return self.ask(mark)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
                self.loop.set_exception_handler(self._note)
                runner.run(self._until_left())
        except BaseException as error:
            self.trouble.append("".join(traceback.format_exception(error)))
        finally:
            self._began.set()

    async def _until_left(self) -> None:
        self._leaving = asyncio.Event()
        await self._stay(self._began.set, self._leaving)

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.trouble.append(context["message"] + "".join(traceback.format_exception(error) if error else []))
