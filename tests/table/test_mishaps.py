"""Whole games in which something happens to the table every few seconds: whatever it is, the game is played to its end,
and the end is the one that lies on the table."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from choosing import mostly_long
from taptable.core.observations import Pad
from taptable.history.playback import prove
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.sim.people import Slips
from taptable.sim.setting_up import BUTTON_PINS, COMPACT_BUTTON_PINS
from taptable.sim.usb import CALM, Noise

from table.rig import GameNight, a_table, at_table, in_given_time, tags_of
from table.truth import unlike_the_pads

LONGEST_S = 4_000
QUIET_S = (4.0, 16.0)
"""Between two mishaps."""
KINDS_SEEN = {False: 8, True: 5}
"""So many kinds of mishap come to a full table, or to a compact one, in each of these games."""
CAREFUL = Slips(blunder=0)
"""A card on a wrong pad, told late by a board that was away, may be another player's action by then."""
SETTLED_S = 20.0
"""After so long without a mishap everything has been told."""
BEGUN_S = 1.5
"""So long after a mishap a reader looks again, and has found what lies there."""
BAD_LINE = Noise(lost=0.04, cut=0.04, corrupted=0.04, doubled=0.04, late=0.04, print_out=0.04)


@dataclass
class Mishaps:
    """What happens to a table. `blind` says which readers couldn't see, and when."""

    at: GameNight
    random: Random
    seen: Counter[str] = field(default_factory=Counter[str])
    blind: dict[Pad, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    async def go_on(self) -> None:
        """One mishap after the other."""
        kinds: list[Callable[[], Awaitable[list[Pad]]]] = [
            self.restart,
            self.hold_up,
            self.display,
            self.button,
            self.reader,
        ]
        if self.at.table.boards:
            kinds += [self.unplug, self.lose_power, self.begin_anew, self.deafen, self.noise]
        while True:
            await asyncio.sleep(self.random.uniform(*QUIET_S))
            mishap = self.random.choice(kinds)
            began_s = self.at.loop.time()
            blinded = await mishap()
            self.seen[mishap.__name__] += 1
            for pad in blinded:
                self.blind[pad].append((began_s, self.at.loop.time() + BEGUN_S))

    async def restart(self) -> list[Pad]:
        await self.at.restart()
        return list(self.at.table.fields)

    async def hold_up(self) -> list[Pad]:
        self.at.loop.hold_up(self.random.uniform(0.02, 0.8))
        return []

    async def display(self) -> list[Pad]:
        self.at.table.display.unplug(self.random.randrange(40))
        await self._a_while()
        self.at.table.display.plug()
        return []

    async def button(self) -> list[Pad]:
        pin = self.random.choice(BUTTON_PINS if self.at.table.boards else COMPACT_BUTTON_PINS)
        self.at.table.pins.stick(pin)
        await asyncio.sleep(12)
        self.at.table.pins.free(pin)
        return []

    async def reader(self) -> list[Pad]:
        part = self.random.choice(list(self.at.table.wiring.chips))
        chip = self.at.table.wiring.chips[part]
        match self.random.randrange(3):
            case 0:
                chip.alive = False
            case 1:
                chip.held = self.random.choice([0x00, 0x92, 0xFF])
            case _:
                self.at.table.wiring.missing.add(part)
        await self._a_while()
        chip.alive, chip.held = True, None
        self.at.table.wiring.missing.clear()
        return [pad for pad, field_ in self.at.table.fields.items() if field_ is chip.field]

    async def unplug(self) -> list[Pad]:
        board = self.at.table.boards[self._seat()]
        board.pull_out(powered=True)
        await self._a_while()
        board.plug_in()
        return []

    async def lose_power(self) -> list[Pad]:
        seat = self._seat()
        self.at.table.boards[seat].pull_out()
        await self._a_while()
        self.at.table.boards[seat].plug_in()
        return [seat]

    async def begin_anew(self) -> list[Pad]:
        seat = self._seat()
        self.at.table.boards[seat].reset()
        return [seat]

    async def deafen(self) -> list[Pad]:
        seat = self._seat()
        self.at.table.boards[seat].deafen()
        await self._a_while()
        self.at.table.boards[seat].deafen(deaf=False)
        return [seat]

    async def noise(self) -> list[Pad]:
        for board in self.at.table.boards.values():
            board.line.noise = BAD_LINE
        await self._a_while()
        for board in self.at.table.boards.values():
            board.line.noise = CALM
        return []

    def _seat(self) -> int:
        return self.random.choice(list(self.at.table.boards))

    async def _a_while(self) -> None:
        await asyncio.sleep(self.random.uniform(0.3, 9.0))


@pytest.mark.parametrize(("players", "compact", "seed"), mostly_long([(4, False, 2), (2, False, 1), (3, True, 3)]))
def test_the_game_is_played_to_its_end_and_agrees_with_the_truth(
    players: int, compact: bool, seed: int, tmp_path: Path
) -> None:
    config = a_table(tmp_path, players, starter=None, compact=compact)

    async def evening() -> None:
        async with at_table(config, seed=seed) as at:
            people = at.seat_players(seed, CAREFUL)
            mishaps = Mishaps(at, Random(seed))
            people.sit_down()
            event = asyncio.create_task(mishaps.go_on())
            await asyncio.wait_for(people.over.wait(), LONGEST_S)
            event.cancel()
            await people.get_up()
            await asyncio.sleep(SETTLED_S)
            assert len(mishaps.seen) >= KINDS_SEEN[compact]
            assert people.disagreements == []
            with JournalReader.open(config.table.journal) as journal:
                proof = prove(transcript_of(journal, 1))
            assert proof.table.state == at.state
            wrong = unlike_the_pads(
                at.table, tags_of(config), at.entries(), late_s=30, blind=mishaps.blind, loop_s=at.loop_s
            )
            assert wrong == []

    in_given_time(evening)
