"""The demo on the page: one table after another at the same address. Hardware and people of a table stay while its
daemon is killed and started anew, as a system's supervisor would. Runs on the loop of the table, whatever its pace."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from taptable.config import Config
from taptable.config.model import PageSettings
from taptable.core.errors import ConfigError, TaptableError
from taptable.sim.begun import Begun
from taptable.sim.disk import Disk, installed
from taptable.sim.page.annex import DemoAnnex, Shown
from taptable.sim.page.deeds import Deeds, Pace
from taptable.sim.page.messages import Asked
from taptable.sim.page.tables import Wanted, read_wanted
from taptable.sim.people import People
from taptable.sim.room import Room, furnished
from taptable.sim.seeds import any_seed
from taptable.sim.setting_up import set_up

ANSWERED_S = 0.1
"""Seconds outside until what was asked for happens, so that the answer arrives before."""
RESTART_S = 2.0
"""Seconds outside until a daemon that was killed is started anew."""
BETWEEN_GAMES_S = 8.0
OF_SIGNALS = 128
"""What a shell adds to the number of the signal that ended something."""

_log = logging.getLogger(__name__)


class Evening:
    """Tables, one after another, whose page finds them in the folder `sockets`, or without pages where that is None.
    `room` is what is there now. It runs from when it is made, and `running` is that: until cancelled, or until it fails
    with ConfigError or JournalError since a table can't be laid."""

    def __init__(self, wanted: Wanted, folder: Path, sockets: Path | None, pace: Pace, games: int) -> None:
        self.wanted = wanted
        self.pace = pace
        self.disk = Disk()
        self.annex: DemoAnnex | None = None
        self.room: Room | None = None
        self.running = asyncio.create_task(self._run(), name="evening")
        self._folder = folder
        self._sockets = sockets
        self._games = games
        self._next: tuple[Wanted, Config] | None = None
        self._killing = False
        self._stirred = asyncio.Event()
        self._there = asyncio.Event()

    async def begun(self) -> None:
        """Wait until a table is there."""
        await self._there.wait()

    def kill(self) -> None:
        """The daemon is killed soon, and started anew."""
        self._killing = True
        self._stirred.set()

    def lay_table(self, asked: Asked) -> None:
        """Another table soon; `RequestError` if it can't be, and then nothing is lost."""
        wanted = read_wanted(asked, self.wanted, any_seed())
        try:
            folder = next(path for number in count(2) if not (path := self._folder / f"table-{number}").exists())
            folder.mkdir()
            self._next = wanted, self._lay(wanted, folder)
        except (ConfigError, OSError) as error:
            raise asked.cannot("wrong-table", reason=str(error)) from error
        self._stirred.set()

    async def _run(self) -> None:
        wanted, config = self.wanted, self._lay(self.wanted, self._folder)
        with installed(self.disk):
            while True:
                self.wanted = wanted
                await self._at_table(wanted, config)
                assert self._next is not None
                (wanted, config), self._next = self._next, None

    def _lay(self, wanted: Wanted, folder: Path) -> Config:
        config = set_up(
            folder,
            wanted.game,
            wanted.agreed,
            wanted.language,
            compact=wanted.compact,
            seats=wanted.seats,
            seed=wanted.seed,
        )
        return config if self._sockets is None else replace(config, page=PageSettings(0))

    async def _at_table(self, wanted: Wanted, config: Config) -> None:
        """One table, until another is wanted."""
        self.disk.full = False
        shown = Shown(wanted.about(), wanted.demo(self._games))
        annex = DemoAnnex(shown, self.pace, self, self.disk)
        virtual = [seat for seat in range(1, len(config.seats) + 1) if seat not in wanted.people]
        async with furnished(
            config,
            seed=wanted.seed,
            seats=virtual,
            subscriber=annex.on_update,
            annex=annex,
            sockets=self._sockets,
            outside=self.pace.outside,
        ) as room:
            begun = Begun()
            self.room, self.annex = room, annex
            deeds = annex.move_in(room, wanted.people, wanted.seed)
            room.people.sit_down()
            begun.begin(_play_on(room.people, deeds, self._games))
            self._there.set()
            try:
                while self._next is None:
                    await self._stirred.wait()
                    self._stirred.clear()
                    await self.pace.outside(ANSWERED_S)
                    if self._killing:
                        await self._kill(room)
            finally:
                self._there.clear()
                await begun.end()
                await annex.move_out()

    async def _kill(self, room: Room) -> None:
        await room.kill()
        self._killing = False
        while not room.is_running:
            await self.pace.outside(RESTART_S)
            try:
                await room.begin_anew()
            except TaptableError as error:
                _log.error("%s", error)


@asynccontextmanager
async def opened(
    wanted: Wanted, folder: Path, sockets: Path | None, pace: Pace, games: int = 0
) -> AsyncGenerator[Evening]:
    """An evening while it runs, from when its first table is there."""
    evening = Evening(wanted, folder, sockets, pace, games)
    running = evening.running
    beginning = asyncio.create_task(evening.begun())
    try:
        await asyncio.wait({running, beginning}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        yield evening
    finally:
        for task in (beginning, running):
            task.cancel()
        await asyncio.gather(beginning, running, return_exceptions=True)
    if running.done() and not running.cancelled():
        running.result()


@contextmanager
def hearing_signals() -> Generator[asyncio.Future[int]]:
    """While this lasts a signal to end is what a shell expects after it, in the future that is given."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[int] = loop.create_future()

    def leave(number: int) -> None:
        if not told.done():
            told.set_result(OF_SIGNALS + number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, leave, number)
    try:
        yield told
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


async def until_told(told: asyncio.Future[int], running: asyncio.Future[None]) -> int:
    """Wait for a signal; or raise what ends `running` before."""
    await asyncio.wait({told, running}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    return await told


async def _play_on(people: People, deeds: Deeds, games: int) -> None:
    """Begin a new game after each, one that was over from the beginning too, where nobody sits who could; but not
    after the last of `games`."""
    for number in count(0 if people.over.is_set() else 1):
        await people.over.wait()
        if games and number >= games:
            return
        while people.over.is_set():
            await asyncio.sleep(BETWEEN_GAMES_S)
            if people.over.is_set() and not deeds.persons:
                await deeds.use_for_all("new-game")
