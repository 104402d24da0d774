"""A whole game at a compact table whose buttons, lamps, sounder and display are the kernel's: virtual players, who slip
as people do, press contacts that bounce. What the journal says afterwards is compared with what really happened. The
kernel passes over waits, so that an evening takes no longer than its work."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from soak.night import is_spelled_out
from table.rig import a_table, journalled, tags_of
from table.truth import unlike_the_contacts, unlike_the_pads
from taptable import __version__
from taptable.config import Config
from taptable.core.announcements import ClaimGiven
from taptable.core.notices import Notice
from taptable.daemon.clock import SteadyLoop
from taptable.daemon.daemon import look_of
from taptable.edges.cues.scene import REFUSAL_US, Scene, picture
from taptable.edges.cues.text import Look
from taptable.history.playback import prove
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.narration.updates import Update
from taptable.referee.session import Judged
from taptable.sim.people import Slips
from taptable.sim.room import Room

from kernel.table import KernelTable

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")]
SEED = 3
BOUND_US = 1000
"""Twice what a stamp of the kernel's may be off, and what comparing clocks took, are less."""
DRAWN_MS = 50


LIVELY = Slips(blunder=0.05, too_short=0.04, together=0.03, forget_stop=0.02, false_alarm=0.4, regret=0.06)
FEW_FILES = {"quota_email": "2", "quota_music": "1", "quota_movie": "1", "quota_game": "0"}
LONGEST_S = 3_000
"""Table time in which a game ends."""
SETTLED_S = 15.0
"""So long after its end nobody takes a game's last move back any more."""
LOOK_EVERY_S = 7.77
"""Between looks at the glass; not in step with anything that changes by time."""


@dataclass
class Witness:
    """What stood on the glass while nothing passing was shown on it. It looks again soon: the display is drawn by a
    thread, and may be a moment late."""

    dress: Look
    looks: int = 0
    wrong_pictures: list[float] = field(default_factory=list)
    _passing_until_us: int = 0

    def on_update(self, update: Update) -> None:
        for event in update.events:
            if isinstance(event, Notice) or is_spelled_out(event.verdict):
                self._passing_until_us = update.session.at_us + REFUSAL_US

    async def look_now_and_then(self, room: Room) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for _ in range(DRAWN_MS):
                if self._is_right(room):
                    break
                await asyncio.sleep(0.001)
            else:
                self.wrong_pictures.append(room.daemon.clock.now_us() / 1_000_000)

    def _is_right(self, room: Room) -> bool:
        session, now_us = room.daemon.controller.session, room.daemon.clock.now_us()
        if session.prompts.consent is not None or now_us <= self._passing_until_us:
            return True
        scene = Scene(__version__, session.table.game.scoreboard(session.table.state))
        expected = picture(scene, now_us, room.table.display.size, self.dress)
        self.looks += 1
        return room.table.picture().tobytes() == expected.tobytes()


async def over(room: Room) -> None:
    """Wait for the end of a game that stays ended: its last move may be taken back too."""
    ended = room.people.over
    await ended.wait()
    while True:
        await asyncio.sleep(SETTLED_S)
        if ended.is_set():
            return
        await ended.wait()


def assert_ended_in_agreement(room: Room, config: Config) -> None:
    """The game that has just ended is the same in the daemon, in the journal, and in the players' hands."""
    table = room.daemon.controller.session.table
    assert table.game.scoreboard(table.state).over
    assert room.people.disagreements == []
    believed = [(zone.place, zone.seats, zone.cards) for zone in table.game.lying(table.state)]
    assert believed == [(zone.place, zone.seats, zone.cards) for zone in room.people.lying()]
    with JournalReader.open(config.table.journal) as journal:
        (game,) = journal.games()
        assert game.outcome is not None
        assert prove(transcript_of(journal, game.id)).table.state == table.state


async def evening(config: Config) -> None:
    table = KernelTable(config, SEED)
    witness = Witness(look_of(config))
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
            assert_ended_in_agreement(room, config)
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
