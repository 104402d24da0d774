"""An evening while it lasts: a simulated table with the real daemon over it, page and bridge beside it, the people at
it, and the effects of faults. The table's announcements are recorded beside the places of the cards at that time, so
that a table that comes back can be compared with them."""

from __future__ import annotations

import asyncio
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

from table.hal import Passage
from table.truth import DOUBT_S, JournaledRead, reads_in
from taptable.config import Config
from taptable.core.errors import JournalError
from taptable.core.notices import Notice
from taptable.core.observations import Pad
from taptable.core.part_notices import PartBack, PartLost
from taptable.core.player import PlayerAction, Tap
from taptable.core.verdicts import Fault as FaultVerdict
from taptable.core.verdicts import Ignored, Refused, Verdict
from taptable.cues.scene import REFUSAL_US
from taptable.daemon.clock import TableClock
from taptable.daemon.daemon import Daemon
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.registry import Drivers
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Entry
from taptable.narration.updates import Update
from taptable.referee.session import Decision, TableEvent
from taptable.sim.harness import SimulationHarness
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.people import People

from soak.account import CHECKED_WRONG, KEPT_S, Account, last_game
from soak.clients import Clients
from soak.disk import Disk
from soak.faults import KINDS
from soak.faults_of_parts import race
from soak.kinds import SOON_S
from soak.plan import Fault, Plan
from soak.quick import SoakedTable
from soak.troubles import LOOKS_S, Troubles

SHOWN_S = 0.5
"""Seconds until the boards show an announcement."""
RECHECK_S = 3.0
RESTART_S = 3.0
"""As `system/taptable.service` has it."""
MAX_CHECKS = 10


class KillableHarness(SimulationHarness):
    """A harness whose daemon may be killed in mid-action: nobody receives what it still does."""

    dead = False

    def _on_update(self, update: Update) -> None:
        if not self.dead:
            super()._on_update(update)

    def make_next_daemon(self) -> None:
        """Make the next daemon, with the files on the disk."""
        self.daemon = self._make_daemon(self._on_update, fresh_start=False)


