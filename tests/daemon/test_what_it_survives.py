"""Faults of our own, and time that passes where nobody plays: readers, boards and deadlines go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from table.rig import Evening, a_table, at_table, in_given_time
from taptable.core.observations import CardTapped
from taptable.core.sightings import PartFailed
from taptable.core.verdicts import Accepted
from taptable.daemon.daemon import Daemon
from taptable.referee.session import Happening, Judged, Session


def troubles(evening: Evening) -> list[str]:
    """What the loop is told of faults, from now on."""
    told: list[str] = []
    evening.loop.set_exception_handler(lambda _, context: told.append(str(context["exception"])))
    return told


@pytest.mark.parametrize("pad", [1, "discard"])
def test_a_card_that_cant_be_thought_through_silences_no_pad(tmp_path: Path, pad: int | str):
    async def evening() -> None:
        async with at_table(a_table(tmp_path)) as table:
            told = troubles(table)
            await asyncio.sleep(1)
            resolve, fault = table.daemon.proceedings._resolve, ValueError("a bug")

            def stumble(uid: str) -> str | None:
                if uid == table.tags["email#1"]:
                    raise fault
                return resolve(uid)

            table.daemon.proceedings._resolve = stumble
            await table.tap_in_vain("email#1", pad)
            assert told == ["a bug"]
            assert isinstance(await table.tap("online#1", pad), Judged)

    in_given_time(evening)


def test_a_cue_that_cant_be_given_keeps_nobody_from_playing_on(tmp_path: Path):
    async def evening() -> None:
        config = a_table(tmp_path)
        async with at_table(config) as table:
            told = troubles(table)
            await asyncio.sleep(1)
            await table.stop()

            def stumble(happened: list[Happening], _: Session) -> None:
                if any(isinstance(h, Judged) and isinstance(h.observation, CardTapped) for h in happened):
                    raise ValueError("a bug")

            daemon = Daemon(config, table.openers, stumble)
            await daemon.start()
            await asyncio.sleep(1)
            table.table.press(2)  # ends the pause
            await asyncio.sleep(1)
            for card in ("online#1", "hacker#1"):
                await table.tap_in_vain(card, 1)
            state = daemon.proceedings.session.table.state
            assert (state.teams[0].rows[0], state.window is not None) == (("online#1",), True)
            await asyncio.sleep(6)
            assert daemon.proceedings.session.table.state.pending is not None  # the window's time has passed
            assert told == ["a bug", "a bug"]
            await daemon.stop()

    in_given_time(evening)


def test_the_time_it_takes_to_start_is_none_of_the_games(tmp_path: Path):
    async def evening() -> None:
        config = a_table(tmp_path)
        async with at_table(config) as table:
            await asyncio.sleep(1)
            shown = await table.tap("hacker#1", 1)
            assert isinstance(shown.verdict, Accepted)
            opened: Any = table.state.window
            last_us = table.entries()[-1].at_us
            await table.stop()
            daemon = Daemon(config, table.openers)
            table.loop.hold_up(20)
            await daemon.start()
            table_now = daemon.proceedings.session.table
            assert (table_now.paused_at_us, table_now.state.window) == (last_us, opened)
            await daemon.stop()

    in_given_time(evening)


def test_after_its_end_nothing_is_written_lit_or_awaited(tmp_path: Path):
    async def evening() -> None:
        config = a_table(tmp_path)
        async with at_table(config) as table:
            told = troubles(table)
            await asyncio.sleep(1)
            await table.tap("hacker#1", 1)  # a window runs
            daemon = table.daemon
            table.put("online#1", "discard")  # and a card is being read
            await table.stop()
            written = table.entries()
            daemon.proceedings.report(PartFailed(daemon.clock.now_us(), "oled", "too late"))
            await asyncio.sleep(60)
            assert (told, table.entries()) == ([], written)
            assert not any(table.table.lamp(seat) for seat in (1, 2))

    in_given_time(evening)
