"""Switching off, by the power button and from the page, with the real daemon over simulated hardware in given time.
The test takes the request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from table.rig import GameNight, a_table
from table.test_full_disk import no_room
from taptable.config import Config, load_config
from taptable.core.part_notices import PartBack, PartLost, PoweringOff, PowerLetGo, PowerOffFailed
from taptable.daemon.daemon import Daemon, screen_style_of
from taptable.daemon.game_options import check_game
from taptable.daemon.power_off import REQUEST_FILE, REQUEST_TIMEOUT_S
from taptable.drivers.gpio.buttons import HOLD_S, PART
from taptable.drivers.gpio.header import RETRY_S
from taptable.sim.table import SimulatedTable

PIN = 21


class Switched(GameNight):
    """An evening at a table with a power button, run as a service or not."""

    requests: Path | None = None

    async def start(self) -> None:
        self._running = Daemon(self.config, self.drivers, self._tell, requests=self.requests)
        await self.daemon.start()

    @property
    def asked(self) -> bool:
        """Return whether there is a request that nobody has taken."""
        return self.requests is not None and (self.requests / REQUEST_FILE).exists()

    def take(self) -> None:
        """The system takes the request."""
        assert self.requests is not None
        (self.requests / REQUEST_FILE).unlink()

    async def hold(self, seconds: float) -> None:
        """Hold the power button for `seconds` seconds, and release it."""
        self.table.stand_in("gpio").pins.press(PIN, seconds)
        await asyncio.sleep(seconds + 0.5)


def with_a_power_button(config: Config) -> Config:
    with config.file.open("a", encoding="utf-8") as file:
        file.write(f'[power]\nbutton = "gpio:{PIN}"\n')
    return load_config(config.file, check_game)


@pytest.fixture
async def at(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Switched]:
    """A table, run by systemd unless it is "no service"; its button is "down" from the start or not; or
    the test stops it by itself."""
    how = getattr(request, "param", "")
    config = with_a_power_button(a_table(tmp_path))
    table = SimulatedTable(config)
    with table.powered() as drivers:
        at = Switched(config, table, drivers)
        if how != "no service":
            at.requests = tmp_path / "run"
            at.requests.mkdir()
        if how == "down":
            table.stand_in("gpio").pins.stick(PIN)
        await at.start()
        await asyncio.sleep(3)
        yield at
        if how != "stops itself":
            await at.stop()


async def test_held_long_enough_it_asks_to_be_switched_off(at: Switched) -> None:
    at.table.stand_in("gpio").pins.stick(PIN)
    await asyncio.sleep(HOLD_S - 0.1)
    assert not at.asked
    await asyncio.sleep(0.2)
    assert at.asked
    assert at.all_told(PoweringOff)


@pytest.mark.parametrize("seconds", [0.05, 1.0, HOLD_S - 0.1])
async def test_let_go_too_early_it_does_nothing_but_say_how(seconds: float, at: Switched) -> None:
    await at.hold(seconds)
    await asyncio.sleep(HOLD_S)
    assert not at.asked
    assert [notice.hold_s for notice in at.all_told(PowerLetGo)] == [HOLD_S]
    assert not at.all_told(PoweringOff)


@pytest.mark.parametrize("at", ["down"], indirect=True)
async def test_a_button_that_is_down_from_the_start_switches_nothing_off_until_it_was_released(at: Switched) -> None:
    await asyncio.sleep(10)
    assert not at.asked
    assert [notice.part for notice in at.all_told(PartLost)] == [PART]
    at.table.stand_in("gpio").pins.release(PIN)
    await asyncio.sleep(1)
    assert [notice.part for notice in at.all_told(PartBack)] == [PART]
    assert not at.all_told(PowerLetGo)
    await at.hold(HOLD_S + 1)
    assert at.asked


async def test_a_pin_that_fails_while_the_button_is_held_switches_nothing_off(
    monkeypatch: pytest.MonkeyPatch, at: Switched
) -> None:
    at.table.stand_in("gpio").pins.stick(PIN)
    await asyncio.sleep(1)
    with monkeypatch.context() as patch:
        patch.setattr(type(at.table.stand_in("gpio").pins.factory.pin(PIN)), "_get_state", broken)
        await asyncio.sleep(HOLD_S)
    assert not at.asked
    assert at.all_told(PowerLetGo)
    assert at.all_told(PartLost)[0].part == PART
    await asyncio.sleep(RETRY_S + HOLD_S)  # it is there again, and still held
    assert not at.asked


def broken(_pin: object) -> None:
    raise OSError("the chip is gone")


async def test_the_rings_fill_while_it_is_held_and_the_display_says_what_for(at: Switched) -> None:
    before = at.table.ring_pattern(1)
    pictures = set[bytes]()
    at.table.stand_in("gpio").pins.press(PIN, 2.0)
    for _ in range(10):
        await asyncio.sleep(0.15)
        assert {at.table.ring_pattern(seat) for seat in (1, 2)} == {"holding"}
        pictures.add(at.table.picture().tobytes())
    assert len(pictures) >= 9  # the bar gets shorter
    await asyncio.sleep(1)
    assert at.table.ring_pattern(1) == before


@pytest.mark.parametrize("at", ["stops itself"], indirect=True)
async def test_switched_off_all_is_dark_but_the_display_which_says_when_to_unplug(at: Switched) -> None:
    await at.hold(HOLD_S + 0.2)
    at.take()
    assert not any(at.table.is_lamp_lit(seat) for seat in (1, 2))
    assert {at.table.ring_pattern(seat) for seat in (1, 2)} == {"off"}
    said = at.table.picture().tobytes()
    await at.tap_in_vain("online#1", 1)
    assert at.table.picture().tobytes() != said
    await at.stop()
    assert at.table.display.lit
    assert at.table.picture().tobytes() == said


@pytest.mark.parametrize("at", ["stops itself"], indirect=True)
async def test_stopped_without_being_switched_off_the_display_is_dark(at: Switched) -> None:
    assert at.table.display.lit
    await at.stop()
    assert not at.table.display.lit


async def test_a_game_waits_from_then_on_and_comes_back_waiting(at: Switched) -> None:
    await at.tap("online#1", 1)
    state = at.state
    await at.hold(HOLD_S + 0.2)
    at.take()
    assert at.referee_table.paused_at_us is not None
    await at.restart()
    assert at.referee_table.paused_at_us is not None
    assert at.state == state
    pauses = [entry for entry in at.entries() if entry.line and entry.line.get("control") == "pause"]
    assert len(pauses) == 1
    await at.press(1)
    assert at.referee_table.paused_at_us is None


async def test_a_request_that_nobody_takes_is_withdrawn_and_the_table_goes_on(at: Switched) -> None:
    await at.hold(HOLD_S + 0.2)
    assert at.asked
    await asyncio.sleep(REQUEST_TIMEOUT_S)
    assert not at.asked
    (failed,) = at.all_told(PowerOffFailed)
    assert failed.reason == "not-taken"
    assert at.table.ring_pattern(1) == "paused"
    await at.press(1)
    await asyncio.sleep(0.1)
    assert at.table.ring_pattern(1) == "your-turn"
    await at.hold(HOLD_S + 0.2)
    assert at.asked


async def test_a_request_that_was_taken_is_waited_for(at: Switched) -> None:
    await at.hold(HOLD_S + 0.2)
    at.take()
    await asyncio.sleep(REQUEST_TIMEOUT_S + 60)
    assert not at.all_told(PowerOffFailed)
    assert at.table.ring_pattern(1) == "off"


async def test_a_request_that_cannot_be_written_is_reported_and_the_game_is_not_held_up(at: Switched) -> None:
    assert at.requests is not None
    at.requests.rmdir()
    await at.hold(HOLD_S + 0.2)
    (failed,) = at.all_told(PowerOffFailed)
    assert failed.reason == "not-written"
    assert screen_style_of(at.config).words.notice(failed) == (
        f"Lässt sich nicht ausschalten: {at.requests / REQUEST_FILE}: No such file or directory."
    )
    assert at.referee_table.paused_at_us is None
    assert at.table.ring_pattern(1) == "your-turn"


@pytest.mark.parametrize("at", ["no service"], indirect=True)
async def test_where_the_daemon_is_no_service_the_button_says_so(at: Switched) -> None:
    await at.hold(HOLD_S + 0.2)
    (failed,) = at.all_told(PowerOffFailed)
    assert failed.reason == "not-a-service"


async def test_it_can_be_switched_off_when_nothing_can_be_written_down(at: Switched) -> None:
    with no_room(at):
        await at.hold(HOLD_S + 0.2)
        assert at.asked


async def test_the_button_is_in_the_journal(at: Switched) -> None:
    await at.hold(1)
    await at.hold(HOLD_S + 0.2)
    kinds = [entry.line["type"] for entry in at.entries() if entry.line and "type" in entry.line]
    assert kinds == ["power-held", "power-let-go", "power-held", "powering-off"]


def test_a_pin_that_is_taken_already_is_refused(tmp_path: Path) -> None:
    config = a_table(tmp_path)
    with config.file.open("a", encoding="utf-8") as file:
        file.write('[power]\nbutton = "gpio:12"\n')
    with pytest.raises(Exception, match=r'\[power\] button can\'t be "gpio:12": \[sounder\] pin is on it already'):
        load_config(config.file, check_game)
