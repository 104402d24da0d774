"""Every view of a league's page, and a visitor with a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from deadline import DEADLINE_S
from page.visitor import Visitor
from playwright.sync_api import Browser, ViewportSize
from sqlalchemy import Engine

from league_web.rig import NAME, PASSWORD, serve_league_page
from league_web.seeds import member_id

VIEWS: Mapping[str, str] = {
    "wall": "[data-at-table]",
    "standings/1/online": "[data-standings]",
    "records": "[data-records]",
    "members": "[data-members] [data-member]",
    **{f"members/{each}": f'[data-member-name="{each}"]' for each in (member_id(1), member_id(10))},
    "games": ".view[data-view=games] [data-games] [data-game]",
    "games/1": "[data-result]",
    "games/1/replay/30": '[data-replay-table][data-step="30"]',
    "games/25": "[data-about] ~ [data-mark=not-proved]",
    "desk": "[data-sign-in]",
}
"""For each view's address, the element that shows that the view is there."""


@contextmanager
def served(engine: Engine) -> Iterator[str]:
    """The address of a league's page that is served in a thread of its own."""
    ready, over, addresses = Event(), Event(), list[str]()

    async def serve() -> None:
        async with serve_league_page(engine) as league:
            addresses.append(f"http://localhost:{league.port}/")
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(DEADLINE_S)
        yield addresses[0]
    finally:
        over.set()
        thread.join()


@dataclass
class LeagueVisitor(Visitor):
    """A visitor of a league's page."""

    def goes(self, view: str) -> None:
        """Open a view by its address, and wait until it is there."""
        self.page.evaluate("(view) => { location.hash = view; }", view)
        self.sees(VIEWS[view])

    def signs_in(self) -> None:
        """Sit down at the desk."""
        self.goes("desk")
        self.page.fill("[name=name]", NAME)
        self.page.fill("[name=password]", PASSWORD)
        self.clicks("[data-do=sign-in]")
        self.sees("[data-add-table]")


@contextmanager
def looking(browser: Browser, address: str, size: ViewportSize) -> Iterator[LeagueVisitor]:
    """A visitor of the page; an error that the page reports fails the test."""
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")
    try:
        onlooker = LeagueVisitor(context.new_page(), address, welcomed=False)
        onlooker.comes()
        yield onlooker
        assert not onlooker.complaints, onlooker.complaints
    finally:
        context.close()
