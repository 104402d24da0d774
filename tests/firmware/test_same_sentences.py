"""The same actions at a board whose firmware runs in the VM and at a virtual one: both say the same, at about the same
time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from choosing import long_params
from tapshared.sentences import Message, decode
from taptable.drivers.board.board_model import VirtualBoard

from firmware.rig import CARD, OTHER, THIRD, at_vm_board, vm_table
from firmware.vm.board import VmBoard

APART_US = 30_000
ACTIONS = 45
UIDS = (CARD, OTHER, THIRD)


def actions(seed: int) -> list[tuple[float, str, str]]:
    """An order of actions, each with how long it is after the one before: cards for a tap, for long, a few at once, and
    away for a moment; presses of any length. No two so close that either answer would be right."""
    chance = Random(seed)
    lying: set[str] = set()
    down = False
    chosen: list[tuple[float, str, str]] = []
    for _ in range(ACTIONS):
        pause_s = chance.choice((0.05, 0.12, 0.2, 0.6))
        uid = chance.choice(UIDS)
        if chance.random() < 0.4:
            chosen.append((pause_s, "release" if down else "press", ""))
            down = not down
        elif uid in lying:
            chosen.append((pause_s, "lift", uid))
            lying.remove(uid)
        else:
            chosen.append((pause_s, "put", uid))
            lying.add(uid)
    return chosen


def act(board: VmBoard | VirtualBoard, what: str, uid: str) -> None:
    if uid:
        getattr(board, what)(uid)
    else:
        getattr(board, what)()


@pytest.mark.parametrize("seed", long_params([1, 2]))
async def test_the_firmware_and_a_virtual_board_say_the_same_of_the_same_actions(seed: int, tmp_path: Path) -> None:
    async with at_vm_board(tmp_path, config=vm_table(tmp_path, all_on_boards=True)) as here:
        virtual = here.at.table.stand_in("board").boards[2]
        said: list[Message] = []

        def overheard(line: bytes, to_pi: bool) -> None:
            message = decode(line.lstrip(b" "))
            if to_pi and isinstance(message, Message) and message.number not in {each.number for each in said}:
                said.append(message)

        virtual.line.on_line = overheard
        begun_s = here.at.loop.time()
        for pause_s, what, uid in actions(seed):
            await asyncio.sleep(pause_s)
            act(here.board, what, uid)
            act(virtual, what, uid)
        await asyncio.sleep(2)
        ours = here.wire.messages("tag", "gone", "press", "release", since_s=begun_s)
        theirs = [message for message in said if message.number]
        for uid in ("", *UIDS):  # in the order of its own
            of_ours = [message for message in ours if message.fields.get("uid", "") == uid]
            of_theirs = [message for message in theirs if message.fields.get("uid", "") == uid]
            assert [short(message) for message in of_ours] == [short(message) for message in of_theirs]
            assert len(of_ours) > 3
            for our, their in zip(since_first(of_ours), since_first(of_theirs), strict=True):
                assert abs(our - their) <= APART_US


def short(message: Message) -> tuple[str, str]:
    return message.verb, str(message.fields.get("how", ""))


def since_first(messages: list[Message]) -> list[int]:
    """The stamps, from the first on."""
    stamps = [int(message.fields["ticks"]) for message in messages]
    return [(stamp - stamps[0]) % (1 << 30) for stamp in stamps]
