"""A whole game at a compact table whose buttons, lamps, sounder and display are the kernel's: virtual players, who slip
as people do, press contacts that bounce. What the journal says afterwards is compared with what really happened. The
kernel passes over waits, so that an evening takes no longer than its work."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.rig import a_table, journalled, tags_of
from table.test_evenings import FEW_FILES, LIVELY, LONGEST_S, LOOK_EVERY_S, Witness, assert_ended_in_agreement, over
from table.truth import unlike_the_contacts, unlike_the_pads
from taptable.config import Config
from taptable.core.announcements import ClaimGiven
from taptable.daemon.clock import SteadyLoop
from taptable.daemon.daemon import look_of
from taptable.narration.updates import Update
from taptable.referee.session import Judged
from taptable.sim.room import Room

from kernel.table import KernelTable

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")]
SEED = 2
BOUND_US = 1000
"""Twice what a stamp of the kernel's may be off, and what comparing clocks took, are less."""
DRAWN_MS = 50


class PatientWitness(Witness):
    """One who looks again soon: the display is drawn by a thread, and may be a moment late."""

    async def look_now_and_then(self, room: Room) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for _ in range(DRAWN_MS):
                self.wrong_pictures, before = [], self.wrong_pictures
                self.look(room)
                self.wrong_pictures, wrong = before, self.wrong_pictures
                if not wrong:
                    break
                await asyncio.sleep(0.001)
            else:
                self.wrong_pictures += wrong


async def evening(config: Config) -> None:
    table = KernelTable(config, SEED)
    witness = PatientWitness(look_of(config))
    claims: list[ClaimGiven] = []

    def listen(update: Update) -> None:
        witness.on_update(update)
        said = [a for event in update.events if isinstance(event, Judged) for a in event.verdict.announcements]
        claims.extend(each for each in said if isinstance(each, ClaimGiven))

    with table.powered() as openers:
        room = Room(
            config,
            table,
            openers,
            seed=SEED,
            slips=LIVELY,
            seats=None,
            subscriber=listen,
            extension=None,
            sockets=None,
            outside=asyncio.sleep,
            anew=False,
        )
        await room.begin()
        try:
            looking = asyncio.create_task(witness.look_now_and_then(room))
            room.people.sit_down()
            await asyncio.wait_for(over(room), LONGEST_S)
            looking.cancel()
            assert_ended_in_agreement(room, config, 1)
        finally:
            await room.people.get_up()
            await room.end()
    entries = journalled(config)
    loop_s = room.daemon.clock.loop_time
    assert unlike_the_pads(table, tags_of(config), entries, loop_s=loop_s) == []
    assert unlike_the_contacts(table, entries, loop_s=loop_s) == []
    assert witness.looks > 1
    assert (witness.wrong_pictures, table.display.illegal) == ([], [])
    assert claims
    assert {claim.uncertainty_us for claim in claims} <= set(range(1, BOUND_US))


@pytest.mark.kernel("time-travel=inf-cpu")
def test_a_game_is_played_with_buttons_that_the_kernel_believes_in(tmp_path: Path) -> None:
    config = a_table(tmp_path, 3, "en", starter=None, compact=True, **FEW_FILES)
    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        runner.run(evening(config))
