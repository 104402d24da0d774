"""Tables that stay from one test to the next, each with a visitor at its page: laying one and opening its page costs as
much as many tests do. Each test finds a new game, and the page as a new visitor finds it. A test that fails discards
its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar

from playwright.sync_api import Browser, ViewportSize
from taptable.config.model import MAX_SEATS
from taptable.core.game_options import GameOptions
from taptable.core.notices import PlayersNamed
from taptable.core.observations import GameSetUp
from taptable.daemon.game_options import with_wired_settings
from taptable.daemon.seating import unseat_member
from taptable.games.registry import find_game
from taptable.sim.setting_up import DECK

from page.a_table import GAME, PageTable, a_table
from page.evening import DemoEvening, an_evening
from page.layout import DESK, PHONE
from page.threaded_table import ThreadedTable
from page.visitor import Visitor, visiting

SEED = 1

T = TypeVar("T", bound=ThreadedTable)


class TablePool:
    """Tables that tests share. `folder` gives a new folder each time. There is one table at a time, since the stand-ins
    for hardware lie below a whole process; and one page, which goes from table to table."""

    def __init__(self, browser: Browser, folder: Callable[[str], Path]) -> None:
        self._browser = browser
        self._folder = folder
        self._page = ExitStack()
        self._visitor: Visitor | None = None
        self._kept: tuple[str, ExitStack, Any] | None = None

    @contextmanager
    def table(
        self,
        players: int = 2,
        *,
        size: ViewportSize = PHONE,
        game: str = GAME,
        edition: str | None = None,
        starter: int | None = 1,
        settings: Mapping[str, str] = MappingProxyType({}),
        network: bool = False,
    ) -> Iterator[tuple[PageTable, Visitor]]:
        """A table of six seats, with its page open to the `network` or not, at which a game for `players` begins;
        nobody plays by themselves."""
        name = f"{game}-{'open' if network else 'table'}"

        def make() -> AbstractContextManager[PageTable]:
            return a_table(self._folder(name), seats=MAX_SEATS, network=network, game=game)

        with self.shared_table(name, make, size) as (table, visitor):
            game_options = GameOptions(players, edition or find_game(game).editions[0], settings, starter)
            table.ask(lambda: begins(table, game_options))
            table.is_seen()
            yield table, visitor

    @contextmanager
    def demo(
        self,
        players: int = 2,
        *,
        people: tuple[int, ...] = (1,),
        size: ViewportSize = DESK,
        starter: int | None = 1,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Iterator[tuple[DemoEvening, Visitor]]:
        """The demo with another table, at which these people play with virtual players."""

        def make() -> AbstractContextManager[DemoEvening]:
            return an_evening(self._folder("demo"))

        with self.shared_table("demo", make, size, welcomed=True) as (evening, visitor):
            evening.lays(players=players, people=list(people), starter=starter, seed=SEED, settings=dict(settings))
            yield evening, visitor

    @contextmanager
    def shared_table(
        self, name: str, make: Callable[[], AbstractContextManager[T]], size: ViewportSize, *, welcomed: bool = False
    ) -> Iterator[tuple[T, Visitor]]:
        """The table of this name, and the visitor at its page, with a window of this size. It is made if another one is
        kept, or none."""
        if self._kept is not None and self._kept[0] == name:
            (_, opened, table), self._kept = self._kept, None
        else:
            self._end_table()
            opened = ExitStack()
            table = opened.enter_context(make())
            opened.enter_context(self._seeing(table, welcomed))
        assert self._visitor is not None
        with ExitStack() as left:
            left.push(opened)
            self._visitor.comes_anew(size)
            yield table, self._visitor
            assert not self._visitor.complaints, self._visitor.complaints
            self._kept = (name, left.pop_all(), table)

    @contextmanager
    def other(self, opened: AbstractContextManager[T], *, welcomed: bool = True) -> Iterator[tuple[T, Visitor]]:
        """A table that a test has for itself, and the visitor at its page; it is a demo if they are `welcomed`."""
        self._end_table()
        with opened as table, self._seeing(table, welcomed):
            assert self._visitor is not None
            self._visitor.comes_anew(DESK)
            yield table, self._visitor
            assert not self._visitor.complaints, self._visitor.complaints

    def close(self) -> None:
        """End the table that is kept."""
        self._end_table()
        self._end_page()

    @contextmanager
    def _seeing(self, table: ThreadedTable, welcomed: bool) -> Iterator[None]:
        """Go to a table's page with the one page there is; a test that fails takes it with it."""
        try:
            if self._visitor is None:
                self._visitor = self._page.enter_context(visiting(self._browser, table.address, welcomed=welcomed))
            else:
                self._visitor.goes_to(table.address, welcomed)
            with table.seen_by(self._visitor):
                yield
            self._visitor.page.goto("about:blank")
        except BaseException:
            self._end_page()
            raise

    def _end_table(self) -> None:
        if self._kept is not None:
            (_, opened, _), self._kept = self._kept, None
            opened.close()

    def _end_page(self) -> None:
        self._visitor = None
        self._page.close()


def begins(table: PageTable, game_options: GameOptions) -> None:
    """Begin a new game at a table in its first state, with the same hands each time."""
    daemon, people = table.harness.daemon, table.people
    daemon.enrolment.stop()
    daemon.member_cards.stop()
    for name in set(daemon.active_deck.decks.names()) - {DECK}:
        daemon.active_deck.decks.move_aside(name)
    daemon.active_deck.use(DECK)
    for member in daemon.members.all:
        daemon.members.delete(member.id)
        unseat_member(daemon.controller, member.id)
    if table.session.names:
        daemon.controller.note(PlayersNamed(daemon.clock.now_us(), ()))
    game = table.session.table.game
    daemon.controller.observe(
        lambda at_us: GameSetUp(at_us, game.name, with_wired_settings(table.config, game, game_options), False)
    )
    if people.paused:
        daemon.controller.command("resume", daemon.clock.now_us())
    state = table.state
    assert table.session.table.game_options.players == game_options.players
    people.disagreements.clear()
    people.truth = game.players.prepare(state, game.players.deal(state, Random(SEED)))
