"""Faults of our own, and time that passes where nobody plays: readers, boards and deadlines go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from table.rig import a_table, at_table, in_given_time, journalled, tags_of
from table.test_full_disk import no_room
from taptable.core.observations import CardTapped
from taptable.core.sightings import PartFailed, PartReturned
from taptable.daemon.daemon import Daemon
from taptable.narration.standing import Update
from taptable.referee.session import Judged
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.table import SimulatedTable


def given_time() -> GivenTimeLoop:
    """The loop that runs this."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, GivenTimeLoop)
    return loop


def troubles() -> list[str]:
    """What the loop is told of faults, from now on."""
    told: list[str] = []
    given_time().set_exception_handler(lambda _, context: told.append(str(context["exception"])))
    return told


@pytest.mark.parametrize("pad", [1, "discard"])
def test_a_card_that_cant_be_thought_through_silences_no_pad(tmp_path: Path, pad: int | str):
    async def evening() -> None:
        async with at_table(a_table(tmp_path)) as table:
            told = troubles()
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
        table, tags = SimulatedTable(config), tags_of(config)

        def stumble(update: Update) -> None:
            if any(isinstance(h, Judged) and isinstance(h.observation, CardTapped) for h in update.happened):
                raise ValueError("a bug")

        with table.powered() as openers:
            told = troubles()
            daemon = Daemon(config, openers, stumble)
            await daemon.start()
            await asyncio.sleep(1)
            for card in ("online#1", "hacker#1"):
                table.put(tags[card], 1)
                await asyncio.sleep(0.5)
                table.lift(tags[card], 1)
                await asyncio.sleep(0.5)
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
        table, tags = SimulatedTable(config), tags_of(config)
        with table.powered() as openers:
            daemon = Daemon(config, openers)
            await daemon.start()
            await asyncio.sleep(1)
            table.put(tags["hacker#1"], 1)
            await asyncio.sleep(0.1)
            opened = daemon.proceedings.session.table.state.window
            assert opened is not None
            await daemon.stop()
            last_us = journalled(config)[-1].at_us
            daemon = Daemon(config, openers)
            given_time().hold_up(20)
            await daemon.start()
            stands = daemon.proceedings.session.table
            assert (stands.paused_at_us, stands.state.window) == (last_us, opened)
            await daemon.stop()

    in_given_time(evening)


def test_after_its_end_nothing_is_written_lit_or_awaited(tmp_path: Path):
    async def evening() -> None:
        config = a_table(tmp_path)
        table, tags = SimulatedTable(config), tags_of(config)
        with table.powered() as openers:
            told = troubles()
            daemon = Daemon(config, openers)
            await daemon.start()
            await asyncio.sleep(1)
            table.put(tags["hacker#1"], 1)  # a window runs
            await asyncio.sleep(1)
            table.put(tags["online#1"], "discard")  # and a card is being read
            await daemon.stop()
            written = journalled(config)
            daemon.proceedings.report(PartFailed(daemon.clock.now_us(), "oled", "too late"))
            await asyncio.sleep(60)
            assert (told, journalled(config)) == ([], written)
            assert not any(table.lamp(seat) for seat in (1, 2))

    in_given_time(evening)


def test_a_game_that_was_agreed_otherwise_is_left_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    async def evening() -> None:
        for players in (2, 3):
            config = a_table(tmp_path, players)
            with SimulatedTable(config).powered() as openers:
                daemon = Daemon(config, openers)
                await daemon.start()
                assert daemon.proceedings.session.table.agreed.players == players
                await daemon.stop()

    in_given_time(evening)
    assert "game 1 isn't over, but was agreed otherwise than the configuration says" in caplog.text


def test_however_much_waits_for_room_on_the_disk_all_of_it_is_written_down(tmp_path: Path):
    async def evening() -> None:
        async with at_table(a_table(tmp_path)) as table:
            told = troubles()
            await table.tap("online#1", 1)
            await asyncio.sleep(2)
            with no_room(table):
                for number in range(1000):
                    table.daemon.proceedings.report(PartReturned(table.daemon.clock.now_us(), f"lamp {number}"))
                await asyncio.sleep(3)
            await asyncio.sleep(3)
            lines = [entry.line or {} for entry in table.entries()]
            assert [line["part"] for line in lines if "part" in line][-1000:] == [f"lamp {n}" for n in range(1000)]
            assert told == []

    in_given_time(evening)
