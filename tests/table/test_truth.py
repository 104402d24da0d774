"""The journal's account of the pads, compared with the pads: a card that was found lying was noticed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from taptable.core.notices import CardLying

from table.rig import a_table, running_table
from table.truth import Stay, pad_mismatches, presses


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


async def test_a_button_that_is_down_is_pressed_once(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, pins=False)) as at:
        board = at.table.stand_in("board").boards[1]
        for press in (board.press, board.press, board.release, board.press, board.release):
            press()
        await asyncio.sleep(1)
        board.press()
        assert [press.seat for press in presses(at.table)] == [1, 1]


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
