"""The demo on the page: runs one table after another at the same address. Hardware and players of a table stay while
its daemon is killed and restarted, as a supervisor of the system does it. Runs on the loop of the table, at any pace.
Must not know how the page shows anything."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from socket import socket
from typing import Annotated, Any

from msgspec import Meta

from taptable.api.choices import possible_players
from taptable.api.errors import RequestError
from taptable.api.requests import Role, Text
from taptable.api.socket_paths import socket_path
from taptable.config import Config
from taptable.config.model import MAX_SEATS, PageSettings
from taptable.core.controls import control_cards
from taptable.core.errors import ConfigError, TaptableError
from taptable.core.game_options import GameOptions
from taptable.core.notices import PlayersNamed
from taptable.daemon.daemon import Daemon
from taptable.games.registry import find_game
from taptable.sim.harness import SimulationHarness, running_harness
from taptable.sim.page.actions import Actions, DemoRequest, Pace
from taptable.sim.page.api import CHECKS_HZ, DemoApi, Tasks
from taptable.sim.page.demo_link import DemoServer, Topics, demo_socket
from taptable.sim.page.faults import FAULTS, Disk, install_disk
from taptable.sim.page.hardware import ring_patterns
from taptable.sim.page.person import CannotDo
from taptable.sim.people import People
from taptable.sim.setting_up import BUILDS, COMPACT_BUILD, FULL_BUILD, most_seats, set_up
from taptable.sim.simulation import MAX_SEED, any_seed

ANSWERED_S = 0.1
"""Seconds of real time from a request for a restart or another table until it is carried out, so that the answer
arrives before."""
RESTART_S = 2.0
"""Seconds of real time until a daemon that was killed is restarted."""
PAGE_RESTART_S = 1.0
"""Seconds of real time until the page's process is restarted."""
BETWEEN_GAMES_S = 8.0
"""Seconds of table time from the end of a game to the next, if nobody sits at the table."""
ENDING_S = 10.0
"""Minimum seconds of real time for which the end of a game can be read, however fast time passes."""
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""Names of virtual players, by their seats."""
SPEEDS = (0.5, 1.0, 2.0, 5.0, 10.0, 40.0)
"""The speeds to choose from at the page, in seconds of table time in a second."""
SIGNAL_EXIT_BASE = 128
"""Added by a shell to the number of the signal that ended a process."""

Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableRequest:
    """Request for a table: its game and options, the seats that people play, and the seed of all chance. `edition_open`
    says that nobody chose the edition; `seats` is the table's number of seats, None for as many as play."""

    game: str
    game_options: GameOptions
    language: str
    seed: int
    people: tuple[int, ...]
    build: str = FULL_BUILD
    edition_open: bool = False
    seats: int | None = None

    def demo(self, games: int) -> Mapping[str, Any]:
        """Return what the page shows about the table, ready for JSON."""
        return {
            "paced": True,
            "seed": self.seed,
            "players": self.game_options.players,
            "edition": self.game_options.edition,
            "edition_open": self.edition_open,
            "build": self.build,
            "compact": self.build == COMPACT_BUILD,
            "games": games,
            "settings": dict(self.game_options.settings),
        }

    def about(self) -> Mapping[str, Any]:
        """Return the choices at the page, ready for JSON."""
        game = find_game(self.game)
        return {
            "editions": list(game.editions),
            "players": possible_players(game, MAX_SEATS),
            "builds": {build: most_seats(build) for build in BUILDS},
            "speeds": list(SPEEDS),
            "faults": list(FAULTS),
            "rings": ring_patterns(),
            "control_cards": [
                {"card": card, "control": control, "fields": dict(fields)}
                for card, (control, fields) in control_cards(game.controls).items()
            ],
        }


def parse_table_request(request: DemoRequest, before: TableRequest, any_seed: int) -> TableRequest:
    """Parse a client's request for another table; fields that it lacks are those of the table `before`. `RequestError`
    says in the client's language what isn't possible."""
    game = find_game(before.game)
    players = request.whole("players", 1, MAX_SEATS) if "players" in request else before.game_options.players
    edition = (
        request.name("edition", game.editions, "wrong-edition") if "edition" in request else before.game_options.edition
    )
    starter = request.whole("starter", 1, players) if "starter" in request else None
    build = COMPACT_BUILD if request.converted("compact", bool, False) else FULL_BUILD
    if "build" in request:
        build = request.name("build", BUILDS, "wrong-build")
    if players > most_seats(build):
        raise CannotDo("too-many-for-compact", players=most_seats(build))
    settings: Mapping[str, int | str] = before.game_options.settings
    if "settings" in request:
        settings = request.converted("settings", dict[Text, Whole | Text], {})
    seat = Annotated[int, Meta(ge=1, le=players)]
    people: int | set[int] = request.converted("people", Annotated[int, Meta(ge=0, le=players)] | set[seat], 0)
    seats = range(1, people + 1) if isinstance(people, int) else sorted(people)
    game_options = GameOptions(players, edition, {key: str(value) for key, value in settings.items()}, starter)
    try:
        game.new_game(game_options, 0, None)
    except ConfigError as error:
        raise CannotDo("wrong-table", reason=str(error)) from None
    seed = request.whole("seed", 0, MAX_SEED**2) if "seed" in request else any_seed
    return TableRequest(before.game, game_options, before.language, seed, tuple(seats), build)


