"""Faults of the reader and in its field, from both sides: what the firmware in the VM says, and what the daemon makes
of it. Each is done at the field or at the chip, below everything that may notice it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.faulty import TOLD_S
from table.rig import ON_PAD_S
from taptable.core.notices import Notice

from firmware.rig import CARD, SEAT, AtBoard, at_vm_board

GONE_S = 0.5
HELD = {"MISO is held down": ("hold", 0), "MISO is held up": ("hold", 255), "the reader is pulled out": ("unplug", 1)}
FREED = {"hold": ("hold", None), "unplug": ("unplug", 0)}


@pytest.mark.parametrize("fault", HELD)
async def test_a_reader_that_doesnt_answer_is_told_within_a_second_and_comes_back(fault: str, here: AtBoard) -> None:
    lost = here.at.lost(f"pad {SEAT}", within_s=TOLD_S)
    here.board.do(*HELD[fault])
    await lost
    said = here.wire.said("health", since_s=here.at.loop.time() - TOLD_S)
    assert said[-1].fields["reader"] == "deaf"
    await here.at.tap_in_vain("online#1", SEAT)
    back = here.at.back(f"pad {SEAT}")
    here.board.do(*FREED[HELD[fault][0]])
    await back
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]
    assert here.at.parts() == [f"-pad {SEAT}", f"+pad {SEAT}"]
    assert here.wire.said("health")[-1].fields["reader"] == "ok"


async def test_a_card_that_is_torn_away_in_an_anticollision_leaves_no_trace_but_a_garbled_look(here: AtBoard) -> None:
    cuts = (1, 7, 8, 9, 20, 31, 32, 39)
    for place, bits in enumerate(cuts):
        uid = here.at.tags[f"email#{place % 3 + 1}"]
        here.board.put(uid)
        here.board.do("tear", uid, bits)
        await asyncio.sleep(GONE_S)
    assert [action.what for action in here.board.actions] == ["put", "lift"] * len(cuts)
    assert here.wire.events() == []
    assert here.at.taps() == []
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]
    await here.until(lambda: here.wire.said("health")[-1].fields["misread"] == len(cuts), within_s=6)


async def test_two_cards_at_once_are_both_told_and_nothing_is_applied(here: AtBoard) -> None:
    tags = [here.at.tags["online#1"], here.at.tags["email#1"]]
    for uid in tags:
        here.board.put(uid)
    await asyncio.sleep(ON_PAD_S)
    assert sorted(here.wire.events()) == sorted([f"tag {uid}" for uid in tags] + [f"tag {uid} again" for uid in tags])
    for uid in tags:
        here.board.lift(uid)
    await asyncio.sleep(GONE_S)
    assert sorted(here.wire.events()[4:]) == sorted(f"gone {uid}" for uid in tags)
    assert {said for _, _, said in here.at.taps()} <= {"Accepted", "Ignored", "Fault", "Refused"}
    assert here.at.state.hands == (7, 7)


async def test_a_neighbours_card_that_is_heard_shifted_is_told_once_and_never_counts(here: AtBoard) -> None:
    for number in (1, 2, 3):
        here.board.do("talk", here.at.tags[f"email#{number}"])
        await asyncio.sleep(GONE_S)
    tags = here.wire.said("tag")
    assert [tag.fields["how"] for tag in tags] == ["", "", ""]
    assert {tag.fields["uid"] for tag in tags}.isdisjoint(here.at.tags.values())
    assert here.board.actions == []
    heard = len(here.at.heard)
    await here.at.tap("online#1", SEAT)
    assert here.at.taps() == [("online#1", SEAT, "Accepted")]
    assert heard == 0, here.at.heard


async def test_in_noise_a_card_that_lies_there_comes_and_goes_once(here: AtBoard) -> None:
    here.board.do("noise", 0.2, 7)
    await here.at.tap("online#1", SEAT)
    here.board.do("noise", 0.45, 7)
    here.at.put("email#1", SEAT)
    await asyncio.sleep(3)
    here.at.lift("email#1", SEAT)
    await asyncio.sleep(1.5)
    here.board.do("noise", 0, 0)
    await asyncio.sleep(GONE_S)
    for card in ("online#1", "email#1"):
        uid = here.at.tags[card]
        told = [event for event in here.wire.events() if uid in event]
        assert told == [f"tag {uid}", f"tag {uid} again", f"gone {uid}"]
    assert here.at.taps() == [("online#1", SEAT, "Accepted"), ("email#1", SEAT, "Accepted")]


async def test_what_lies_there_when_the_board_starts_is_no_tap(tmp_path: Path) -> None:
    async with at_vm_board(tmp_path, lying=(CARD,)) as here:
        assert here.wire.events() == [f"tag {CARD} lying", f"tag {CARD} again"]
        assert [(n.card, n.pad) for n in here.at.told(Notice)] == [(CARD, SEAT)]
        assert here.at.taps() == []
