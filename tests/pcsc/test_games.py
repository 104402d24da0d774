"""A short whole game of each of the three games, with pads on a real service: its readers change their order, it is
killed, and a reader is pulled while they play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest
from deadline import DEADLINE_S
from taptable.core.device_events import DeviceEvent, Receipt, TagCame, TagWent
from taptable.core.game_options import GameOptions
from taptable.core.observations import Pad
from taptable.core.part_notices import PartBack, PartLost
from taptable.core.verdicts import Accepted
from taptable.drivers.interface import DeviceContext, OpenedParts, Part, one_thread
from taptable.drivers.pcsc import stand_in
from taptable.drivers.pcsc.driver import PcscDriver
from taptable.drivers.usb_ports import is_port
from taptable.narration.updates import Update
from taptable.referee.session import Decision
from taptable.sim.harness import running_harness
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.people import NO_SLIPS
from taptable.sim.setting_up import set_up
from taptable.sim.stand_in import HardwareStandIn, Surroundings

from pcsc.service import Room
from pcsc.usb import ACR1252U, Reader

pytestmark = pytest.mark.long
SPEED = 20.0
"""How much faster than real time the players think."""
QUOTAS = {"quota_email": "2", "quota_music": "1", "quota_game": "1", "quota_movie": "0"}
GAMES = {
    "online": GameOptions(4, "de", {"teams": "two", **QUOTAS}, 1),
    "cyber-siege": GameOptions(3, "standard", {"target_points": "4"}, 1),
    "xnet": GameOptions(3, "standard", {"target_points": "10"}, 1),
}
"""Short games."""


class DriverInThread(PcscDriver):
    """The driver with a thread of its own, as at a table, and a listener to its reports."""

    def __init__(self, room: Room, listener: Callable[[DeviceEvent], None]) -> None:
        super().__init__(root=room.tree.root)
        self._listener = listener

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads."""

        def report(event: DeviceEvent) -> Receipt:
            self._listener(event)
            return context.report(event)

        return super().open(replace(context, report=report, executor=one_thread), parts)


class ServiceReaders(HardwareStandIn):
    """The readers of a service, below the driver that a table has. While the service hasn't reported what was laid or
    lifted, the table's time passes no faster than the real one."""

    def __init__(self, room: Room, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        assert isinstance(around.loop, ScaledTimeLoop)
        self.driver = DriverInThread(room, self._note)
        self.room = room
        self.readers = {part.pad: part.address.name for part in parts if part.pad is not None}
        self._loop = around.loop
        self._laid: dict[Pad, str] = {}
        self._reported: dict[Pad, str] = {}

    def plug_in(self, pads: Sequence[Pad]) -> None:
        """Plug the readers of these pads in, in this order, each in its port or in any free one."""
        for pad in pads:
            name = self.readers[pad]
            free = (f"3-{number}" for number in count(1) if f"3-{number}" not in self.room.ports)
            port = name if is_port(name) else next(free)
            self.room.plug_in({port: Reader(name, ACR1252U) if is_port(name) else Reader(name, serial=name)})

    def start(self) -> None:
        """Start the service. What lies on the readers is still there."""
        self.room.start()
        for pad, uid in self._laid.items():
            self._lay(pad, uid)

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        self._laid[pad] = uid
        self._lay(pad, uid)
        self._pace()

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        assert self._laid.pop(pad) == uid
        if self.readers[pad] in self.room.cards:
            self.room.lift(self.readers[pad])
        self._pace()

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return [self._laid[pad]] if pad in self._laid else []

    def _lay(self, pad: Pad, uid: str) -> None:
        if self.room.is_known(self.readers[pad]):
            self.room.lay(self.readers[pad], bytes.fromhex(uid))

    def _note(self, event: DeviceEvent) -> None:
        match event:
            case TagCame(pad=pad, uid=uid):
                self._reported[pad] = uid
            case TagWent(pad=pad):
                del self._reported[pad]
            case _:
                pass
        self._pace()

    def _pace(self) -> None:
        self._loop.capped = self._laid != self._reported


class Watcher:
    """Follows a game: how many observations were accepted, which parts are lost, and whether it has ended."""

    def __init__(self) -> None:
        self.accepted = 0
        self.lost: set[str] = set()
        self.ever_lost: list[str] = []
        self.ended = False
        self._news = asyncio.Event()

    def on_update(self, update: Update) -> None:
        """Take an update of the daemon."""
        for event in update.events:
            match event:
                case Decision(verdict=Accepted()):
                    self.accepted += 1
                case PartLost(part=part):
                    self.lost.add(part)
                    self.ever_lost.append(part)
                case PartBack(part=part):
                    self.lost.remove(part)
                case _:
                    pass
        table = update.session.table
        self.ended = table.game.outcome(table.state) is not None
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds, by the clock on the wall."""
        end_s = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < end_s, (self.accepted, self.lost)
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(SPEED):
                    await self._news.wait()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(game: str, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_in, "STAND_IN", partial(ServiceReaders, room))
    config = set_up(tmp_path, game, GAMES[game], "en", build="usb")
    chance = Random(game)

    async def play() -> None:
        watcher = Watcher()
        async with running_harness(config, seed=1, slips=NO_SLIPS, subscriber=watcher.on_update) as harness:
            readers: ServiceReaders = harness.table.stand_in("pcsc")
            every, parts = [*readers.readers], {part.name for part in readers.parts}
            readers.plug_in(every)
            readers.start()
            await watcher.until(lambda: not watcher.lost)
            harness.people.start_players()
            await watcher.until(lambda: watcher.accepted >= 3)
            # killed; and they are in another order when it starts again
            room.kill()
            await watcher.until(lambda: watcher.lost == parts)
            room.pull_out(*readers.readers.values())
            readers.plug_in(chance.sample(every, len(every)))
            readers.start()
            await watcher.until(lambda: not watcher.lost)
            # one is pulled, and comes back
            was = watcher.accepted
            await watcher.until(lambda: watcher.accepted >= was + 3)
            room.pull_out(readers.readers[2])
            await watcher.until(lambda: watcher.lost == {"pad 2"})
            readers.plug_in([2])
            await watcher.until(lambda: not watcher.lost)
            was = watcher.accepted
            await watcher.until(lambda: watcher.ended)
            assert watcher.accepted > was
            assert harness.people.disagreements == []

    with asyncio.Runner(loop_factory=lambda: ScaledTimeLoop(SPEED)) as runner:
        runner.run(play())
