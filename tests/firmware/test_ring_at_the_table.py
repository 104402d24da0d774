"""The ring and the lamp of the board in the VM, at the table: what they show when something is to be seen."""

from __future__ import annotations

import asyncio

from table.rig import GONE_S

from firmware.rig import SEAT, AtBoard

AT_ONCE_S = 0.03
"""A look, a read, and a frame of the ring."""


async def test_the_ring_shows_the_reading_at_once_and_then_what_the_table_says(here: AtBoard) -> None:
    board = here.board
    before = {pixels for _, pixels in board.frames}
    put_s = here.at.loop.time()
    here.at.put("online#1", SEAT)
    await asyncio.sleep(0.1)
    shown = [at_s for at_s, pixels in board.frames if at_s > put_s and pixels not in before]
    assert shown[0] - put_s <= AT_ONCE_S
    here.at.lift("online#1", SEAT)
    await asyncio.sleep(GONE_S)
    assert here.wire.said("pong")[-1].fields["light"] == here.last_light().number
    assert here.last_light().fields["pattern"] in ("accepted", "your-turn")
    assert board.lamp
