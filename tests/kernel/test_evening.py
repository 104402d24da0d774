"""A whole game of ONLINE with patrols whose buttons and lamps are those of a Buzz! set on the kernel's own drivers. The
readers, which this kernel has no simulator for, are on their stand-in; nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from table.on_controllers import buzz_set, with_buttons_on_controllers
from taptable.core.announcements import ClaimGiven
from taptable.core.game_options import GameOptions
from taptable.core.observations import Pad
from taptable.core.part_notices import PartLost
from taptable.daemon.clock import SteadyLoop
from taptable.drivers.input import stand_in as input_stand_in
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.interface import Part
from taptable.drivers.led import stand_in as led_stand_in
from taptable.drivers.led.driver import LedDriver
from taptable.narration.updates import Update
from taptable.referee.session import Decision
from taptable.sim.harness import running_harness
from taptable.sim.people import NO_SLIPS
from taptable.sim.setting_up import set_up
from taptable.sim.stand_in import HardwareStandIn, Surroundings

from kernel.controllers import BUZZ, Controller

pytestmark = [pytest.mark.long, pytest.mark.kernel("time-travel=inf-cpu")]
LONGEST_S = 3 * 3600.0


class KernelButtons(HardwareStandIn):
    """A Buzz! set in a socket of the kernel's, below the driver that a Pi has."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = InputDriver()
        self.controller = Controller(BUZZ, 0)
        self._keys = {part.pad: part.address.name.partition("/")[2] for part in parts}

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep it plugged in within this context."""
        self.controller.plug_in()
        yield

    def press(self, pad: Pad, hold_s: float) -> None:
        """Press a dome, and release it after `hold_s`."""
        self.controller.move(self._keys[pad], down=True)
        self.around.loop.call_later(hold_s, lambda: self.controller.move(self._keys[pad], down=False))


class KernelLamps(HardwareStandIn):
    """Its lamps, as the kernel has them."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = LedDriver()
        self._suffixes = {part.pad: part.address.name.partition("/")[2] for part in parts}

    def is_lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is lit."""
        (lamp,) = Path("/sys/class/leds").glob(f"*::{self._suffixes[seat]}")
        return (lamp / "brightness").read_text(encoding="ascii") != "0\n"


async def test_a_whole_game_of_four_with_patrols(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_stand_in, "STAND_IN", KernelButtons)
    monkeypatch.setattr(led_stand_in, "STAND_IN", KernelLamps)
    config = set_up(
        tmp_path, "online", GameOptions(4, "de", {"teams": "solo", "time_limit_s": "600"}, 1), "en", build="compact"
    )
    config = with_buttons_on_controllers(config, buzz_set("1-1"))
    assert isinstance(asyncio.get_running_loop(), SteadyLoop)
    ended, lost, claims, lit = asyncio.Event(), list[str](), set[int](), set[int]()

    def on_update(update: Update) -> None:
        table = update.session.table
        lost.extend(event.part for event in update.events if isinstance(event, PartLost))
        for event in update.events:
            if isinstance(event, Decision):
                claims.update(each.seat for each in event.verdict.announcements if isinstance(each, ClaimGiven))
        lit.update(seat for seat in range(1, 5) if room_lamps is not None and room_lamps.is_lit(seat))
        if table.game.outcome(table.state) is not None:
            ended.set()

    room_lamps: KernelLamps | None = None
    async with running_harness(config, seed=1, slips=NO_SLIPS, subscriber=on_update) as room:
        room_lamps = room.table.stand_in("led")
        room.people.start_players()
        await asyncio.wait_for(ended.wait(), LONGEST_S)
        assert lost == []
        assert room.people.disagreements == []
        assert lit == {1, 2, 3, 4}
        assert claims  # somebody was first
