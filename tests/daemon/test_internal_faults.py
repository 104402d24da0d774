"""Faults of our own, and time that passes where nobody plays: readers, boards and deadlines go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.rig import GameNight, a_table, journal_entries, tags_of
from taptable.core.device_events import PartFailed, TagCame
from taptable.core.observations import CardTapped
from taptable.daemon.daemon import Daemon
from taptable.narration.updates import Update
from taptable.referee import taps
from taptable.referee.session import Decision
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.table import SimulatedTable


def given_time() -> GivenTimeLoop:
    """The loop that runs this."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, GivenTimeLoop)
    return loop


def troubles() -> list[str]:
    """The faults that are reported to the loop from now on."""
    told: list[str] = []
    given_time().set_exception_handler(lambda _, context: told.append(str(context["exception"])))
    return told


@pytest.mark.parametrize("pad", [1, "discard"])
async def test_a_card_that_cant_be_thought_through_silences_no_pad(
    pad: int | str, at: GameNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = troubles()
    await asyncio.sleep(1)
    right = taps.handle_tag_came

    def stumble(seen: taps.Taps, device_event: TagCame, now_us: int) -> tuple[taps.Taps, list[taps.TapOutcome]]:
        if device_event.uid == at.tags["email#1"]:
            raise ValueError("a bug")
        return right(seen, device_event, now_us)

    monkeypatch.setattr(taps, "handle_tag_came", stumble)
    await at.tap_in_vain("email#1", pad)
    assert told == ["a bug"]
    assert isinstance(await at.tap("online#1", pad), Decision)


async def test_a_cue_that_cant_be_given_keeps_nobody_from_playing_on(tmp_path: Path):
    config = a_table(tmp_path)
    table, tags = SimulatedTable(config), tags_of(config)

    def stumble(update: Update) -> None:
        if any(isinstance(h, Decision) and isinstance(h.observation, CardTapped) for h in update.events):
            raise ValueError("a bug")

    with table.powered() as drivers:
        told = troubles()
        daemon = Daemon(config, drivers, stumble)
        await daemon.start()
        await asyncio.sleep(1)
        for card in ("online#1", "hacker#1"):
            table.put(tags[card], 1)
            await asyncio.sleep(0.5)
            table.lift(tags[card], 1)
            await asyncio.sleep(0.5)
        state = daemon.controller.session.table.state
        assert (state.teams[0].rows[0], state.window is not None) == (("online#1",), True)
        await asyncio.sleep(6)
        assert daemon.controller.session.table.state.pending is not None  # the window's time has passed
        assert told == ["a bug", "a bug"]
        await daemon.stop()


async def test_the_time_it_takes_to_start_is_none_of_the_games(tmp_path: Path):
    config = a_table(tmp_path)
    table, tags = SimulatedTable(config), tags_of(config)
    with table.powered() as drivers:
        daemon = Daemon(config, drivers)
        await daemon.start()
        await asyncio.sleep(1)
        table.put(tags["hacker#1"], 1)
        await asyncio.sleep(0.1)
        opened = daemon.controller.session.table.state.window
        assert opened is not None
        await daemon.stop()
        last_us = journal_entries(config)[-1].at_us
        daemon = Daemon(config, drivers)
        given_time().stall(20)
        await daemon.start()
        stands = daemon.controller.session.table
        assert (stands.paused_at_us, stands.state.window) == (last_us, opened)
        await daemon.stop()


async def test_after_its_end_nothing_is_written_lit_or_awaited(tmp_path: Path):
    config = a_table(tmp_path)
    table, tags = SimulatedTable(config), tags_of(config)
    with table.powered() as drivers:
        told = troubles()
        daemon = Daemon(config, drivers)
        await daemon.start()
        await asyncio.sleep(1)
        table.put(tags["hacker#1"], 1)  # a window runs
        await asyncio.sleep(1)
        table.put(tags["online#1"], "discard")  # and a card is being read
        await daemon.stop()
        written = journal_entries(config)
        daemon.controller.report(PartFailed(daemon.clock.now_us(), "oled", "too late"))
        await asyncio.sleep(60)
        assert (told, journal_entries(config)) == ([], written)
        assert not any(table.is_lamp_lit(seat) for seat in (1, 2))
