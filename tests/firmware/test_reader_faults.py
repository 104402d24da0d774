"""Faults of the reader and in its field, from both sides: what the firmware in the VM says, and what the daemon makes
of it. Each is done at the field or at the chip, below everything that may notice it."""

from __future__ import annotations

import asyncio

import pytest
from table.faulty import TOLD_S

from firmware.rig import SEAT, AtBoard

GONE_S = 0.5
HELD = {"MISO is held down": ("hold", 0), "MISO is held up": ("hold", 255), "the reader is pulled out": ("unplug", 1)}
FREED = {"hold": ("hold", None), "unplug": ("unplug", 0)}


@pytest.mark.parametrize("fault", HELD)
async def test_a_reader_that_doesnt_answer_is_reported_within_a_second_and_comes_back(
    fault: str, here: AtBoard
) -> None:
    lost = here.at.next_lost(f"pad {SEAT}", within_s=TOLD_S)
    here.board.do(*HELD[fault])
    await lost
    said = here.wire.messages("health", since_s=here.at.loop.time() - TOLD_S)
    assert said[-1].fields["reader"] == "deaf"
    await here.at.tap_in_vain("online#1", SEAT)
    back = here.at.next_returned(f"pad {SEAT}")
    here.board.do(*FREED[HELD[fault][0]])
    await back
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]
    assert here.at.parts() == [f"-pad {SEAT}", f"+pad {SEAT}"]
    assert here.wire.messages("health")[-1].fields["reader"] == "ok"


async def test_a_neighbours_card_that_is_heard_shifted_is_reported_once_and_never_counts(here: AtBoard) -> None:
    for number in (1, 2, 3):
        here.board.do("talk", here.at.tags[f"email#{number}"])
        await asyncio.sleep(GONE_S)
    tags = here.wire.messages("tag")
    assert [tag.fields["how"] for tag in tags] == ["", "", ""]
    assert {tag.fields["uid"] for tag in tags}.isdisjoint(here.at.tags.values())
    assert here.board.actions == []
    heard = len(here.at.events)
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]
    assert heard == 0, here.at.events
