"""The harness of a simulated table: assembles hardware (`table`), daemon and players (`people`), for the demo, the
league's demo and whole evenings in tests. It can kill the daemon and start it again. Must not know how a part is
simulated, nor how players decide."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from taptable.config import Config
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.daemon import ChangeOver, Daemon
from taptable.daemon.seat_assignment import SeatAssignment
from taptable.daemon.serving import ANSWERED_S
from taptable.daemon.without_game import TableWithoutGame
from taptable.drivers.registry import Drivers
from taptable.memory.decks import Decks
from taptable.narration.updates import Subscriber, Update
from taptable.referee.session import Session
from taptable.sim.people import USUAL_SLIPS, People, Slips
from taptable.sim.setting_up import count_start
from taptable.sim.table import SimulatedTable

PAGE_REQUESTER = "page"
"""The requester of controls from a page, by its name in the journal."""


class SimulationHarness:
    """A simulated table with its players. `make_daemon(subscriber)` makes its daemon over the `drivers`, which may be
    killed and started again; hardware, players and their hands stay. The `assignment` of its seats takes the daemon's
    place if people ask for it; the virtual players wait meanwhile."""

    def __init__(
        self,
        config: Config,
        table: SimulatedTable,
        make_daemon: Callable[..., Daemon],
        subscriber: Subscriber | None,
        *,
        drivers: Drivers,
        seed: int,
        slips: Slips,
        seats: Sequence[int] | None,
    ) -> None:
        self.config = config
        self.table = table
        self._make_daemon = make_daemon
        self._subscriber = subscriber
        self._drivers = drivers
        self.assignment: SeatAssignment | None = None
        self._changing: asyncio.Task[None] | None = None
        self.daemon = make_daemon(self._on_update, change_over=self._change_over)
        self.is_running = False
        deck = Decks(config.table.decks).deck(config.table.deck)
        tags = {**deck.cards, **deck.controls}
        self.people = People(
            table,
            tags,
            session=lambda: self.session,
            seed=seed,
            slips=slips,
            seats=seats,
            request_control=lambda control, fields: self.daemon.controller.use_control(
                control, DISCARD_PAD, PAGE_REQUESTER, fields
            ),
        )

    @property
    def session(self) -> Session:
        """The session of the daemon, or of the one that was killed while there is none."""
        return self.daemon.controller.session

    async def start(self) -> None:
        """Start the daemon."""
        try:
            await self.daemon.start()
        except BaseException:
            await self.daemon.stop()
            raise
        self.is_running = True

    async def kill(self) -> None:
        """Kill the daemon as if its process had been killed: nothing that it does at its end reaches any part, and
        events that weren't in the journal haven't happened."""
        await self._end_change()
        self.table.let_go()
        self.daemon.abort()
        await self._stop_daemon()

    async def restart(self) -> None:
        """Start another daemon over the same hardware. Raises JournalError or ConfigError if that can't be done now."""
        self.daemon = self._make_daemon(self._on_update, fresh_start=False, change_over=self._change_over)
        self.table.take_up()
        await self.start()

    async def stop(self) -> None:
        """Stop the daemon, or the assignment of seats, if one runs."""
        await self._end_change()
        await self._stop_daemon()

    async def _stop_daemon(self) -> None:
        if self.is_running:
            self.is_running = False
            await self.daemon.stop()

    def _change_over(self, change: ChangeOver) -> None:
        self._changing = asyncio.create_task(self._run_other(change), name="change over")

    async def _run_other(self, change: ChangeOver) -> None:
        """Run the assignment of seats if it was asked for, and then the daemon again. The virtual players go on."""
        await asyncio.sleep(ANSWERED_S)
        players = await self.people.pause_players()
        sockets = self.daemon.sockets
        await self._stop_daemon()
        if change.to_assignment and sockets is not None:
            ended = asyncio.Event()
            self.assignment = SeatAssignment(self.config, self._drivers)
            self.assignment.begin(change.seats)
            self.assignment.on_end = ended.set
            table = TableWithoutGame(self.config, self._drivers, sockets.folder, assignment=self.assignment)
            try:
                await table.start()
                await ended.wait()
                await asyncio.sleep(ANSWERED_S)
            finally:
                self.assignment = None
                await table.stop()
        await self.restart()
        self.people.start_players(players)

    async def _end_change(self) -> None:
        """End the assignment of seats, if it is under way."""
        if self._changing is not None and self._changing is not asyncio.current_task():
            self._changing.cancel()
            await asyncio.wait([self._changing])
            self._changing = None

    def _on_update(self, update: Update) -> None:
        self.people.on_update(update)
        if self._subscriber is not None:
            self._subscriber(update)


@asynccontextmanager
async def running_harness(
    config: Config,
    *,
    seed: int = 0,
    slips: Slips = USUAL_SLIPS,
    seats: Sequence[int] | None = None,
    subscriber: Subscriber | None = None,
    daemon: Callable[..., Daemon] = Daemon,
) -> AsyncGenerator[SimulationHarness]:
    """Yield the harness while its daemon runs. Virtual players sit at `seats` (None: all), but haven't begun to play.
    `daemon` takes the arguments of `Daemon`; callers pass their own to bind more of these."""
    table = SimulatedTable(config, seed)
    table.count_starts(count_start(config.file.parent))
    with table.powered() as drivers:
        harness = SimulationHarness(
            config,
            table,
            partial(daemon, config, drivers),
            subscriber,
            drivers=drivers,
            seed=seed,
            slips=slips,
            seats=seats,
        )
        await harness.start()
        try:
            yield harness
        finally:
            await harness.people.stop_players()
            await harness.stop()
