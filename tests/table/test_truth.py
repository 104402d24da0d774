"""What the journal says of the pads, compared with them: a card that was found lying was noticed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from taptable.core.notices import CardLying

from table.rig import a_table, at_table
from table.truth import unlike_the_pads


async def test_a_card_that_a_board_finds_lying_when_it_begins_was_noticed(tmp_path: Path) -> None:
    async with at_table(a_table(tmp_path)) as at:
        board = at.table.boards[1]
        board.pull_out()
        at.put("online#1", 1)
        board.plug_in()
        await at.expect(lambda h: isinstance(h, CardLying))
        at.lift("online#1", 1)
        await asyncio.sleep(1)
        assert unlike_the_pads(at.table, at.tags, at.entries()) == []
