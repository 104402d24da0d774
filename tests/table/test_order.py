"""*Memory* of the table's page: every observation and verdict is in the journal before its cue is given, and before a
board gets its acknowledgement. Recorded below the drivers, in one sequence. The pulse of a pad that has just read a
card is no verdict, and comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from taptable.core.announcements import WindowClosed
from taptable.core.observations import CardHeld
from taptable.referee.session import Decision

from table.hal import Passage, Watched, watched
from table.rig import GameNight, Script, a_table, begin_turn, open_window, run_in_given_time, running_table

CUES = ("light", "oled", "lamp", "tone")
SOON_S = 0.15
"""Within this every lamp with a new pattern has changed."""
Row = tuple[Any, ...]


@dataclass
class Sequence:
    """Everything that passed, with the loop's time."""

    passed: list[tuple[float, Passage]] = field(default_factory=list)

    def add(self, passed: Passage) -> None:
        self.passed.append((asyncio.get_running_loop().time(), passed))

    def commits(self) -> Iterator[tuple[int, list[Row]]]:
        """The time at which each commit was over, and the rows of entries that it brought."""
        rows: list[Row] = []
        for index, (_, each) in enumerate(self.passed):
            match each:
                case Passage("before BEGIN"):
                    rows = []
                case Passage("after INSERT INTO entries", row):
                    rows.append(row)
                case Passage("after COMMIT"):
                    yield index, rows
                case _:
                    pass


async def after_a_buzz(evening: GameNight) -> None:
    await open_window(evening)
    await evening.buzz(2)


async def in_a_claim(evening: GameNight) -> None:
    await after_a_buzz(evening)
    await asyncio.sleep(1)


async def with_a_quota_full(evening: GameNight) -> None:
    """Seat 1 has its quota of e-mail, and is on turn."""
    await evening.tap("online#1", 1)
    for number in range(1, 7):
        await evening.tap(f"email#{number}", 1)
        await evening.press(1)
        await evening.press(2)
    await asyncio.sleep(3)


async def in_a_pause(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.control("pause", 2)
    await asyncio.sleep(3)


async def hold(evening: GameNight, card: str, pad: int) -> None:
    """Put a card down until the table has noticed that it is held."""
    held = evening.expect(lambda h: isinstance(h, Decision) and isinstance(h.observation, CardHeld))
    evening.put(card, pad)
    await held
    evening.lift(card, pad)


async def unplug(evening: GameNight) -> None:
    gone = evening.next_lost("board 2")
    evening.table.stand_in("board").boards[2].pull_out(powered=True)
    await gone


@dataclass(frozen=True)
class Event:
    """Something that happens at the table once it is `ready`: what its commit has in it, the cues it leads to, and
    whether a board's event is acknowledged with it."""

    ready: Script
    action: Script
    written: str
    cues: tuple[str, ...]
    acked: bool = False


EVENTS = {
    "an accepted tap": Event(
        begin_turn, lambda e: e.tap("email#1", 1), '"tap":"email#1"', ("light", "oled", "tone"), acked=True
    ),
    "a refused tap": Event(
        begin_turn, lambda e: e.tap("online#2", 2), '"tap":"online#2"', ("light", "oled", "tone"), acked=True
    ),
    "an ignored tap": Event(
        begin_turn, lambda e: e.tap("online#1", 1), '"tap":"online#1"', ("light", "tone"), acked=True
    ),
    "a tap on the discard pad": Event(begin_turn, lambda e: e.tap("email#1", "discard"), '"tap":"email#1"', ("tone",)),
    "a hold": Event(with_a_quota_full, lambda e: hold(e, "email#1", 1), '"hold":"email#1"', ("light", "oled", "tone")),
    "Stop": Event(begin_turn, lambda e: e.press(1), '"press":1', ("light", "oled", "lamp", "tone")),
    "a press without a meaning": Event(begin_turn, lambda e: e.press(2), '"press":2', ("lamp",)),
    "a window that opens": Event(
        begin_turn, lambda e: e.tap("hacker#1", 1), '"tap":"hacker#1"', ("light", "oled", "lamp", "tone"), acked=True
    ),
    "the first buzz": Event(open_window, lambda e: e.buzz(2), '"press":2', ("light", "tone")),
    "the naming of the first": Event(
        after_a_buzz, lambda _: asyncio.sleep(0.5), '"type":"claim-given"', ("light", "oled", "lamp", "tone")
    ),
    "a patrol in time": Event(
        in_a_claim,
        lambda e: e.tap("cyber-patrol#1", 2),
        '"type":"hacker-stopped"',
        ("light", "oled", "tone"),
        acked=True,
    ),
    "a window that closes": Event(
        open_window, lambda e: e.next_announcement(WindowClosed, 6), '"type":"window-closed"', ("light", "oled", "lamp")
    ),
    "a pause": Event(begin_turn, lambda e: e.control("pause", 2), '"control":"pause"', ("light", "oled", "lamp")),
    "the end of a pause": Event(in_a_pause, lambda e: e.press(2), '"control":"resume"', ("light", "oled", "lamp")),
    "a take-back that is asked for": Event(
        begin_turn, lambda e: e.control("take-back", 1), '"type":"consent-asked"', ("light", "oled", "lamp")
    ),
    "a board that is gone": Event(begin_turn, unplug, '"type":"part-lost"', ("oled", "tone")),
}


@pytest.mark.parametrize("name", EVENTS)
def test_it_is_written_down_before_its_cues_and_its_acknowledgement(name: str, tmp_path: Path) -> None:
    event, sequence = EVENTS[name], Sequence()

    async def evening(below: Watched) -> None:
        async with running_table(a_table(tmp_path), hardware=below) as at:
            await event.ready(at)
            sequence.passed.clear()
            await event.action(at)
            await asyncio.sleep(SOON_S)

    with watched(sequence.add) as below:
        run_in_given_time(lambda: evening(below))
    committed = next(index for index, rows in sequence.commits() if any(event.written in str(row) for row in rows))
    at_s = sequence.passed[committed][0]
    before = [each for s, each in sequence.passed[:committed] if s == at_s and each.what in CUES and not is_pulse(each)]
    assert before == []
    after = [each.what for s, each in sequence.passed[committed:] if s == at_s]
    soon = {each.what for s, each in sequence.passed[committed:] if s < at_s + SOON_S}
    assert soon.issuperset(event.cues)
    assert ("ack" in after) == event.acked
    if event.acked:
        assert not set(after[after.index("ack") :]).intersection(CUES), "the acknowledgement comes last"


def is_pulse(passed: Passage) -> bool:
    """Return whether this is the pulse of a pad that has read a card of any kind."""
    match passed:
        case Passage("light", (_, {"pattern": "reading"})) | Passage("tone", (_, 1760.0)):
            return True
        case _:
            return False
