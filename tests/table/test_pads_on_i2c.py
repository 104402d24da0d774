"""Evenings at a table whose pads are on I2C, behind a switch and beside the display: taps are judged, a part that fails
is named and comes back by itself, and the daemon after one that was killed reads all pads."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from taptable.core.observations import DISCARD_PAD, CardTapped
from taptable.core.verdicts import Accepted, Refused

from table.rig import GameNight, a_table, running_table, with_i2c

SETTLED_S = 1.0


def an_evening(folder: Path, players: int = 2) -> AbstractAsyncContextManager[GameNight]:
    return running_table(with_i2c(a_table(folder, players)))


async def test_cards_are_judged_at_every_pad_and_the_display_shows_it(tmp_path: Path) -> None:
    async with an_evening(tmp_path, 4) as at:
        await asyncio.sleep(SETTLED_S)
        dark = at.table.picture().tobytes()
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        assert isinstance((await at.tap("online#2", 2)).verdict, Refused)
        assert isinstance((await at.tap("email#1", DISCARD_PAD)).verdict, Accepted)
        await asyncio.sleep(SETTLED_S)
        assert at.table.picture().tobytes() != dark
        assert at.parts() == []
        assert at.table.display.illegal == []


async def test_a_tap_is_known_within_a_round_of_all_pads(tmp_path: Path) -> None:
    async with an_evening(tmp_path, 4) as at:
        await asyncio.sleep(SETTLED_S)
        for seat, card in ((1, "online#1"), (3, "online#3"), (4, "online#4")):
            put_s = at.loop.time()
            tapped = await at.tap(card, seat)
            assert isinstance(tapped.observation, CardTapped)
            assert 0.0 <= at.loop_s(tapped.observation.at_us) - put_s < 0.12
            await asyncio.sleep(SETTLED_S)


async def test_a_switch_that_hangs_takes_all_its_pads_away_until_it_answers(tmp_path: Path) -> None:
    async with an_evening(tmp_path) as at:
        await asyncio.sleep(SETTLED_S)
        switch = at.table.stand_in("i2c").switch_of(1)
        switch.hangs = True
        await asyncio.sleep(2)
        assert sorted(at.parts()) == ["-discard pad", "-pad 1", "-pad 2"]
        switch.plug()
        await asyncio.sleep(2)
        assert sorted(at.parts()[3:]) == ["+discard pad", "+pad 1", "+pad 2"]
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


async def test_a_bus_that_hangs_takes_pads_and_the_display_and_gives_them_back(tmp_path: Path) -> None:
    async with an_evening(tmp_path) as at:
        await asyncio.sleep(SETTLED_S)
        at.table.around.i2c.stuck.add(1)
        await asyncio.sleep(30)
        assert sorted(at.parts()) == ["-discard pad", "-oled", "-pad 1", "-pad 2"]
        at.table.around.i2c.stuck.clear()
        await asyncio.sleep(30)
        assert sorted(at.parts()[4:]) == ["+discard pad", "+oled", "+pad 1", "+pad 2"]
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


async def test_a_reader_that_is_unplugged_leaves_the_other_seats_alone(tmp_path: Path) -> None:
    async with an_evening(tmp_path) as at:
        await asyncio.sleep(SETTLED_S)
        at.table.deafen(2)
        await asyncio.sleep(2)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        at.table.deafen(2, deaf=False)
        await asyncio.sleep(2)
        assert at.parts() == ["-pad 2", "+pad 2"]


async def test_a_daemon_that_was_killed_is_followed_by_one_that_reads_all_pads(tmp_path: Path) -> None:
    async with an_evening(tmp_path) as at:
        await asyncio.sleep(SETTLED_S)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        at.table.let_go()
        await at.stop()
        at.table.take_up()
        await at.start()
        await at.press(1)
        await asyncio.sleep(SETTLED_S)
        assert at.parts() == []
        assert isinstance((await at.tap("email#1", 1)).verdict, Accepted)
