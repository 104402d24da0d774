"""A tag that lies on two pads is a second one, and is refused; a card that is carried from pad to pad never is, however
late word of it comes."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import long_params
from taptable.core.notices import CardLying, CardTwice
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.part_notices import PartLost
from taptable.drivers.board.port import PENALTY_S
from taptable.drivers.board.usb_model import NO_NOISE

from table.rig import GameNight, a_table, running_table

REFUSED_S = 5.0
"""Within this a second tag is refused."""


@pytest.mark.parametrize("first", [1, DISCARD_PAD])
async def test_a_second_tag_with_the_same_number_is_refused_on_every_other_pad(at: GameNight, first: Pad) -> None:
    await at.tap("online#1", 1)
    at.put("email#1", first)
    await asyncio.sleep(2)
    others = [pad for pad in (1, 2, DISCARD_PAD) if pad != first]
    for other in others:
        at.put("email#1", other)
        await asyncio.sleep(0.5)
        at.lift("email#1", other)
        await asyncio.sleep(REFUSED_S)
    at.lift("email#1", first)
    await asyncio.sleep(1)
    assert at.taps() == [("online#1", 1, "Accepted"), ("email#1", first, "Accepted")]
    refused = [(said.card, said.pad, said.also_at) for said in at.all_told(CardTwice)]
    assert refused == [("email#1", other, first) for other in others]


async def test_a_card_that_is_carried_to_the_next_pad_at_once_is_a_tap_there(at: GameNight) -> None:
    await at.tap("online#1", 1)
    at.put("email#1", 2)
    await asyncio.sleep(0.3)
    at.lift("email#1", 2)
    await asyncio.sleep(0.1)
    at.put("email#1", 1)
    await asyncio.sleep(0.5)
    at.lift("email#1", 1)
    await asyncio.sleep(1)
    assert [(card, pad) for card, pad, _ in at.taps()] == [("online#1", 1), ("email#1", 2), ("email#1", 1)]
    assert at.all_told(CardTwice) == []


async def carry(at: GameNight, pad: Pad, other: Pad) -> None:
    """Take a card that has lain on a pad for a while to another."""
    at.put("email#1", pad)
    await asyncio.sleep(3)
    at.lift("email#1", pad)
    await asyncio.sleep(0.1)
    at.put("email#1", other)


def tapped_at(at: GameNight) -> list[Pad]:
    """The pads at which that card was tapped."""
    return [pad for card, pad, _ in at.taps() if card == "email#1"]


@pytest.mark.parametrize("pins", [True, False])
@pytest.mark.parametrize("pads", [(1, DISCARD_PAD), (DISCARD_PAD, 1), (1, 2)])
@pytest.mark.parametrize("stall_s", long_params([2.0, 0.3, 0.6, 0.9, 1.2, 6.0]))
async def test_a_card_that_is_carried_while_the_host_is_held_up_is_tapped(
    tmp_path: Path, stall_s: float, pads: tuple[Pad, Pad], pins: bool
) -> None:
    async with running_table(a_table(tmp_path, pins=pins)) as at:
        await at.tap("online#1", 1)
        await carry(at, *pads)
        await asyncio.sleep(0.15)
        at.loop.stall(stall_s)
        await asyncio.sleep(0.5)
        at.lift("email#1", pads[1])
        await asyncio.sleep(REFUSED_S)
        assert at.all_told(CardTwice) == []
        assert tapped_at(at) == list(pads)


@pytest.mark.parametrize("for_s", long_params([2.2, 0.8, 1.2, 1.6]))
async def test_a_card_that_is_carried_while_a_line_loses_everything_is_tapped(tmp_path: Path, for_s: float) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        at.put("email#1", 1)
        await asyncio.sleep(3)
        line = at.table.stand_in("board").boards[1].line._to_pi
        calm, line.noise = line.noise, replace(NO_NOISE, lost=1.0)
        at.lift("email#1", 1)
        await asyncio.sleep(0.3)
        at.put("email#1", 2)
        await asyncio.sleep(for_s)
        line.noise = calm
        await asyncio.sleep(0.5)
        at.lift("email#1", 2)
        await asyncio.sleep(REFUSED_S)
        assert at.all_told(CardTwice) == []
        assert tapped_at(at) == [1, 2]


async def test_a_card_whose_pads_board_floods_meanwhile_is_tapped_elsewhere(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        at.put("email#1", 1)
        await asyncio.sleep(3)
        for _ in range(400):
            await asyncio.sleep(0.05)
            with suppress(BlockingIOError, AssertionError, OSError):
                os.write(at.table.stand_in("board").boards[1].line.descriptor, b"\n" * 2000)
            if any("flood" in lost.part for lost in at.all_told(PartLost)):
                break
        at.lift("email#1", 1)
        await asyncio.sleep(PENALTY_S / 6)
        at.put("email#1", 2)
        await asyncio.sleep(0.5)
        at.lift("email#1", 2)
        await asyncio.sleep(REFUSED_S)
        assert [lost.part for lost in at.all_told(PartLost)] == ["flood 1"]
        assert at.all_told(CardTwice) == []
        assert tapped_at(at) == [1, 2]


async def test_a_second_tag_is_refused_where_the_first_pads_board_was_away_meanwhile(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        at.put("email#1", 2)
        await asyncio.sleep(3)
        lost = at.next_lost("board 2")
        at.table.stand_in("board").boards[2].pull_out(powered=True)
        await lost
        back = at.next_returned("board 2")
        at.table.stand_in("board").boards[2].plug_in()
        await back
        at.put("email#1", 1)
        await asyncio.sleep(0.5)
        at.lift("email#1", 1)
        await asyncio.sleep(REFUSED_S)
        assert [(said.pad, said.also_at) for said in at.all_told(CardTwice)] == [(1, 2)]
        assert tapped_at(at) == [2]


async def test_a_tap_whose_pads_board_goes_while_it_waits_for_word_counts(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        await carry(at, 1, 2)
        await asyncio.sleep(0.15)
        at.table.stand_in("board").boards[2].pull_out(powered=True)
        await asyncio.sleep(1)
        at.table.stand_in("board").boards[2].plug_in()
        await asyncio.sleep(REFUSED_S)
        assert at.all_told(CardTwice) == at.all_told(CardLying) == []
        assert tapped_at(at) == [1, 2]


async def test_a_tap_that_waits_for_word_when_the_daemon_stops_counts(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        await carry(at, 1, 2)
        await asyncio.sleep(0.15)
        at.lift("email#1", 2)
        await at.restart()
        assert tapped_at(at) == [1, 2]


@pytest.mark.parametrize("away_s", [0.0, 20.0])
async def test_a_refused_tag_stays_refused_when_the_board_of_the_first_pad_begins_again(
    tmp_path: Path, away_s: float
) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        await at.tap("online#1", 1)
        board = at.table.stand_in("board").boards[1]
        at.put("email#1", 1)
        await asyncio.sleep(3)
        at.put("email#1", 2)
        await asyncio.sleep(REFUSED_S)
        assert [(said.pad, said.also_at) for said in at.all_told(CardTwice)] == [(2, 1)]
        if away_s:
            board.pull_out()
            await asyncio.sleep(away_s)
            board.plug_in()
        else:
            board.reset()
        await asyncio.sleep(REFUSED_S)
        assert tapped_at(at) == [1]
