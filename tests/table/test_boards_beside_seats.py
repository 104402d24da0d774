"""Seat boards at the discard pad and at a pad of a game's own, at a table that has nothing on the Pi's SPI or pins:
they are read, missed and answered like those of seats."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import Factory
from taptable.core.check_notices import CheckElsewhere, CheckTeam, CheckTicked
from taptable.core.errors import DeviceError
from taptable.core.game_options import GameOptions
from taptable.core.notices import SeatUnused
from taptable.core.observations import DISCARD_PAD
from taptable.core.verdicts import Accepted, Ignored, Refused
from taptable.drivers.gpio.driver import GpioDriver
from taptable.drivers.rc522_reader import PadReader
from taptable.drivers.spi.driver import SpiDriver
from taptable.drivers.spi.pads import SpiPad
from taptable.sim.setting_up import set_up
from taptable.words import LANGUAGES, Words

from table.faulty import an_evening
from table.rig import GameNight, a_table, running_table, without_pins

RESENT_S = 3.0
"""Within this a board that is heard again has said all it kept."""
STEP_S = 0.005


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[GameNight]:
    async with an_evening(tmp_path, pins=False) as evening:
        yield evening


async def refuse_the_pi(at: GameNight) -> None:
    """Nothing of the Pi's own may be opened."""

    def factory() -> Factory:
        raise DeviceError("there are no pins")

    def reader(place: SpiPad) -> PadReader:
        raise DeviceError(f"there is no {place.part}")

    kinds = {**at.drivers.kinds, "gpio": GpioDriver(factory), "spi": SpiDriver(reader)}
    at.drivers = replace(at.drivers, kinds=kinds)


async def test_nothing_of_the_pi_s_own_is_opened_or_waited_for(tmp_path: Path) -> None:
    async with an_evening(tmp_path, pins=False, before=refuse_the_pi) as at:
        await asyncio.sleep(1)
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)
        assert isinstance((await at.tap("email#1", DISCARD_PAD)).verdict, Accepted)
        await at.press(1)
        await at.tap("online#2", 2)
        assert at.parts() == []
        assert "the readers" not in at.daemon.devices.progress_counters
        assert [at.table.is_lamp_lit(seat) for seat in (1, 2)] == [False, True]


async def rings_shown(at: GameNight, pad: str, span_s: float) -> list[str]:
    """The patterns of a ring, in order."""
    shown = [at.table.ring_pattern(pad)]
    for _ in range(round(span_s / STEP_S)):
        await asyncio.sleep(STEP_S)
        if at.table.ring_pattern(pad) != shown[-1]:
            shown.append(at.table.ring_pattern(pad))
    return shown


async def test_the_ring_shows_what_becomes_of_a_card(at: GameNight) -> None:
    await at.tap("online#1", 1)
    await asyncio.sleep(1)
    for card, verdict in (("music#1", "accepted"), ("music#1", "ignored")):
        at.put(card, DISCARD_PAD)
        shown = await rings_shown(at, DISCARD_PAD, 1.0)
        at.lift(card, DISCARD_PAD)
        assert [pattern for pattern in shown if pattern != "reading"][:2] == ["idle", verdict]
        await asyncio.sleep(2)
    assert at.table.ring_pattern(DISCARD_PAD) == "idle"
    assert at.table.ring_pattern(1) == "your-turn"
    await at.control("pause", DISCARD_PAD)
    await asyncio.sleep(2)
    assert at.table.ring_pattern(DISCARD_PAD) == "paused"


async def test_a_button_there_is_nobodys_and_is_answered(at: GameNight) -> None:
    await at.tap("online#1", 1)
    before = at.state
    at.table.press(DISCARD_PAD)
    said = await at.expect(lambda h: isinstance(h, SeatUnused))
    assert said == SeatUnused(said.at_us, DISCARD_PAD)
    await asyncio.sleep(0.1)
    assert at.table.ring_pattern(DISCARD_PAD) == "refused"
    await asyncio.sleep(1)
    assert at.all_told(SeatUnused) == [said]
    assert at.state == before
    assert len(at.table.stand_in("board").boards[DISCARD_PAD]._conversation.outbox.pending) == 0


def test_the_sentences_about_these_boards_exist_in_every_language() -> None:
    for language in LANGUAGES:
        words = Words(language)
        names = {words.part(f"{pad} {kind}") for pad in ("discard", "demand") for kind in ("board", "firmware", "pad")}
        assert len(names) == 6
        assert not names & {f"{pad} {kind}" for pad in ("discard", "demand") for kind in ("firmware",)}
        said = [words.notice(SeatUnused(0, pad)) for pad in (1, DISCARD_PAD, "demand")]
        assert len(set(said)) == 3


async def test_a_check_of_the_table_is_asked_for_there_and_given_what_lies_elsewhere(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await asyncio.sleep(1)
        await at.tap("online#1", 1)
        await at.tap("email#1", 1)
        checking = at.expect(lambda h: isinstance(h, CheckTeam))
        await at.control("check", DISCARD_PAD)
        asked = await checking
        assert isinstance(asked, CheckTeam)
        elsewhere = at.expect(lambda h: isinstance(h, CheckElsewhere))
        at.put("online#1", DISCARD_PAD)
        await elsewhere
        await asyncio.sleep(1)
        at.lift("online#1", DISCARD_PAD)
        await asyncio.sleep(1)
        for card in asked.cards:
            await at.tap_in_vain(card, asked.seats[0])
        assert [ticked.left for ticked in at.all_told(CheckTicked)] == [1, 0]


# unplugged, deaf, restarted


# each event once


# a pad of a game's own


async def test_a_demand_board_that_is_gone_is_named_and_the_discard_pad_takes_its_place(tmp_path: Path) -> None:
    config = without_pins(set_up(tmp_path, "xnet", GameOptions(3, "standard", {}, 1), "en"))
    async with running_table(config) as at:
        await asyncio.sleep(1)
        assert isinstance((await at.tap("music-7#1", "demand")).verdict, Accepted)
        lost = at.next_lost("demand board")
        at.table.stand_in("board").boards["demand"].pull_out()
        await lost
        assert isinstance((await at.tap("art-1#1", DISCARD_PAD)).verdict, Accepted)
        back = at.next_returned("demand board")
        at.table.stand_in("board").boards["demand"].plug_in()
        await back
        await asyncio.sleep(RESENT_S)
        assert isinstance((await at.tap("art-2#1", "demand")).verdict, Refused)
        assert isinstance((await at.tap("news-2#1", "demand")).verdict, Accepted)
        assert isinstance((await at.tap("news-2#1", "demand")).verdict, Ignored)


async def test_a_game_without_that_pad_has_its_ring_dark_and_no_use_for_a_card(tmp_path: Path) -> None:
    config = a_table(tmp_path)
    text = config.file.read_text(encoding="utf-8")
    config.file.write_text(f'{text}[pads.demand]\npad = "spi:0.1"\nreset = "gpio:25"\n', encoding="utf-8")
    async with running_table(without_pins(config)) as at:
        await asyncio.sleep(1)
        at.put("online#1", "demand")
        said = await at.expect(lambda h: isinstance(h, SeatUnused))
        assert said == SeatUnused(said.at_us, "demand")
        await asyncio.sleep(2)
        assert (at.table.ring_pattern("demand"), at.table.ring_pattern(DISCARD_PAD)) == ("off", "idle")
