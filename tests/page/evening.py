"""The demo's evening, with a test at its page. Virtual players continue only while it is somebody else's turn to act.
As soon as a person could act, time stops, no matter how late the page hears of that."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from deadline import DEADLINE_S
from ports import free_port
from taptable.core.game_options import GameOptions
from taptable.core.observations import Pad
from taptable.core.player import PlayerAction, Push
from taptable.games.registry import find_game
from taptable.referee import gestures
from taptable.sim.harness import SimulationHarness
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.page.demo import Demo, TableRequest, running_demo
from taptable.sim.touching import GONE_S, HOLD_TIMEOUT_S

from page.staging import Stage
from page.threaded_table import AS_OUTSIDE, FAST, ThreadedTable

LOOK_S = 0.1


class RealTimePace:
    """The pace that the page is told: seconds of the table last as long as seconds outside."""

    speed = 1.0

    def __init__(self, loop: ScaledTimeLoop) -> None:
        self._loop = loop

    @property
    def capped(self) -> bool:
        return self._loop.capped

    @capped.setter
    def capped(self, held: bool) -> None:
        self._loop.capped = held

    async def wall_clock_sleep(self, seconds: float) -> None:
        await self._loop.wall_clock_sleep(seconds)


class DemoEvening(ThreadedTable):
    """The demo at a port of this computer."""

    def __init__(self, wanted: TableRequest, folder: Path, port: int) -> None:
        super().__init__(port, demo=True)
        self._wanted, self._kept = wanted, folder
        self._evening: Demo | None = None

    @property
    def evening(self) -> Demo:
        assert self._evening is not None, "\n".join(self.trouble)
        return self._evening

    @property
    def harness(self) -> SimulationHarness:
        assert self.evening.harness is not None
        return self.evening.harness

    def next_wish(self, seat: int, first: Callable[[], PlayerAction | None] = lambda: None) -> PlayerAction | None:
        """Let time pass until the person at a seat has something to do, and return it: what the test wants `first`,
        what the table asks for, or the action of the game's own virtual player. None once the game is over."""

        async def look() -> PlayerAction | None:
            quiet_s = 0.0
            while (action := first() or self.wish(seat)) is not None or not self.people.game_over.is_set():
                # a card beside another's, or as soon as that is lifted, would be two at once
                if isinstance(action, Push) or (action is not None and quiet_s >= GONE_S):
                    return action
                await asyncio.sleep(LOOK_S)
                quiet_s = quiet_s + LOOK_S if Stage(self.harness).is_quiet else 0.0
            return None

        return self.happens(look)

    def wish(self, seat: int) -> PlayerAction | None:
        """The action that the person at the seat would take now; call it on the table's loop."""
        session, table = self.session, self.session.table
        meaning = gestures.button_actions(session.prompts, table)[seat - 1]
        if session.prompts.consent is not None:
            return Push(seat) if meaning == "grant" else None
        if table.paused_at_us is not None:
            return Push(seat)
        if table.game.outcome(table.state) is not None:
            return None
        return table.game.players.decide(table.state, self.truth, seat)

    def holds(self, pad: Pad) -> None:
        """Wait until somebody at the page holds a card on a pad, and let time pass meanwhile."""
        self.rests(pad)
        self.passes(HOLD_TIMEOUT_S)

    def rests(self, pad: Pad) -> None:
        """Wait until somebody at the page holds a card on a pad."""

        async def look() -> None:
            while not self.harness.table.tags_on(pad):
                await self.loop.wall_clock_sleep(LOOK_S)

        self._run_there(look).result(DEADLINE_S)

    def judges(self) -> None:
        """Let time pass until the table has answered everything that was done, and the hands are free again."""

        async def settle() -> None:
            for _ in range(2):  # of two things done at once, one may wait for the verdict on the other
                await self.people.wait_for_verdicts()
                await asyncio.sleep(GONE_S)

        self.happens(settle)

    def plays_turns(self, turns: int) -> None:
        """Let the virtual players play `turns` turns."""

        for _ in range(turns):
            before = self.ask(lambda: self.on_turn)
            self.passes_until(lambda before=before: self.on_turn not in (before, None))

    def passes_until(self, holds: Callable[[], bool]) -> None:
        """Let time pass until `holds` returns true."""

        async def look() -> None:
            while not holds():
                await asyncio.sleep(LOOK_S)

        self.happens(look)

    def lays(self, **wanted: object) -> None:
        """Lay another table, as the page would ask for it."""

        async def lay() -> None:
            before = self.harness
            await self._do("new-table", wanted)
            while self.harness is before:
                await self.loop.wall_clock_sleep(LOOK_S / 10)

        self._begins_anew(lay)

    def follows(self, doing: Callable[[], None]) -> None:
        """Do at the page what leads to another table, or have the daemon killed, and wait until everybody sees the
        next."""
        before, boots = self.harness.daemon, [each.boot for each in self._onlookers]
        doing()

        async def look() -> None:
            while self.evening.harness is None or self.harness.daemon is before or not self.harness.is_running:
                await self.loop.wall_clock_sleep(LOOK_S / 10)

        self._begins_anew(look, boots)

    def dies(self) -> None:
        """Kill and restart the daemon."""

        async def die() -> None:
            before = self.harness.daemon
            self.evening.kill()
            while self.harness.daemon is before or not self.harness.is_running:
                await self.loop.wall_clock_sleep(LOOK_S / 10)

        self._begins_anew(die)

    def _begins_anew(self, doing: Callable[[], Awaitable[None]], boots: Sequence[str] = ()) -> None:
        async def begin() -> None:
            self.loop.speed = AS_OUTSIDE
            await doing()
            self.loop.speed = FAST
            await self._settle()

        boots = boots or [each.boot for each in self._onlookers]
        self._run_there(begin).result(DEADLINE_S)
        for each, boot in zip(self._onlookers, boots, strict=True):
            each.until_another_start(boot)
        self.is_seen()

    async def _do(self, verb: str, message: Mapping[str, object]) -> None:
        await self.evening.do(verb, message)

    async def _stay(self, began: Callable[[], Awaitable[None]], leaving: asyncio.Event) -> None:
        async with running_demo(self._wanted, self._kept, self.sockets, RealTimePace(self.loop), 1) as evening:
            self._evening = evening
            await began()
            await leaving.wait()


@contextmanager
def an_evening(
    folder: Path,
    *,
    game: str = "online",
    players: int = 2,
    people: tuple[int, ...] = (1,),
    seed: int = 1,
    starter: int | None = 1,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[DemoEvening]:
    """An evening while it runs; `settings` are house rules."""
    game_options = GameOptions(players, find_game(game).editions[0], settings, starter)
    evening = DemoEvening(TableRequest(game, game_options, "en", seed, people), folder, free_port())
    evening.begin()
    try:
        yield evening
    finally:
        evening.end()
