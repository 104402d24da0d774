"""The demo's evening, so that a test can sit at its page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from page_server.rig import free_port
from taptable.core.agreed import Agreed
from taptable.core.player import Deed, Push
from taptable.games.registry import find_game
from taptable.referee import gestures
from taptable.referee.session import Session
from taptable.sim.page.evening import Evening, opened
from taptable.sim.page.tables import Wanted
from taptable.sim.people import People
from taptable.sim.room import Room

from page.in_a_thread import LOOK_S, SLOW, STILL, InAThread


class AnEvening(InAThread):
    """The demo at a port of this computer."""

    def __init__(self, wanted: Wanted, folder: Path, port: int, speed: float, games: int) -> None:
        super().__init__(port, speed)
        self._wanted, self._folder, self._games = wanted, folder, games
        self._evening: Evening | None = None

    @property
    def evening(self) -> Evening:
        assert self._evening is not None, "\n".join(self.trouble)
        return self._evening

    @property
    def room(self) -> Room:
        assert self.evening.room is not None
        return self.evening.room

    def wish(self, seat: int) -> Deed | None:
        """What the person at a seat would do now: what the table asks for first, then what the game's own virtual
        player wants."""
        return self.ask(lambda: wish_of(seat, self.session, self.people))

    def next_wish(self, wish: Callable[[], Deed | None], thinking: float) -> Deed | None:
        """Let time pass at a speed of `thinking` until `wish`, asked there, gives a deed; None once the game is over.
        Time all but stands from then on: what is wished doesn't pass, however late it is heard of here."""

        async def look() -> Deed | None:
            self.loop.speed = thinking
            while (deed := wish()) is None and not self.people.over.is_set():
                await asyncio.sleep(LOOK_S)
            self.loop.speed = STILL
            return deed

        return self.lets(look)

    async def _stay(self, began: Callable[[], None], leaving: asyncio.Event) -> None:
        async with opened(self._wanted, self._folder, self.port, self.loop, self._games) as evening:
            self._evening = evening
            began()
            await leaving.wait()


@contextmanager
def an_evening(
    folder: Path,
    *,
    game: str = "online",
    players: int = 2,
    edition: str | None = None,
    people: tuple[int, ...] = (1,),
    seed: int = 1,
    starter: int | None = 1,
    speed: float = SLOW,
    compact: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    seats: int | None = None,
) -> Iterator[AnEvening]:
    """An evening while it runs; `settings` are house rules. It has a seat for each player, or so many `seats`."""
    agreed = Agreed(players, find_game(game).editions[0] if edition is None else edition, settings, starter)
    evening = AnEvening(Wanted(game, agreed, "en", seed, people, compact, seats=seats), folder, free_port(), speed, 1)
    evening.begin()
    try:
        yield evening
    finally:
        evening.end()


def wish_of(seat: int, session: Session, people: People) -> Deed | None:
    """What the person at a seat would do now."""
    table = session.table
    meaning = gestures.meanings(session.manners, table)[seat - 1]
    if session.manners.consent is not None:
        return Push(seat) if meaning == "grant" else None
    if table.paused_at_us is not None:
        return Push(seat)
    if table.game.outcome(table.state) is not None:
        return None
    return table.game.players.decide(table.state, people.holdings, seat)