class Night:
    """An evening. Make it on its loop, and report to its `watch` what passes below the drivers."""

    def __init__(self, plan: Plan, config: Config, table: SoakedTable, drivers: Drivers, disk: Disk) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, GivenTimeLoop)
        self.loop = loop
        self.plan = plan
        self.config = config
        self.table = table
        self.disk = disk
        self.applied: Counter[str] = Counter()
        self.loud: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.troubles = Troubles(loop.time)
        self.dead = False
        self.upset_until_s = 0.0
        """Time until which the display may show something else."""
        self.calendar_s = 0
        """The offset of the calendar, in seconds."""
        self.no_room = False
        self.refused_writes = 0
        self.lost: list[JournaledRead] = []
        self.events: list[tuple[float, TableEvent]] = []
        self.progress_s = 0.0
        self.seated: tuple[str, ...] = ()
        self.resume = asyncio.Event()
        self.resume.set()
        self._clocks: list[tuple[int, TableClock]] = []
        self._mistaken_in: int | None = None
        self._unexplained = 0
        """The number of disagreements that had no cause visible to people; none is found for them later."""
        self._passing_until_s = self._unchecked_s = 0.0
        self._writable = True
        self._alive = asyncio.Event()
        self._away = ExitStack()
        self._starting = asyncio.Lock()
        self._hooks: list[tuple[str, Callable[[], None]]] = []
        self._races = Random(f"races {plan.seed}") if plan.races else None
        self._raced_at_us = -1
        self._strikes: set[asyncio.Task[None]] = set()
        self.room = KillableHarness(
            config,
            table,
            partial(Daemon, config, drivers),
            self._hear,
            drivers=drivers,
            seed=plan.seed,
            slips=plan.slips,
            seats=None,
        )
        self.clients = Clients(plan)
        self.account = Account(self.people, self.wrong, self.loud)
        self.people._wish = self._wish
        loop.set_exception_handler(self._note_trouble)

    # --- what faults want to know -----------------------------------------------------------------------------------

    @property
    def people(self) -> People:
        return self.room.people

    @property
    def players(self) -> int:
        return self.room.session.table.game_options.players

    @property
    def checking(self) -> bool:
        return self.room.session.prompts.checking is not None

    @property
    def mistaken(self) -> bool:
        """Return whether people know that the table is mistaken about this game."""
        return self._mistaken_in == self.account.game

    @property
    def is_journal_stuck(self) -> bool:
        """Return whether the table reports that it can't write the journal."""
        return not self._writable

    @property
    def about_to_tap(self) -> Tap | None:
        """The tap that the player on turn would make now. None if there is none, or if the table waits for something
        else or can't answer."""
        session = self.room.session
        seat = session.table.scoreboard.seat
        if self.checking or session.table.paused_at_us is not None or seat is None:
            return None
        wish = self._wish(seat)
        pads = (*self.table.stand_in("board").boards, *self.table.fields)
        return wish if isinstance(wish, Tap) and wish.pad in pads else None

    @property
    def uids(self) -> list[str]:
        return sorted(self.people.card_by_uid)

    @property
    def page_there(self) -> bool:
        return self.clients.page is not None and not self.dead

    def any_pad(self, number: int) -> Pad:
        pads = [*self.table.stand_in("board").boards, *self.table.fields]
        return pads[number % len(pads)]

    def any_seat(self, number: int) -> int:
        return 1 + number % self.players

    def any_board(self, number: int) -> tuple[Pad, VirtualBoard] | None:
        """A board to which nothing else is being done, and its pad; None if there is none of the kind."""
        boards = list(self.table.stand_in("board").boards.items())
        if not boards or self.dead:
            return None
        pad, board = boards[number % len(boards)]
        return (pad, board) if self.is_free(pad) else None

    def is_free(self, pad: Pad) -> bool:
        """Return whether nothing else is being done to the board of a pad."""
        board = self.table.stand_in("board").boards[pad]
        return not self.troubles.is_excluded(pad) and board._conversation is not None

    async def wait_for_daemon(self) -> None:
        """Wait until there is a daemon."""
        await self._alive.wait()

    # --- what faults leave ------------------------------------------------------------------------------------------

    def _keeps(self, pad: Pad) -> bool:
        """Return whether a board has an event that it couldn't send yet."""
        conversation = self.table.stand_in("board").boards[pad]._conversation
        return conversation is not None and bool(conversation.outbox.pending)

    @contextmanager
    def forgetting(self, pad: Pad) -> Iterator[None]:
        """A board loses its memory, which may be old if the board couldn't send it, and what lay there just before."""
        before_s = KEPT_S if self._keeps(pad) else 0.1
        with self.troubles.blind(pad, before_s), self.troubles.unsure(pad, before_s), self.troubles.twice(pad):
            yield

    def stall(self, for_s: float) -> None:
        """The host does nothing for `for_s`, and misses what it looks at itself."""
        began_s = self.loop.time()
        for pad in self.table.fields:
            self.troubles.blinded[pad].append((began_s - LOOKS_S / 10, began_s + for_s + LOOKS_S / 10))
        self.loop.stall(for_s)

    @contextmanager
    def passing(self, what: str, do: Callable[[], None]) -> Iterator[None]:
        """While this lasts, do something whenever this passes below the drivers."""
        hook = (what, do)
        self._hooks.append(hook)
        try:
            yield
        finally:
            self._hooks.remove(hook)

    def watch(self, passed: Passage) -> None:
        """Something passes below the drivers."""
        if self.dead:
            return
        self.disk.watch(passed)
        for what, do in list(self._hooks):
            if what == passed.what:
                do()

    # --- faults -----------------------------------------------------------------------------------------------------

    async def go_wrong(self, faults: tuple[Fault, ...]) -> None:
        """Cause one fault after the other, each at its time."""
        for fault in faults:
            await asyncio.sleep(max(0.0, fault.at_s - self.loop.time()))
            await self.resume.wait()
            self._strike_later(self._strike(fault.kind, KINDS[fault.kind].strike(self, **fault.about)))

    async def calm_down(self) -> None:
        """Wait until every fault that has begun is over."""
        while self._strikes:
            await asyncio.wait(self._strikes)

    async def _strike(self, kind: str, striking: Awaitable[bool]) -> None:
        with self.troubles.strikes(kind):
            self.applied[kind] += await striking

    # --- the daemon -------------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """The daemon starts for the first time."""
        self._began()
        with JournalReader.open(self.config.table.journal) as journal:
            self.account.begin(last_game(journal).id)
        await self.room.start()
        self._alive.set()
        self.clients.meet(self.room.daemon.api)

    async def die(
        self, point: str, off_s: float, *, power: bool = False, torn: float | None = None, frames: int = 0
    ) -> bool:
        """Kill the daemon at this point, and start it again with what that leaves."""
        if self.dead:
            return False
        left: list[Any] = []

        def now() -> None:
            if not self.dead:
                left.append(self._let_go(power, torn))
                reached.set()

        reached = asyncio.Event()
        if point == "turn":
            now()
        else:
            with self.disk.armed(), self.passing(point, now), suppress(TimeoutError):
                await asyncio.wait_for(reached.wait(), SOON_S)
        if not left:
            return False
        (files,) = left
        self.clients.leave()
        async with self._starting:  # one that dies while it starts is stopped when it has
            await self.room.stop()
        self.disk.restore(self.disk.without_last_frames(files, frames) if frames else files)
        await asyncio.sleep(off_s)
        await self._come_back(lost_is_known=frames > 0, power_was_cut=power)
        return True

    def _let_go(self, power: bool, torn: float | None) -> Any:
        """The process ends; returns the files that it leaves."""
        files = self.disk.synced(torn=torn) if power else self.disk.left()
        self.dead = self.room.dead = True
        self._alive.clear()
        for pad in (*self.table.stand_in("board").boards, *self.table.fields):
            kept = not self._writable or (pad in self.table.stand_in("board").boards and self._keeps(pad))
            before_s = KEPT_S if kept else 0.5
            if any(lying.is_doubted for lying in self.room.session.taps.tags_on(pad)):
                # it was acknowledged, and nobody knows that it came
                self._away.enter_context(self.troubles.blind(pad, DOUBT_S))
            if power or pad in self.table.fields:
                self._away.enter_context(self.troubles.blind(pad, before_s))
                self._away.enter_context(self.troubles.twice(pad))
            if power or isinstance(pad, int):
                self._away.enter_context(self.troubles.unsure(pad, before_s))
        self.table.let_go()
        self.room.daemon.abort()
        if power:
            self.table.cut_power()
        return files

    async def _come_back(self, *, lost_is_known: bool, power_was_cut: bool = False) -> None:
        while True:
            try:
                self.room.make_next_daemon()
                break
            except JournalError:  # systemd starts it again
                self.loud["it couldn't be started: again"] += 1
                await asyncio.sleep(RESTART_S)
        self._began()
        self._reconcile(lost_is_known=lost_is_known)
        self.dead = self.room.dead = False
        self.table.take_up()
        if power_was_cut:
            self.table.restore_power()
        async with self._starting:
            await self.room.start()
        if self.dead:
            return  # it died while it started: what is blind stays so until the next one has come back
        self._away.close()
        self._alive.set()
        self.clients.meet(self.room.daemon.api)
        self.people.notify()

    def _began(self) -> None:
        clock = self.room.daemon.clock
        self._clocks.append((clock.now_us(), clock))

    def loop_s(self, at_us: int) -> float:
        """The loop's time at a table time."""
        return self._clock_at(at_us - 1, self._clocks).loop_time(at_us)

    def began_at_s(self, at_us: int) -> list[float]:
        """The same for an event of any of the daemons that began at that very time, or of the one before."""
        return [self.loop_s(at_us), *(clock.loop_time(at_us) for began_us, clock in self._clocks if began_us == at_us)]

    @staticmethod
    def _clock_at(at_us: int, clocks: Sequence[tuple[int, TableClock]]) -> TableClock:
        running = (clock for began_us, clock in reversed(clocks) if began_us <= at_us)
        return next(running, clocks[0][1])

    def restarted_s(self, after_s: float, before_s: float) -> float | None:
        """The time at which a daemon began between the two, if one did."""
        began = (clock.loop_time(began_us) for began_us, clock in self._clocks[1:])
        return next((began_s for began_s in began if after_s < began_s < before_s), None)

    # --- what the table tells ---------------------------------------------------------------------------------------

    @property
    def is_calm(self) -> bool:
        """Return whether nothing has failed for a while, and no passing message is shown."""
        prompts = self.room.session.prompts
        asked = prompts.consent is not None or prompts.checking is not None
        return self.troubles.over and self.passed and not (self.dead or asked or self.alerts)

    @property
    def passed(self) -> bool:
        """Return whether no passing message is shown any more."""
        now_s = self.loop.time()
        shown = not self.events or now_s > self.events[-1][0] + SHOWN_S
        return shown and now_s > self._passing_until_s

    @property
    def alerts(self) -> list[str]:
        """The alerts that the table still shows."""
        return list(self.room.daemon.controller.alerts)

    @property
    def lost_parts(self) -> list[str]:
        """The parts that the table still reports as lost."""
        alerts = self.room.daemon.controller.alerts.values()
        return [alert.part for alert in alerts if isinstance(alert, PartLost)]

    def _hear(self, update: Update) -> None:
        if any(isinstance(event, Notice) or is_spelled_out(event.verdict) for event in update.events):
            self._passing_until_s = self.loop.time() + REFUSAL_US / 1_000_000
        self._writable = update.writable
        if update.journal_error is not None:
            self.refused_writes += 1
            self.loud["it can't be written down"] += 1
            return
        for event in update.events:
            self.events.append((self.loop.time(), event))
            self._count(event)
            if isinstance(event, Decision) and not isinstance(event.verdict, Refused | Ignored | FaultVerdict):
                self.progress_s = self.loop.time()
        if any(isinstance(event, Decision) for event in update.events):
            self._look_after_mistakes()
        if not self.checking:
            self._unchecked_s = self.loop.time()
        self._race_in_window()

    def _race_in_window(self) -> None:
        """In each window in which a press counts at several seats, let two want to be first."""
        table = self.room.session.table
        window = table.scoreboard.window
        if self._races is None or window is None or window.opened_at_us == self._raced_at_us:
            return
        seats = [seat for seat, meaning in enumerate(table.game.button_actions(table.state), 1) if meaning == "buzz"]
        if len(seats) > 1 and table.paused_at_us is None:
            self._raced_at_us = window.opened_at_us
            one, two = self._races.sample(seats, 2)
            self._strike_later(self._strike("race-in-a-window", race(self, one, two, self._races.uniform(0.0, 0.06))))

    def _look_after_mistakes(self) -> None:
        """Find the table's mistakes by its announcements, as people do, and check them. Until that is done they don't
        agree with the table, and know it."""
        wrong, mistakes = self.people.disagreements, self.account.mistakes
        before = self._unexplained
        if mistakes == [CHECKED_WRONG] and not self.troubles.any_since(self._unchecked_s):
            mistakes.clear()  # it had no reason to
        if wrong[before:] and mistakes and not self.mistaken:
            self._mistaken_in = self.account.game
            self.loud[f"{mistakes[0]}: checked"] += 1
            self._strike_later(self._check())
        if self.mistaken:
            del wrong[before:]
        self._unexplained = len(wrong)
        mistakes.clear()

    def _wish(self, seat: int) -> PlayerAction | None:
        """The action that a seat would take now; a player who reads that the journal can't be written waits until it
        can."""
        return People._wish(self.people, seat) if self._writable else None

    async def _check(self) -> None:
        """Check until the table is right, as a person who looks at it sees. A check may go wrong, or end with its
        daemon."""
        undisturbed = 0
        for _ in range(MAX_CHECKS):
            await asyncio.sleep(RECHECK_S)
            await self.wait_for_daemon()
            table = self.room.session.table
            if not self.checking and self.people._players.disagreement(table.state, self.people.truth) is None:
                self._mistaken_in = None
                return
            if self.people.game_over.is_set():
                continue  # there is nothing to check, unless its end is taken back
            began_s = self.loop.time()
            if not self.checking and not await self.ask("check"):
                await self.people.use_control(1, "check")
            while self.checking and not self.dead:
                await asyncio.sleep(RECHECK_S)
            undisturbed += not self.troubles.any_since(began_s)
        self.loud["a game was over before it was put right"] += 1
        if not self.people.game_over.is_set():
            if undisturbed and not self._is_past_telling:
                self.wrong.append(f"no check has put the table right, {undisturbed} of them undisturbed")
            await self.ask("end-game")

    @property
    def _is_past_telling(self) -> bool:
        """Return whether a seat holds no more than one card of a counted kind, a number that presses can't express."""
        truth, seats = self.people.truth, range(1, self.players + 1)
        return any(count <= 1 for seat in seats for count in truth.counts(seat).values())

    def _strike_later(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._strikes.add(task)
        task.add_done_callback(self._struck)

    def _struck(self, task: asyncio.Task[None]) -> None:
        self._strikes.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.wrong.append(f"a fault broke off: {''.join(traceback.format_exception(error))}")

    def _count(self, event: TableEvent) -> None:
        match event:
            case Decision(_, Refused() | FaultVerdict() as verdict):
                self.loud[f"{type(verdict).__name__.lower()}: {verdict.code}"] += 1
            case PartLost(_, part) | PartBack(_, part):
                self.loud[f"{type(event).__name__}: {part.partition(' ')[0]}"] += 1
            case Notice():
                self.loud[type(event).__name__] += 1
            case _:
                pass

    def _reconcile(self, *, lost_is_known: bool) -> None:
        """Let people look at the state in which the table comes back."""
        session = self.room.session
        with JournalReader.open(self.config.table.journal) as journal:
            if lost_is_known:
                # told at the same time, which the table's clock may have rounded up
                gone = (self.loop_s(journal.last_at_us() - 1), self.loop.time())
                for pad in (*self.table.stand_in("board").boards, *self.table.fields):
                    self.troubles.blinded[pad].append(gone)
                    self.troubles.blinded["button", pad].append(gone)
            came_back = self.room.daemon._starting_point.is_restored
            lost = self.account.catch_up(journal, session.table, lost_is_known=lost_is_known, came_back=came_back)
        before = self._clocks[:-1]
        self.lost += reads_in(lost, lambda at_us: self._clock_at(at_us, before).loop_time(at_us))
        self._look_after_mistakes()
        if lost_is_known:
            self.seated = session.members

    async def ask(self, verb: str, **fields: Any) -> bool:
        """Send a request from the page; return False if it was refused, if there is no page, or if the journal can't be
        written."""
        if not self.page_there or not self._writable:
            return False
        refused = await self.clients.ask(verb, **fields)
        if refused:
            self.loud[f"refused at the page: {refused}"] += 1
        return not refused

    # --- and at the end ---------------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """Everything in the journal."""
        with JournalReader.open(self.config.table.journal) as journal:
            return [entry for game in journal.games() for entry in journal.entries(game.id)]

    def _note_trouble(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not self.dead:
            said = "".join(traceback.format_exception(error)) if error else ""
            self.wrong.append(f"an error of ours: {context['message']} {said}")


def is_spelled_out(verdict: Verdict) -> bool:
    """Return whether the scoreboard shows a sentence of the verdict for a while."""
    return isinstance(verdict, Refused | FaultVerdict) or any(said.written for said in verdict.announcements)
