"""Any part may vanish in the middle of a game, or be missing at its start: the table says which, the rest plays on, and
the part is taken back when it returns. No event is lost and none counts twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import Factory
from taptable import __version__
from taptable.core.errors import DeviceError
from taptable.core.notices import CardLying
from taptable.core.observations import DISCARD_PAD, ButtonPressed
from taptable.core.part_notices import ButtonFreed, ButtonStuck
from taptable.cues.scene import Scene, render
from taptable.daemon.daemon import screen_style_of
from taptable.drivers.gpio.driver import GpioDriver
from taptable.referee.session import Decision
from taptable.sim.setting_up import PART_ADDRESSES

from table.faulty import TOLD_S, an_evening
from table.rig import GameNight

BUTTON_PINS = [int(place.partition(":")[2]) for place in PART_ADDRESSES["full"]["buttons"]]

PINS_TRIED_S = 11.0
"""Within this pins that couldn't be had are tried again."""
A_READER = "spi:0.0"


def is_shown(evening: GameNight) -> bool:
    """Return whether the display shows the present state of the game, and nothing else."""
    now_us = evening.daemon.clock.now_us()
    scene = Scene(__version__, evening.referee_table.game.scoreboard(evening.state))
    expected = render(scene, now_us, evening.table.display.size, screen_style_of(evening.config))
    return evening.table.picture().tobytes() == expected.tobytes()


class Pins:
    """A way to the pins that isn't there until it is `there`."""

    def __init__(self) -> None:
        self.there = False

    async def hide(self, evening: GameNight) -> None:
        find = evening.drivers["gpio"].open_factory

        def factory() -> Factory:
            if not self.there:
                raise DeviceError("gpiozero can't use the pins")
            return find()

        kinds = {**evening.drivers.kinds, "gpio": GpioDriver(factory)}
        evening.drivers = replace(evening.drivers, kinds=kinds)


# readers


async def test_a_pad_whose_reader_is_deaf_is_distinguished_from_a_board_that_is_gone(at: GameNight) -> None:
    lost = at.next_lost("pad 2", within_s=TOLD_S)
    at.table.stand_in("board").boards[2].deafen()
    await lost
    assert at.table.ring_pattern(2) == "deaf"
    await at.tap("online#1", 1)
    back = at.next_returned("pad 2", within_s=TOLD_S)
    at.table.stand_in("board").boards[2].deafen(deaf=False)
    await back
    await asyncio.sleep(0.5)
    assert at.table.ring_pattern(2) == "idle"
    await at.press(1)
    await at.tap("online#2", 2)
    await asyncio.sleep(1)
    assert at.parts() == ["-pad 2", "+pad 2"]
    assert at.table.ring_pattern(2) == "your-turn"


def without_its_device(at: GameNight, wrong: bool) -> None:
    (at.table.stand_in("spi").wiring.missing.add if wrong else at.table.stand_in("spi").wiring.missing.discard)(
        A_READER
    )


def dead(at: GameNight, wrong: bool) -> None:
    at.table.stand_in("spi").wiring.chips[A_READER].is_present = not wrong


def held_at(value: int) -> Callable[[GameNight, bool], None]:
    def hold(at: GameNight, wrong: bool) -> None:
        at.table.stand_in("spi").wiring.chips[A_READER].miso_stuck_at = value if wrong else None

    return hold


READER_FAULTS = {
    "/dev/spidev is gone": without_its_device,
    "the chip is dead": dead,
    "MISO is held low": held_at(0x00),
    "MISO is held high": held_at(0xFF),
    "MISO is held at what a chip would say": held_at(0x92),
}


@pytest.mark.parametrize("build", ["full", "compact"])
@pytest.mark.parametrize("fault", READER_FAULTS)
async def test_a_reader_on_the_pi_that_fails_is_reported_within_a_second_and_taken_back(
    fault: str, build: str, tmp_path: Path
) -> None:
    async with an_evening(tmp_path, build=build) as at:
        await at.tap("online#1", 1)
        lost = at.next_lost("discard pad", within_s=TOLD_S)
        READER_FAULTS[fault](at, True)
        await lost
        await at.tap("email#1", 1)
        await at.press(1)
        back = at.next_returned("discard pad")
        READER_FAULTS[fault](at, False)
        await back
        await at.tap("email#2", DISCARD_PAD)
        assert at.taps()[1:] == [("email#1", 1, "Accepted"), ("email#2", DISCARD_PAD, "Accepted")]
        assert at.parts() == ["-discard pad", "+discard pad"]


