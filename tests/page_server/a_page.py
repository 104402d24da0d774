"""The page of a table that answers in a folder of sockets, on a loop in a thread of its own instead of a process."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

from deadline import DEADLINE_S
from taptable.api.facts import TOPICS
from taptable.api.requests import Role, Subscribe
from taptable.api.socket_paths import socket_path
from taptable.config.model import PageSettings
from taptable.page.site import serve_in_background
from taptable.sim.page.api import CLIENT_LEFT
from taptable.sim.page.app import DemoApp
from taptable.sim.page.demo_link import demo_socket

T = TypeVar("T")


class APage:
    """A page for a test, which begins and ends it; look at `page` on its loop."""

    def __init__(self, sockets: Path, port: int, *, network: bool = False, demo: bool = False) -> None:
        self.trouble: list[str] = []
        self._settings = PageSettings(port, network)
        self._table = socket_path(sockets, Role.PAGE)
        self._demo = DemoApp(demo_socket(sockets)) if demo else None
        self._marks = 0
        self._loop = asyncio.new_event_loop()
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    def begin(self) -> None:
        self._thread.start()
        assert self._began.wait(DEADLINE_S), "the page hasn't begun"
        assert not self.trouble, "\n".join(self.trouble)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive(), "the page doesn't end"
        assert not self.trouble, "\n".join(self.trouble)

    def knows_the_table(self) -> None:
        """Wait until it does."""
        self.run(self.page.game_known.wait())

    def marks(self) -> tuple[int, int]:
        """Return the revisions of the table's page and of the demo's part (0: there is none). A client that has them
        has everything that was sent before this call."""
        return self.run(self._mark())

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the page's loop and return its result."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(DEADLINE_S)

    async def _mark(self) -> tuple[int, int]:
        """Subscribe once more, which sends all topics in their present state."""
        page, told = self.page, asyncio.Event()
        await page.game_known.wait()
        assert page.facts is not None
        take = type(page).on_topics_changed

        def changed(topics: Mapping[str, Any]) -> None:
            take(page, topics)
            if topics.keys() >= TOPICS.keys():
                told.set()

        page.on_topics_changed = changed  # type: ignore[method-assign]
        await page.table.call(Subscribe(tuple(TOPICS)))
        await told.wait()
        del page.on_topics_changed
        await page.read_on()
        self._marks += 1
        page.feed.put("mark", self._marks)
        return page.feed.revision, await self._mark_demo()

    async def _mark_demo(self) -> int:
        """Return the demo's revision; it sends everything before it answers."""
        if self._demo is None:
            return 0
        here, _ = self._demo._parts
        while not here.is_ready:
            await asyncio.sleep(0.01)
        await self._demo.link.act(CLIENT_LEFT, {"client": "nobody"})
        here.feed.put("mark", self._marks)
        return here.feed.revision

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                self._loop.set_exception_handler(self._note)
                runner.run(self._serve())
        except BaseException as error:
            self.trouble.append("".join(traceback.format_exception(error)))
        finally:
            self._began.set()

    async def _serve(self) -> None:
        self._leaving = asyncio.Event()
        async with AsyncExitStack() as stack:
            page = serve_in_background(self._settings, self._table)
            if self._demo is not None:
                await stack.enter_async_context(self._demo.connected())
                page = serve_in_background(self._settings, self._table, None, self._demo.extension, self._demo.clock)
            self.page, _ = await stack.enter_async_context(page)
            self._began.set()
            await self._leaving.wait()

    def _note(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.trouble.append(context["message"] + "".join(traceback.format_exception(error) if error else []))