class Demo:
    """Tables, one after another, whose page finds them in the folder `sockets`, or without pages where that is None.
    `harness` is the present one. The task `running` starts with the object, and runs until it is cancelled, or fails
    with ConfigError or JournalError because a table can't be set up."""

    def __init__(self, request: TableRequest, folder: Path, sockets: Path | None, pace: Pace, games: int) -> None:
        self.request = request
        self.pace = pace
        self.disk = Disk()
        self.api: DemoApi | None = None
        self.harness: SimulationHarness | None = None
        self.running = asyncio.create_task(self._run(), name="demo")
        self._folder = folder
        self._sockets = sockets
        self._server = DemoServer(self._topics, self.do)
        self._starts = 0
        self._games = games
        self._next: tuple[TableRequest, Config] | None = None
        self._killing = False
        self._changed = asyncio.Event()
        self._ready = asyncio.Event()

    async def wait_until_ready(self) -> None:
        """Wait until a table is ready."""
        await self._ready.wait()

    def kill(self) -> None:
        """Schedule the daemon to be killed and restarted."""
        self._killing = True
        self._changed.set()

    def change_table(self, request: DemoRequest) -> None:
        """Schedule a change to another table; `RequestError` if it isn't possible, and then nothing is lost."""
        table_request = parse_table_request(request, self.request, any_seed())
        try:
            self._next = table_request, self._set_up_table(table_request)
        except (ConfigError, OSError) as error:
            raise CannotDo("wrong-table", reason=str(error)) from error
        self._changed.set()

    async def do(self, verb: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carry out a request of somebody at the page, and return its answer; `RequestError` says why it isn't done."""
        if self.api is None:
            raise RequestError("hands", "not-yet")
        return await self.api.do(verb, message)

    def _topics(self) -> Topics:
        """Return all topics for the page. `start` changes with each start of a daemon: the streams begin again."""
        return {"start": lambda: self._starts, **({} if self.api is None else self.api.topics)}

    async def _run(self) -> None:
        request, config, fresh_start = self.request, self._set_up_table(self.request), False
        if self._sockets is not None:
            await self._server.open(demo_socket(self._sockets))
        try:
            with install_disk(self.disk):
                while True:
                    self.request = request
                    await self._run_table(request, config, fresh_start)
                    assert self._next is not None
                    (request, config), self._next, fresh_start = self._next, None, True
        finally:
            await self._server.close()

    def _set_up_table(self, request: TableRequest) -> Config:
        config = set_up(
            self._folder,
            request.game,
            request.game_options,
            request.language,
            build=request.build,
            seats=request.seats,
            seed=request.seed,
        )
        return config if self._sockets is None else replace(config, page=PageSettings(0))

    async def _run_table(self, request: TableRequest, config: Config, fresh_start: bool) -> None:
        """Run one table until another is requested. An unfinished game in the folder continues, unless
        `fresh_start`."""
        self.disk.full = False
        self._begin_streams()
        self.pace.capped = self._sockets is not None
        api = DemoApi(request.about(), request.demo(self._games), self.pace, self, self.disk, self._server)
        virtual = [seat for seat in range(1, len(config.seats) + 1) if seat not in request.people]
        async with running_harness(
            config,
            seed=request.seed,
            seats=virtual,
            subscriber=api.on_update,
            daemon=partial(Daemon, sockets=self._sockets, fresh_start=fresh_start),
        ) as harness:
            tasks = Tasks()
            self.harness, self.api = harness, api
            actions = api.attach(harness, request.people, request.seed)
            _introduce(harness, virtual)
            harness.people.start_players()
            if self._sockets is not None:
                tasks.begin(self._cap_pace_without_page(harness))
            tasks.begin(_play_games(harness.people, actions, self._games, self.pace.wall_clock_sleep))
            self._ready.set()
            try:
                while self._next is None:
                    await self._changed.wait()
                    self._changed.clear()
                    await self.pace.wall_clock_sleep(ANSWERED_S)
                    if self._killing:
                        await self._kill(harness)
            finally:
                self._ready.clear()
                await tasks.end()
                await api.detach()

    async def _kill(self, harness: SimulationHarness) -> None:
        await harness.kill()
        self._killing = False
        while not harness.is_running:
            await self.pace.wall_clock_sleep(RESTART_S)
            self._begin_streams()
            try:
                await harness.restart()
            except TaptableError as error:
                _log.error("Restart of the killed daemon failed (%s): the demo retries in %g s", error, RESTART_S)

    def _begin_streams(self) -> None:
        """Begin the streams again, because another daemon is about to start."""
        self._starts += 1
        self._server.publish_changes()

    async def _cap_pace_without_page(self, harness: SimulationHarness) -> None:
        """Cap the pace at real time while the page isn't connected to the daemon: else people would miss what happens,
        and the daemon its page."""
        while True:
            self.pace.capped = not (harness.is_running and harness.daemon.page_connected.is_set())
            await self.pace.wall_clock_sleep(1 / CHECKS_HZ)


def _introduce(harness: SimulationHarness, virtual: Sequence[int]) -> None:
    """Name the virtual players, unless the table has names already."""
    controller = harness.daemon.controller
    if not any(controller.session.names):
        players = controller.session.table.game_options.players
        names = tuple(NAMES[seat - 1] if seat in virtual else "" for seat in range(1, players + 1))
        controller.note(PlayersNamed(harness.daemon.clock.now_us(), names))


@asynccontextmanager
async def running_demo(
    request: TableRequest, folder: Path, sockets: Path | None, pace: Pace, games: int = 0
) -> AsyncGenerator[Demo]:
    """Run a demo, from when its first table is ready."""
    demo = Demo(request, folder, sockets, pace, games)
    running = demo.running
    beginning = asyncio.create_task(demo.wait_until_ready())
    try:
        await asyncio.wait({running, beginning}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        yield demo
    finally:
        for task in (beginning, running):
            task.cancel()
        await asyncio.gather(beginning, running, return_exceptions=True)
    if running.done() and not running.cancelled():
        running.result()


@contextmanager
def catch_signals() -> Generator[asyncio.Future[int]]:
    """Catch the signals that end a process for the duration of the context. The future yielded gets the exit status
    that a shell expects after the signal."""
    loop = asyncio.get_running_loop()
    signalled: asyncio.Future[int] = loop.create_future()

    def leave(number: int) -> None:
        if not signalled.done():
            signalled.set_result(SIGNAL_EXIT_BASE + number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, leave, number)
    try:
        yield signalled
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


async def wait_for_signal(signalled: asyncio.Future[int], running: asyncio.Future[None]) -> int:
    """Wait for a signal and return its exit status; raise the exception that ends `running` before."""
    await asyncio.wait({signalled, running}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    return await signalled


async def _play_games(
    people: People, actions: Actions, games: int, wall_clock_sleep: Callable[[float], Awaitable[None]]
) -> None:
    """Begin a new game after each, even after one that was over from the beginning, if nobody sits at the table; but
    not after the last of `games`."""
    for number in count(0 if people.game_over.is_set() else 1):
        await people.game_over.wait()
        if games and number >= games:
            return
        while people.game_over.is_set():
            await asyncio.sleep(BETWEEN_GAMES_S)
            await wall_clock_sleep(ENDING_S)
            if people.game_over.is_set() and not actions.persons:
                await actions.use_unattended("new-game")


@asynccontextmanager
async def serve_page(
    listener: socket, sockets: Path, wall_clock_sleep: Callable[[float], Awaitable[None]]
) -> AsyncGenerator[None]:
    """Serve the page of the table whose sockets are in this folder, at a socket that is open already."""
    place = socket_path(sockets, Role.PAGE)
    command = (sys.executable, "-m", "taptable.sim.page", "--table", str(place), "--demo", str(demo_socket(sockets)))

    async def keep_up() -> None:
        while True:
            process = await asyncio.create_subprocess_exec(
                *command, "--listener", str(listener.fileno()), stdin=PIPE, stdout=DEVNULL, pass_fds=[listener.fileno()]
            )
            try:
                await process.wait()
            finally:
                if process.returncode is None:
                    process.terminate()
                    await asyncio.shield(process.wait())
            await wall_clock_sleep(PAGE_RESTART_S)

    keeping = asyncio.create_task(keep_up(), name="page")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})