async def test_a_card_that_lay_there_when_the_reader_returned_is_no_second_tap(at: GameNight) -> None:
    at.put("email#1", DISCARD_PAD)
    await asyncio.sleep(1)
    lost = at.next_lost("discard pad")
    at.table.stand_in("spi").wiring.chips[A_READER].is_present = False
    await lost
    back = at.next_returned("discard pad")
    at.table.stand_in("spi").wiring.chips[A_READER].is_present = True
    await back
    await asyncio.sleep(2)
    at.lift("email#1", DISCARD_PAD)
    await asyncio.sleep(1)
    assert at.taps() == [("email#1", DISCARD_PAD, "Accepted")]
    assert at.all_told(CardLying) == []


# display, buttons, lamps, sounder


@pytest.mark.parametrize("after_bytes", [0, 5, 12], ids=["at once", "in a command", "in a picture"])
async def test_a_display_that_vanishes_in_a_picture_is_reported_and_given_the_whole_picture_when_it_returns(
    at: GameNight, after_bytes: int
) -> None:
    lost = at.next_lost("oled")
    at.table.display.unplug(after_bytes)
    await at.press(1)
    await lost
    await at.tap("online#1", 2)
    back = at.next_returned("oled", within_s=9)
    at.table.display.plug()
    await back
    await asyncio.sleep(0.1)
    assert is_shown(at)
    assert at.parts() == ["-oled", "+oled"]


async def test_a_display_that_vanishes_in_silence_is_missed(at: GameNight) -> None:
    await asyncio.sleep(5)
    lost = at.next_lost("oled", within_s=6)
    at.table.display.unplug()
    await lost


async def test_a_button_that_sticks_is_reported_once_and_the_others_go_on(at: GameNight) -> None:
    at.table.stand_in("gpio").pins.stick(BUTTON_PINS[0])
    await at.expect(lambda h: isinstance(h, ButtonStuck), within_s=11)
    await at.press(2)
    at.table.stand_in("gpio").pins.release(BUTTON_PINS[0])
    await at.press(1)
    assert [notice.seat for notice in at.all_told(ButtonStuck)] == [1]
    assert [notice.seat for notice in at.all_told(ButtonFreed)] == [1]
    pressed = [h.observation.seat for h in at.all_told(Decision) if isinstance(h.observation, ButtonPressed)]
    assert pressed == [1, 2, 1]


# everything


async def test_with_everything_missing_at_the_start_each_part_is_named_and_all_of_it_is_taken_back(
    tmp_path: Path,
) -> None:
    pins = Pins()
    names = {"button 1", "button 2", "lamp 1", "lamp 2", "sounder", "board 1", "board 2", "oled", "discard pad"}

    async def take_away(at: GameNight) -> None:
        await pins.hide(at)
        at.table.display.unplug()
        at.table.stand_in("spi").wiring.missing.add(A_READER)
        for board in at.table.stand_in("board").boards.values():
            board.pull_out()

    async with an_evening(tmp_path, before=take_away) as at:
        await asyncio.sleep(TOLD_S)
        assert set(at.parts()) == {f"-{name}" for name in names}
        pins.there = True
        at.table.display.plug()
        at.table.stand_in("spi").wiring.missing.clear()
        for board in at.table.stand_in("board").boards.values():
            board.plug_in()
        await asyncio.sleep(PINS_TRIED_S)
        assert set(at.parts()[len(names) :]) == {f"+{name}" for name in names}
        assert is_shown(at)
        await at.tap("online#1", 1)
        await at.tap("email#1", DISCARD_PAD)
        await at.press(1)
        assert at.state.turn.seat == 2
