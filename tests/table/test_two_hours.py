"""Hours at the virtual boards, on lines that are none too good, with boards that begin anew now and then: no card
and no press is lost, doubled or invented. Their clocks wrap meanwhile, in two hours seven times."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from choosing import mostly_long
from tapshared.lines import Lines
from tapshared.verbs import BOARD
from taptable.sim.boards import VirtualBoard
from taptable.sim.usb import Noise

from table.rig import GONE_S, ON_PAD_S, GameNight, a_table, at_table, in_given_time, with_buttons_on_boards
from table.truth import unlike_the_pads

A_BIT_OF_ALL = Noise(lost=0.02, cut=0.02, corrupted=0.02, doubled=0.02, late=0.02, print_out=0.02)
SEATS = (1, 2)
RESENT_S = 10.0
"""By then a board has been heard again and has said all that it kept, on such lines."""


async def action(at: GameNight, board: VirtualBoard, seat: int, chance: Random) -> None:
    """One of the things that people do at a seat."""
    card = chance.choice(["online#1", "email#1", "virus#2", "music#3"])
    match chance.choice(["tap", "tap", "hold", "two", "press", "press", "reset"]):
        case "tap":
            await at.tap_in_vain(card, seat)
        case "hold":
            at.put(card, seat)
            await asyncio.sleep(2)
            at.lift(card, seat)
        case "two":
            at.put(card, seat)
            at.put("online#2", seat)
            await asyncio.sleep(ON_PAD_S)
            at.lift(card, seat)
            at.lift("online#2", seat)
        case "press":
            board.press()
            await asyncio.sleep(chance.uniform(0.05, 1))
            board.release()
        case _:
            await asyncio.sleep(RESENT_S)
            board.reset()
            await asyncio.sleep(RESENT_S)
    await asyncio.sleep(GONE_S)


@pytest.mark.parametrize(("minutes", "presses", "cards"), mostly_long([(20, 0, 5), (120, 20, 40)]))
def test_on_bad_lines_nothing_is_lost_doubled_or_invented(
    minutes: int, presses: int, cards: int, tmp_path: Path
) -> None:
    config = with_buttons_on_boards(a_table(tmp_path))
    chance = Random(4)

    async def evening() -> None:
        async with at_table(config, seed=4) as at:
            said = {seat: dict[int, str]() for seat in SEATS}
            for seat in SEATS:
                board = at.table.boards[seat]
                board.line.noise = A_BIT_OF_ALL
                board.line.overheard = lambda line, to_pi, seat=seat: listen(said[seat], line, to_pi)
            await asyncio.sleep(RESENT_S)
            while at.loop.time() < minutes * 60:
                seat = chance.choice(SEATS)
                await action(at, at.table.boards[seat], seat, chance)
                await asyncio.sleep(chance.uniform(1, 60))
            await asyncio.sleep(RESENT_S)
            assert unlike_the_pads(at.table, at.tags, at.entries()) == []
            for seat in SEATS:
                done = Counter(each.what for each in at.table.boards[seat].actions)
                told = Counter(said[seat].values())
                assert told["press"] == told["release"] == done["press"] > presses
                assert told["tag"] == told["gone"] == done["put"] > cards

    in_given_time(evening)


def listen(said: dict[int, str], line: bytes, to_pi: bool) -> None:
    """Keep the verb of each event by its number, of lines as the daemon reads them; a tag's second read and one that
    lay there are none."""
    for message in Lines(BOARD).feed(line + b"\n") if to_pi else ():
        if message.number and not message.fields.get("how"):
            said[message.number] = message.verb
