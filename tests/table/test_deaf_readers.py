"""In mid-game a reader answers and receives nothing any more, or something unreadable lies on a pad: the game
continues, on the Pi's own SPI and on seat boards, and people learn what they can do about it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from taptable.core.notices import PadSilent
from taptable.core.observations import DISCARD_PAD
from taptable.sim.field import Disturbance, Exchanged

from table.rig import GameNight, a_table, open_window, running_table

FIVE_MINUTES_S = 300.0
TAP_EVERY_S = 30.0
MET_S = 5.0


async def tapped_until_heard(at: GameNight, card: str, seat: int) -> float:
    """Tap a card every half minute until that is heard; gives how long it took."""
    began_s = at.loop.time()
    while not at.taps() and at.loop.time() < began_s + FIVE_MINUTES_S:
        await at.tap_in_vain(card, seat)
        await asyncio.sleep(TAP_EVERY_S)
    return at.loop.time() - began_s


class Dead(Disturbance):
    """A reader whose receiver hears nothing despite every reset of the chip, whose registers read well."""

    def on_answer(self, exchanged: Exchanged) -> None:
        exchanged.burst = None


@pytest.mark.long
async def test_a_reader_that_no_reset_heals_is_asked_about_once_within_five_minutes(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, build="compact")) as at:
        await asyncio.sleep(MET_S)
        at.table.fields[1].disturbances.append(Dead())
        await tapped_until_heard(at, "online#1", 1)
        (told,) = at.all_told(PadSilent)
        assert told == PadSilent(told.at_us, 1)
        await asyncio.sleep(FIVE_MINUTES_S)
        assert at.all_told(PadSilent) == [told]
        await at.tap("online#1", DISCARD_PAD)
        await asyncio.sleep(FIVE_MINUTES_S)
        assert [each.pad for each in at.all_told(PadSilent)] == [1, 1]


async def test_nobody_is_asked_about_a_pad_where_no_turn_is_played(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, build="compact", starter=None)) as at:
        await asyncio.sleep(2 * FIVE_MINUTES_S)
        await at.press(1)
        await at.control("pause", DISCARD_PAD)
        await asyncio.sleep(2 * FIVE_MINUTES_S)
        assert at.all_told(PadSilent) == []


async def test_while_a_window_is_open_the_table_isnt_quiet(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, 4, build="compact", teams="solo", time_limit_s="1000")) as at:
        assert at.daemon._is_quiet()
        await open_window(at)
        assert not at.daemon._is_quiet()
        await at.control("pause", DISCARD_PAD)
        assert at.daemon._is_quiet()
