"""A while of table time with the firmware in the VM and the real daemon, virtual players at all seats: what the
journal says of the board is what happened at its field and its contact, and its memory doesn't fall."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from choosing import long_params
from table.rig import tags_of
from table.truth import pad_mismatches
from tapshared.ticks import PERIOD
from taptable.sim.people import Slips

from firmware.rig import AtBoard, at_vm_board, vm_table
from firmware.vm.board import Clock

MINUTE_S = 60
LIVELY = Slips(blunder=0.05, too_short=0.04, two_cards=0.03, forget_stop=0.02, false_alarm=0.4, regret=0.06)
SETTLED_S = 15.0
LATE_US = 150
PIXELS = 8
NOTHING_BYTES = 256
"""Two of MicroPython's smallest pieces of memory a minute, where a look may use hundreds, and there are 7,500."""


@pytest.mark.parametrize("minutes", long_params([1, 20]))
async def test_nothing_is_lost_doubled_or_invented_and_memory_is_steady(minutes: int, tmp_path: Path) -> None:
    config = vm_table(tmp_path, 2, starter=None)
    free: list[int] = []
    async with at_vm_board(tmp_path, config=config, clock=Clock(PERIOD - 600_000_000, 73), pixels=PIXELS) as here:
        people = here.at.seat_players(3, LIVELY)
        people.start_players()
        for _ in range(minutes):
            await asyncio.sleep(MINUTE_S)
            if people.game_over.is_set():
                await people.use_control(1, "new-game")
            free.append(here.board.weigh().free)
        await people.stop_players()
        await asyncio.sleep(SETTLED_S)
        assert pad_mismatches(here.at.table, tags_of(config), here.at.entries()) == []
        assert_told_what_events(here, minutes)
    # at one moment more is under way than at another, at no moment more than at any before: to be seen in many minutes
    assert minutes < 20 or max(free[-5:]) > max(free[1:6]) - NOTHING_BYTES, free
    assert here.board.ends == []
    assert here.wire.messages("health")[-1].fields["lost"] == 0
    assert here.at.parts() == []
    assert here.wire.messages("hello")[0].fields["pixels"] == PIXELS


def assert_told_what_events(here: AtBoard, minutes: int) -> None:
    """Every press once, at its time by the board's own clock; each card that lay there for long enough came, was read
    again and went, once; and nothing else."""
    actions, events = here.board.actions, here.wire.messages("tag", "gone", "press", "release")
    assert [m.number for m in events] == list(range(events[0].number, events[0].number + len(events)))
    presses = [action.at_s for action in actions if action.kind == "press"]
    stamps = [int(m.fields["ticks"]) for m in events if m.verb == "press"]
    assert len(stamps) == len(presses) > minutes // 2
    for at_s, ticks in zip(presses, stamps, strict=True):
        passed_us = at_s * 1_000_000
        late_us = (ticks - (PERIOD - 600_000_000) - passed_us - passed_us * 73 / 1_000_000 + PERIOD / 2) % PERIOD
        assert -5 <= late_us - PERIOD / 2 <= LATE_US
    put = Counter(action.uid for action in actions if action.kind == "put")
    gone = Counter(str(m.fields["uid"]) for m in events if m.verb == "gone")
    came = Counter(str(m.fields["uid"]) for m in events if m.verb == "tag" and m.fields["how"] == "")
    assert came == gone
    assert came.total() > minutes
    assert came <= put
