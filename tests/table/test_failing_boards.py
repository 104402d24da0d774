"""Seat boards that are unplugged, lose their power or restart, and lines that damage what they carry: no event is lost
and none counts twice."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

import pytest
from taptable.core.notices import CardLying
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartBack, PartLost
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise
from taptable.narration.sentences import sentences_of
from taptable.words import Words

from table.faulty import TOLD_S
from table.rig import Coming, GameNight

RESENT_S = 3.0
"""Within this a board that is heard again has said all it kept."""


async def test_a_board_that_is_unplugged_under_power_loses_no_event(at: GameNight) -> None:
    await at.tap("online#1", 1)
    lost = at.next_lost("board 1", within_s=TOLD_S)
    at.table.stand_in("board").boards[1].pull_out(powered=True)
    await lost
    await at.tap_in_vain("email#1", 1)
    await at.tap_in_vain("virus#1", 1)
    await at.tap("music#1", DISCARD_PAD)
    back = at.next_returned("board 1")
    at.table.stand_in("board").boards[1].plug_in()
    await back
    await asyncio.sleep(RESENT_S)
    assert at.taps() == [
        ("online#1", 1, "Accepted"),
        ("music#1", DISCARD_PAD, "Accepted"),
        ("email#1", 1, "Accepted"),
        ("virus#1", 1, "Refused"),
    ]
    assert at.parts() == ["-board 1", "+board 1"]
    assert at.table.ring_pattern(1) == "your-turn"


async def test_a_board_that_loses_its_power_restarts_and_what_lies_there_is_no_tap(at: GameNight) -> None:
    await at.tap("online#1", 1)
    at.put("email#1", 1)
    await asyncio.sleep(1)
    lost = at.next_lost("board 1")
    at.table.stand_in("board").boards[1].pull_out()
    await lost
    back = at.next_returned("board 1")
    at.table.stand_in("board").boards[1].plug_in()
    await back
    await asyncio.sleep(RESENT_S)
    at.lift("email#1", 1)
    await at.press(1)
    await at.tap("online#2", 2)
    assert at.taps() == [("online#1", 1, "Accepted"), ("email#1", 1, "Accepted"), ("online#2", 2, "Accepted")]
    assert at.all_told(CardLying) == []
    assert at.table.ring_pattern(1) == "idle"


async def test_a_board_that_says_nothing_but_garbage_is_named_in_a_sentence_and_the_other_seats_play_on(
    at: GameNight,
) -> None:
    lost, back = at.next_lost("flood 1", within_s=5.0), at.next_returned("flood 1", within_s=40.0)
    until = asyncio.ensure_future(told_by(lost))
    while not until.done():
        with suppress(BlockingIOError):
            os.write(at.table.stand_in("board").boards[1].line.descriptor, b"#1 tag 04a1b2c3 7*deadbeef\n" * 100)
        await asyncio.sleep(0.01)
    await until
    assert at.parts() == ["-flood 1"]
    await at.tap_in_vain("online#2", 2)
    await back
    await at.tap("online#1", 1)
    words = Words("en")
    assert [sentences_of(each, words) for each in [*at.all_told(PartLost), *at.all_told(PartBack)]] == [
        ["Seat board 1 says nothing but garbage. It is disconnected and tried again every 30 seconds."],
        ["Seat board 1 can be understood again."],
    ]


async def told_by(coming: Coming) -> None:
    await coming


BAD_LINES = {
    "corrupt": CableNoise(corrupted=0.3),
    "cut": CableNoise(cut=0.3),
    "lost": CableNoise(lost=0.3),
    "doubled": CableNoise(doubled=0.5),
    "in another order": CableNoise(late=0.3),
    "among a prompt's print-outs": CableNoise(print_out=0.5),
    "all of it": CableNoise(lost=0.1, cut=0.1, corrupted=0.1, doubled=0.1, late=0.1, print_out=0.1),
}


@pytest.mark.parametrize("harm", BAD_LINES)
async def test_whatever_comes_to_the_lines_every_card_is_tapped_once_and_no_other(at: GameNight, harm: str) -> None:
    for board in at.table.stand_in("board").boards.values():
        board.line.noise = BAD_LINES[harm]
    cards = [f"{kind}#{number}" for number in (1, 2, 3) for kind in ("online", "email", "virus")]
    for card in cards:
        for seat in (1, 2):
            await at.tap_in_vain(card, seat)
    await asyncio.sleep(20)
    for board in at.table.stand_in("board").boards.values():
        board.line.noise = NO_NOISE
    await asyncio.sleep(RESENT_S)
    for seat in (1, 2):
        assert [card for card, pad, _ in at.taps() if pad == seat] == cards
    assert [at.table.ring_pattern(seat) for seat in (1, 2)] == ["your-turn", "idle"]
