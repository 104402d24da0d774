"""A room with a simulated table in it: hardware, daemon and people, put together for the demo and for whole
evenings in tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from taptable.config import Config
from taptable.daemon.daemon import Daemon
from taptable.memory.decks import Decks
from taptable.referee.session import Happening, Session
from taptable.sim.people import USUAL, People, Slips
from taptable.sim.setting_up import count_start
from taptable.sim.table import SimulatedTable


@dataclass(frozen=True, slots=True)
class Room:
    """All that is in it."""

    table: SimulatedTable
    daemon: Daemon
    people: People


@asynccontextmanager
async def furnished(
    config: Config,
    *,
    seed: int = 0,
    slips: Slips = USUAL,
    seats: Sequence[int] | None = None,
    follow: Callable[[Sequence[Happening], Session], None] | None = None,
) -> AsyncGenerator[Room]:
    """The room while the daemon runs; virtual players sit at `seats` (None: all), but haven't begun to play."""
    table = SimulatedTable(config, seed)
    starts = count_start(config.file.parent)
    for board in table.boards.values():
        board.boot = starts
    deck = Decks(config.table.decks).deck(config.table.deck)
    tags = {**deck.cards, **deck.controls}

    def tell(happened: Sequence[Happening], session: Session) -> None:
        people.follow(happened, session)
        if follow is not None:
            follow(happened, session)

    with table.powered() as openers:
        daemon = Daemon(config, openers, lambda happened, session: tell(happened, session))
        people = People(table, tags, session=lambda: daemon.proceedings.session, seed=seed, slips=slips, seats=seats)
        await daemon.start()
        try:
            yield Room(table, daemon, people)
        finally:
            await people.get_up()
            await daemon.stop()
