"""A simulated table on a loop of scaled time in a thread of its own, and its page in another, for a test at the page.
Time passes at the table only while a test makes something happen, and then as fast as possible: everything stays
visible until the test has seen it. The true places of the cards are available too."""

from __future__ import annotations

import asyncio
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from deadline import DEADLINE_S
from page_server.a_page import APage
from playwright.sync_api import Browser, ViewportSize
from taptable.games.online.ground_truth import OnlineTruth
from taptable.games.online.state import State
from taptable.referee.session import Session
from taptable.sim.harness import SimulationHarness
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.people import People

from page.layout import DESK
from page.staging import Stage
from page.visitor import Visitor, visiting

FAST, AS_OUTSIDE, STILL = 1e4, 1.0, 0.05
"""Speeds of the table's time: while something happens, while a table begins or ends, and otherwise, when a second of
the table takes 20 outside."""
SETTLED_S = 1.0
"""Boards and readers of a table that begins are there by then."""

T = TypeVar("T")


class ThreadedTable(ABC):
    """A table and its page at a port of this computer, open to the `network` or not. Subclasses choose the table, and
    whether its page has the demo's part."""

    def __init__(self, port: int, *, network: bool = False, demo: bool = False) -> None:
        self.port = port
        self._folder = TemporaryDirectory(prefix="taptable-", dir="/tmp")  # a socket's path can't be long
        self.sockets = Path(self._folder.name)
        self._page = APage(self.sockets, port, network=network, demo=demo)
        self.loop = ScaledTimeLoop(FAST)
        self.trouble: list[str] = []
        self._onlookers: list[Visitor] = []
        self._began = threading.Event()
        self._leaving: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="evening", daemon=True)

    @property
    @abstractmethod
    def harness(self) -> SimulationHarness:
        """The room of the present table; to be looked at in `ask`."""

    @abstractmethod
    async def _stay(self, began: Callable[[], Awaitable[None]], leaving: asyncio.Event) -> None:
        """Run the table until it is to be left; `began` once it is there."""

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/"

    @property
    def people(self) -> People:
        return self.harness.people

    @property
    def truth(self) -> OnlineTruth:
        """The true places of the cards."""
        return self.people.truth

    @property
    def rows(self) -> list[list[list[str]]]:
        """The cards that really lie in the rows of each team; to be looked at in `ask`."""
        return [[list(row) for row in team] for team in self.truth.rows]

    @property
    def on_turn(self) -> int | None:
        """The seat on turn."""
        return self.session.table.game.scoreboard(self.session.table.state).seat

    @property
    def state(self) -> State:
        """The game's state, as the table believes it."""
        return self.session.table.state

    @property
    def session(self) -> Session:
        return self.harness.session

    def begin(self) -> None:
        """Start, and wait until the table is there, and its page knows it."""
        self._thread.start()
        self._page.begin()
        assert self._began.wait(DEADLINE_S), "it hasn't begun"
        assert not self.trouble, "\n".join(self.trouble)
        self._page.knows_the_table()

    def end(self) -> None:
        """End the table, and raise what went wrong there."""

        def leave() -> None:
            assert self._leaving is not None
            self.loop.speed = AS_OUTSIDE
            self._leaving.set()

        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(leave)
        self._page.end()
        self._thread.join(DEADLINE_S)
        self._folder.cleanup()
        assert not self._thread.is_alive(), "it doesn't end"
        assert not self.trouble, "\n".join(self.trouble)

    @contextmanager
    def visited(self, browser: Browser, size: ViewportSize = DESK, **more: Any) -> Iterator[Visitor]:
        """A visitor of the page, as by `visiting`, who sees the result of everything that `happens`."""
        with visiting(browser, self.address, size, **more) as visitor, self.seen_by(visitor):
            yield visitor

    @contextmanager
    def seen_by(self, visitor: Visitor) -> Iterator[None]:
        """Let a visitor who is at the page see the result of everything that `happens`."""
        self._onlookers.append(visitor)
        try:
            yield
        finally:
            self._onlookers.remove(visitor)

    def ask(self, question: Callable[[], T]) -> T:
        """Run `question` on the table's loop while nothing else happens, and return its result."""

        async def answer() -> T:
            return question()

        return self._run_there(answer).result(DEADLINE_S)

    def happens(self, doing: Callable[[], Awaitable[T]]) -> T:
        """Let something happen there, fast, and then no time pass. When this returns, everybody at the page sees the
        result."""

        async def do() -> T:
            self.loop.speed = FAST
            try:
                return await doing()
            finally:
                self.loop.speed = STILL

        with ExitStack() as away:
            for each in self._onlookers:
                away.enter_context(each.looks_away())
            done = self._run_there(do).result(DEADLINE_S)
        self.is_seen()
        return done

    def passes(self, seconds: float) -> None:
        """Let `seconds` of table time pass."""
        self.happens(lambda: asyncio.sleep(seconds))

    def stages(self, scene: Callable[[Stage], Awaitable[object]]) -> None:
        """Make a scene."""
        self.happens(lambda: scene(Stage(self.harness)))

    @contextmanager
    def under_way(self, doing: Callable[[], Awaitable[None]]) -> Iterator[Future[None]]:
        """Let something happen there while this lasts, at its own speed, and wait for it at the end."""
        running = self._run_there(doing)
        yield running
        running.result(DEADLINE_S)

    def is_seen(self) -> None:
        """Wait until everybody at the page sees all that has happened."""
        marks = self.marks()
        for each in self._onlookers:
            each.catches_up(marks)

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.ask(self.people.game_over.is_set)

    def marks(self) -> tuple[int, int]:
        """Send every page a mark that means nothing to it. A page with these revisions, of table and demo, has received
        everything before the mark."""
        return self._page.marks()

    def _run_there(self, doing: Callable[[], Awaitable[T]]) -> Future[T]:
        async def do() -> T:
            return await doing()

        return asyncio.run_coroutine_threadsafe(do(), self.loop)

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
        await self._stay(self._settle, self._leaving)

    async def _settle(self) -> None:
        await asyncio.sleep(SETTLED_S)
        self.loop.speed = STILL
        self._began.set()

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.trouble.append(context["message"] + "".join(traceback.format_exception(error) if error else []))
