"""In the middle of a game a reader answers and hears nothing any more, or something lies on a pad that can't be read:
the game goes on, on the Pi's own SPI and on seat boards, and people are told what they can do something about."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from taptable.core.notices import CardUnreadable, Notice, PadSilent, PartLost
from taptable.core.observations import DISCARD_PAD
from taptable.edges.reader_health import ReaderHealth
from taptable.sim.cards import Unselectable
from taptable.sim.field import Disturbance, Exchanged, Latched

from table.rig import GameNight, a_table, at_table, in_a_window

FIVE_MINUTES_S = 300.0
TAP_EVERY_S = 30.0
MET_S = 5.0
HOURS_S = 36_000.0
RESET_S = 110.0
"""From one reset that nothing but time asks for to the next: twelve checks, the first of them at once."""


async def tapped_until_heard(at: GameNight, card: str, seat: int) -> float:
    """Tap a card every half minute until that is heard; gives how long it took."""
    began_s = at.loop.time()
    while not at.taps() and at.loop.time() < began_s + FIVE_MINUTES_S:
        await at.tap_in_vain(card, seat)
        await asyncio.sleep(TAP_EVERY_S)
    return at.loop.time() - began_s


@pytest.mark.parametrize("compact", [True, False], ids=["on the Pi", "on boards"])
async def test_a_receiver_that_hangs_hears_again_within_five_minutes(tmp_path: Path, compact: bool) -> None:
    async with at_table(a_table(tmp_path, compact=compact)) as at:
        await asyncio.sleep(MET_S)
        if compact:
            at.table.fields[1].disturbances.append(Latched())
        else:
            at.table.boards[1].latch()
        assert await tapped_until_heard(at, "online#1", 1) < FIVE_MINUTES_S
        assert [(card, pad) for card, pad, _ in at.taps()] == [("online#1", 1)]
        assert at.daemon.devices.reader_health[1].set_ups >= 1
        assert at.told(PartLost) == []


class Dead(Disturbance):
    """Its receiver hears nothing, whatever is done to the chip, whose registers read well."""

    def after(self, exchanged: Exchanged) -> None:
        exchanged.burst = None


async def test_a_reader_that_no_reset_heals_is_asked_about_once_within_five_minutes(tmp_path: Path) -> None:
    async with at_table(a_table(tmp_path, compact=True)) as at:
        await asyncio.sleep(MET_S)
        at.table.fields[1].disturbances.append(Dead())
        await tapped_until_heard(at, "online#1", 1)
        (told,) = at.told(PadSilent)
        assert told == PadSilent(told.at_us, 1)
        await asyncio.sleep(FIVE_MINUTES_S)
        assert at.told(PadSilent) == [told]
        await at.tap("online#1", DISCARD_PAD)
        await asyncio.sleep(FIVE_MINUTES_S)
        assert [each.pad for each in at.told(PadSilent)] == [1, 1]


async def test_nobody_is_asked_about_a_pad_where_no_turn_is_played(tmp_path: Path) -> None:
    async with at_table(a_table(tmp_path, compact=True, starter=None)) as at:
        await asyncio.sleep(2 * FIVE_MINUTES_S)
        await at.press(1)
        await at.control("pause", DISCARD_PAD)
        await asyncio.sleep(2 * FIVE_MINUTES_S)
        assert at.told(PadSilent) == []


@pytest.mark.long
@pytest.mark.parametrize("compact", [True, False], ids=["on the Pi", "on boards"])
async def test_in_ten_quiet_hours_nothing_is_said_and_only_set_ups_are_counted(tmp_path: Path, compact: bool) -> None:
    async with at_table(a_table(tmp_path, compact=compact)) as at:
        await asyncio.sleep(MET_S)
        await at.control("pause", DISCARD_PAD)
        told = len(at.told(Notice))
        await asyncio.sleep(HOURS_S)
        assert at.told(Notice)[told:] == []
        for health in at.daemon.devices.reader_health.values():
            assert 0 < health.set_ups <= HOURS_S / RESET_S
            assert health == ReaderHealth(set_ups=health.set_ups)


async def test_while_a_window_is_open_the_table_isnt_quiet(tmp_path: Path) -> None:
    async with at_table(a_table(tmp_path, 4, compact=True, teams="solo", time_limit_s="1000")) as at:
        assert at.daemon._is_quiet()
        await in_a_window(at)
        assert not at.daemon._is_quiet()
        await at.control("pause", DISCARD_PAD)
        assert at.daemon._is_quiet()


@pytest.mark.parametrize("compact", [True, False], ids=["on the Pi", "on boards"])
async def test_what_cant_be_read_is_said_once_and_a_good_card_beside_it_counts(tmp_path: Path, compact: bool) -> None:
    async with at_table(a_table(tmp_path, compact=compact)) as at:
        await asyncio.sleep(MET_S)
        said = at.expect(lambda h: isinstance(h, CardUnreadable))
        if compact:
            at.table.fields[1].put(Unselectable(Random(1).randbytes(7), "crc"))
        else:
            at.table.boards[1].lay_unselectable()
        told = await said
        assert told == CardUnreadable(told.at_us, 1)
        await asyncio.sleep(30)
        await at.tap("online#1", 1)
        assert at.taps() == [("online#1", 1, "Accepted")]
        assert len(at.told(CardUnreadable)) == 1
        assert at.daemon.devices.reader_health[1].unread == 1
