"""A view of the page for a test or a picture: what happens on the table before it, what the visitor does, and what is
visible then; and the way from one view to the next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from page.layout import DESK, PHONE
from page.staging import Stage
from page.threaded_table import ThreadedTable
from page.visitor import Visitor

SIZES = {"desk": DESK, "phone": PHONE}

Scene = Callable[[Stage], Awaitable[object]]
Look = Callable[[Visitor], object]


async def as_it_is(_: Stage) -> None:
    """Nothing happens."""


def at_it(_: Visitor) -> None:
    """Nothing is clicked."""


def opens_tab(name: str) -> Look:
    """A tab beside the table is opened."""

    def look(visitor: Visitor) -> None:
        visitor.opens(name)

    return look


def goes_to(place: str) -> Look:
    """A view is opened by its address."""

    def look(visitor: Visitor) -> None:
        visitor.page.evaluate("(place) => { location.hash = place; }", place)

    return look


def opens_settings(visitor: Visitor) -> None:
    """Open the settings, or close them."""
    visitor.clicks("[data-settings]")


def gives_up(visitor: Visitor) -> None:
    """Close what is open."""
    visitor.page.keyboard.press("Escape")


@dataclass(frozen=True, slots=True)
class View:
    """A view. `shown` is an element that is there with the view; `looks_away` undoes the clicks. `alike` marks a view
    that hardly depends on the number of players."""

    name: str
    scene: Scene = as_it_is
    looks: Look = at_it
    shown: str = "[data-table]"
    looks_away: Look = at_it
    alike: bool = False


class Views:
    """One table and its visitors, by names."""

    def __init__(self, table: ThreadedTable, visitors: Mapping[str, Visitor]) -> None:
        self.table = table
        self.visitors = visitors
        self._last: View | None = None

    def passes(self, view: View) -> None:
        """Let the events happen that lead to a view, without a look at it."""
        self._looks_away()
        if view.scene is not as_it_is:
            self.table.stages(view.scene)

    def show(self, view: View) -> None:
        """Bring everybody from the last view to this one."""
        self._looks_away()
        self._last = view
        if view.scene is not as_it_is:
            self.table.stages(view.scene)
        for visitor in self.visitors.values():
            visitor.page.evaluate("scrollTo(0, 0)")
            view.looks(visitor)
            visitor.sees(view.shown)

    def _looks_away(self) -> None:
        for visitor in self.visitors.values():
            if self._last is not None:
                self._last.looks_away(visitor)
        self._last = None
