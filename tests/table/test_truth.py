"""The journal's account of the pads and buttons, compared with those: what was noticed there, and what may count."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from taptable.core.notices import CardLying
from taptable.core.observations import DISCARD_PAD
from taptable.core.settings import US_PER_S
from taptable.sim.cards import Unselectable

from table.on_controllers import buzz_set, with_buttons_on_controllers
from table.rig import GameNight, a_table, mixed, running_table
from table.truth import Stay, button_mismatches, pad_mismatches, presses, presses_in

LONGEST_LOOK_S = 0.02
"""Longest time of a look at the only pad on SPI, by which its model may be ahead of the table."""


async def test_a_card_that_a_board_finds_lying_when_it_begins_was_noticed(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path)) as at:
        board = at.table.stand_in("board").boards[1]
        board.pull_out()
        at.put("online#1", 1)
        board.plug_in()
        await at.expect(lambda h: isinstance(h, CardLying))
        at.lift("online#1", 1)
        await asyncio.sleep(1)
        assert pad_mismatches(at.table, at.tags, at.entries()) == []


async def test_a_second_tag_that_was_laid_twice_within_the_doubt_is_reported_once(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path)) as at:
        at.put("online#1", 1)
        await at.expect(lambda h: getattr(h, "observation", None) is not None)
        await asyncio.sleep(2)
        for stays_s in (0.6, 8.0):
            at.put("online#1", 2)
            await asyncio.sleep(stays_s)
            at.lift("online#1", 2)
            await asyncio.sleep(1)
        entries = at.entries()
        refused = [entry for entry in entries if (entry.line or {}).get("type") == "card-twice"]
        assert len(refused) == 1
        assert pad_mismatches(at.table, at.tags, entries) == []
        # and where nothing of it was told, that is noticed
        assert len(pad_mismatches(at.table, at.tags, [entry for entry in entries if entry not in refused])) == 2


async def test_looking_at_pads_on_i2c_takes_no_time_at_a_pad_on_spi(tmp_path: Path) -> None:
    async with running_table(mixed(a_table(tmp_path, 4))) as at:
        for seat in (2, 3):  # rounds take longer with cards that can't be read
            at.table.fields[seat].put(Unselectable(bytes.fromhex(f"04adadadadad{seat:02x}"), "bcc"))
        for number in range(8):
            await asyncio.sleep(0.5 + number * 0.007)  # at another time in the round
            put_s = at.loop.time()
            at.put("online#1", DISCARD_PAD)
            came_us, *_ = at.table.fields[DISCARD_PAD].truth[-1]
            assert came_us / 1_000_000 - put_s < LONGEST_LOOK_S
            await asyncio.sleep(0.5)
            at.lift("online#1", DISCARD_PAD)
        assert pad_mismatches(at.table, at.tags, at.entries()) == []


async def test_a_button_that_is_down_is_pressed_once(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        board = at.table.stand_in("board").boards[1]
        for press in (board.press, board.press, board.release, board.press, board.release):
            press()
        await asyncio.sleep(1)
        board.press()
        assert [press.seat for press in presses(at.table)] == [1, 1]


async def test_a_release_of_a_button_that_is_up_is_none(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        board = at.table.stand_in("board").boards[1]
        for press, after_s in ((True, 1.0), (True, 1.0), (False, 5.0), (False, 0.02), (True, 0.1), (False, 1.0)):
            (board.press if press else board.release)()
            await asyncio.sleep(after_s)
        assert [seat for seat, _, _ in heard_at(at)] == [1, 1]
        assert button_mismatches(at.table, at.entries()) == []


@pytest.mark.parametrize(("up_s", "counted"), [(0.03, {1}), (0.049, {1, 2}), (0.051, {1, 2}), (0.07, {2})])
async def test_a_controller_is_asked_too_seldom_to_tell_exactly_which_presses_are_bounces(
    tmp_path: Path, up_s: float, counted: set[int]
) -> None:
    async with running_table(with_buttons_on_controllers(a_table(tmp_path), buzz_set("1-1.3")[:1])) as at:
        heard: set[int] = set()
        allowed: set[int] = set()
        for number in range(8):
            await asyncio.sleep(2.0 + number / 1_000)  # at another time between two reports
            before, began_s = len(heard_at(at)), at.loop.time()
            for _ in range(2):
                at.table.press(1, 0.03)
                await asyncio.sleep(0.03 + up_s)
            heard.add(len(heard_at(at)) - before)
            made = [press for press in presses(at.table) if press.at_s >= began_s]
            allowed |= {len(made), sum(press.is_sure for press in made)}
        assert heard == allowed == counted


def heard_at(at: GameNight) -> list[tuple[int, float, bool]]:
    return list(presses_in(at.entries(), lambda at_us: at_us / US_PER_S))


def test_a_boxed_reader_finds_a_card_one_look_later_if_another_has_just_left():
    stay, longer = Stay("online#1", 1, 10.0, 10.6), Stay("online#1", 1, 10.0, 11.0)
    just_before, long_before = Stay("online#2", 1, 9.0, 9.8), Stay("online#2", 1, 9.0, 9.5)
    elsewhere, beside = Stay("online#2", 2, 9.0, 9.8), Stay("online#2", 1, 9.0, 10.1)
    assert not stay.is_surely_read("pcsc", [just_before, stay])
    assert longer.is_surely_read("pcsc", [just_before, longer])
    assert stay.is_surely_read("pcsc", [long_before, elsewhere, stay])
    assert not longer.is_surely_read("pcsc", [beside, longer])
    # readers on other buses find both at once
    assert stay.is_surely_read("spi", [just_before, beside, stay])
