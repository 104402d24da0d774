"""A table as it stands in a room: the daemon with its page and without the demo's additions, over the simulated
hardware. Nobody plays by themselves: a test causes every event."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from deadline import DEADLINE_S
from ports import free_port
from taptable.config import Config
from taptable.config.model import Account, PageSettings, UplinkSettings
from taptable.core.game_options import GameOptions
from taptable.daemon.daemon import Daemon
from taptable.games.registry import find_game
from taptable.sim.harness import SimulationHarness, running_harness
from taptable.sim.setting_up import set_up

from page.threaded_table import ThreadedTable

GAME = "online"


class PageTable(ThreadedTable):
    """A table with its page."""

    def __init__(self, config: Config, seed: int, requests: Path | None = None) -> None:
        assert config.page is not None
        super().__init__(config.page.port, network=config.page.network)
        self.config = config
        self._seed, self._requests = seed, requests
        self._room: SimulationHarness | None = None

    @property
    def harness(self) -> SimulationHarness:
        assert self._room is not None, "\n".join(self.trouble)
        return self._room

    @contextmanager
    def being_away(self) -> Iterator[None]:
        """The table's process is killed, and another begins when this is over."""

        async def begin_anew() -> None:
            self.loop.capped = True
            await self.harness.restart()
            await self._until_the_page_is_there()

        self._run_there(self.harness.kill).result(DEADLINE_S)
        yield
        self._run_there(begin_anew).result(DEADLINE_S)

    async def _stay(self, began: Callable[[], Awaitable[None]], leaving: asyncio.Event) -> None:
        self.loop.capped = True
        async with running_harness(
            self.config, seed=self._seed, daemon=partial(Daemon, sockets=self.sockets, requests=self._requests)
        ) as self._room:
            await self._until_the_page_is_there()
            await began()
            await leaving.wait()

    async def _until_the_page_is_there(self) -> None:
        """Until then time passes as outside, or the table would miss its page at once."""
        await self.harness.daemon.page_connected.wait()
        self.loop.capped = False


@contextmanager
def a_table(
    folder: Path,
    *,
    players: int = 4,
    seed: int = 1,
    starter: int | None = 1,
    network: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    seats: int | None = None,
    game: str = GAME,
    requests: Path | None = None,
    league: bool = False,
) -> Iterator[PageTable]:
    """A table while it runs, with its page open to the `network` or not; `settings` are house rules. It has a seat for
    each player, or `seats` seats. It writes its power-off requests into the folder `requests`; without one it can't be
    switched off. It may belong to a `league`, to which nobody is connected."""
    game_options = GameOptions(players, find_game(game).editions[0], settings, starter)
    config = set_up(folder, game, game_options, "en", seats=seats, seed=seed)
    uplink = UplinkSettings(Account("localhost", 1883), "ab12cd34") if league else None
    table = PageTable(replace(config, page=PageSettings(free_port(), network), league=uplink), seed, requests)
    table.begin()
    try:
        yield table
    finally:
        table.end()
