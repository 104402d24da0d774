"""A table as it stands in a room: the daemon with its page and nothing that the demo adds to it, over the simulated
hardware, with virtual players who may sit down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from page_server.rig import free_port
from taptable.config import Config
from taptable.config.model import PageSettings
from taptable.core.agreed import Agreed
from taptable.games.registry import find_game
from taptable.sim.room import Room, furnished
from taptable.sim.setting_up import set_up
from taptable.sim.slips import USUAL, Slips

from page.in_a_thread import SLOW, InAThread


class ATable(InAThread):
    """A table with its page. Nobody has begun to play: `sits_down` lets the virtual players, `stages` the test."""

    def __init__(self, config: Config, seed: int, slips: Slips, speed: float) -> None:
        assert config.page is not None
        super().__init__(config.page.port, speed)
        self.config = config
        self._seed, self._slips = seed, slips
        self._room: Room | None = None

    @property
    def room(self) -> Room:
        assert self._room is not None, "\n".join(self.trouble)
        return self._room

    def sits_down(self) -> None:
        """Let the virtual players begin."""
        self.ask(self.people.sit_down)

    async def _stay(self, began: Callable[[], None], leaving: asyncio.Event) -> None:
        async with furnished(self.config, seed=self._seed, slips=self._slips) as room:
            self._room = room
            began()
            await leaving.wait()


@contextmanager
def a_table(
    folder: Path,
    *,
    game: str = "online",
    players: int = 4,
    edition: str | None = None,
    seed: int = 1,
    starter: int | None = 1,
    speed: float = SLOW,
    compact: bool = False,
    slips: Slips = USUAL,
    network: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    seats: int | None = None,
) -> Iterator[ATable]:
    """A table while it runs, its page open to the `network` or not; `settings` are house rules. It has a seat for each
    player, or so many `seats`."""
    agreed = Agreed(players, find_game(game).editions[0] if edition is None else edition, settings, starter)
    config = set_up(folder, game, agreed, "en", compact=compact, seats=seats, seed=seed)
    config = replace(config, page=PageSettings(free_port(), network))
    table = ATable(config, seed, slips, speed)
    table.begin()
    try:
        yield table
    finally:
        table.end()
