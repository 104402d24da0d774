"""Lamps: patterns in given time."""

from __future__ import annotations

import itertools

import pytest
from gpio_bench import Bench
from gpiozero import LED
from taptable.core.cues import Lamp
from taptable.core.device_events import PartFailed, PartReturned
from taptable.drivers.gpio.header import RETRY_S
from taptable.drivers.gpio.outputs import Lamps
from taptable.narration.lamps import LAMP_PATTERNS

SEAT_1, SEAT_2 = 5, 6


def watch(bench: Bench, pin: int, for_ms: int) -> list[tuple[bool, int]]:
    """The states of a lamp, millisecond by millisecond, as (lit, milliseconds)."""
    seen: list[bool] = []
    bench.loop.pass_time(0.0005)
    for _ in range(for_ms):
        seen.append(bench.pins.is_lit(pin))
        bench.loop.pass_time(0.001)
    return [(lit, len(list(same))) for lit, same in itertools.groupby(seen)]


@pytest.fixture
def lamps(bench: Bench) -> Lamps:
    lamps = Lamps(bench.header, {1: SEAT_1, 2: SEAT_2})
    lamps.open()
    return lamps


def test_every_name_has_a_pattern_and_every_step_its_time() -> None:
    assert set(LAMP_PATTERNS) == set(Lamp)
    for pattern in LAMP_PATTERNS.values():
        assert len(pattern.steps) == 1 or all(length_ms > 0 for _, length_ms in pattern.steps)
        assert not (pattern.passing and len(pattern.steps) == 1)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        (Lamp.OFF, [(False, 1000)]),
        (Lamp.ON_TURN, [(True, 1000)]),
        (Lamp.FIRST, [(True, 1000)]),
        (Lamp.MAY_BUZZ, [(True, 250), (False, 250), (True, 250), (False, 250)]),
        (Lamp.CLAIM, [(True, 100), (False, 100)] * 5),
        (Lamp.ASKED, [(True, 600), (False, 400)]),
        (Lamp.REMINDED, [(True, 120), (False, 120), (True, 120), (False, 640)]),
        (Lamp.NOTICED, [(False, 60), (True, 60), (False, 880)]),
        (Lamp.GRANTED, [(False, 80), (True, 160), (False, 80), (True, 160), (False, 520)]),
    ],
)
def test_a_lamp_shows_its_pattern(bench: Bench, lamps: Lamps, name: Lamp, seen: list[tuple[bool, int]]) -> None:
    lamps.show(1, name)
    assert watch(bench, SEAT_1, 1000) == seen
    assert not bench.pins.is_lit(SEAT_2)


def test_a_passing_pattern_ends_with_the_lasting_one(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.ON_TURN)
    lamps.show(1, Lamp.NOTICED)
    assert watch(bench, SEAT_1, 300) == [(False, 60), (True, 60), (False, 60), (True, 120)]
    assert lamps.lasting_pattern(1) is Lamp.ON_TURN


def test_a_lasting_pattern_given_during_a_passing_one_takes_over_at_once(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.GRANTED)
    bench.loop.pass_time(0.1)
    lamps.show(1, Lamp.FIRST)
    assert watch(bench, SEAT_1, 500) == [(True, 500)]


def test_showing_the_same_again_doesn_t_disturb_the_rhythm(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.MAY_BUZZ)
    bench.loop.pass_time(0.2)
    lamps.show(1, Lamp.MAY_BUZZ)
    assert watch(bench, SEAT_1, 250) == [(True, 50), (False, 200)]


def test_lamps_that_begin_together_stay_together_for_an_evening(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.MAY_BUZZ)
    lamps.show(2, Lamp.MAY_BUZZ)
    bench.loop.pass_time(3600.0)
    assert watch(bench, SEAT_1, 500) == [(True, 250), (False, 250)]
    lamps.show(1, Lamp.OFF)
    assert watch(bench, SEAT_2, 498)[0][0] is True


def test_a_loop_that_was_held_up_doesn_t_rush_through_what_it_missed(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.CLAIM)
    bench.loop.pass_time(0.05)
    bench.loop.stall(10.0)
    assert watch(bench, SEAT_1, 300) == [(False, 100), (True, 100), (False, 100)]


def test_a_steady_lamp_needs_no_timer(bench: Bench, lamps: Lamps, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    lamps.show(1, Lamp.MAY_BUZZ)
    monkeypatch.setattr(bench.loop, "call_at", lambda *timer: begun.append(timer))
    lamps.show(1, Lamp.ON_TURN)
    lamps.show(2, Lamp.ON_TURN)
    assert begun == []
    monkeypatch.undo()
    assert watch(bench, SEAT_1, 1000) == [(True, 1000)]


def test_a_seat_without_a_lamp_accepts_a_state_all_the_same(lamps: Lamps) -> None:
    lamps.show(3, Lamp.CLAIM)
    assert lamps.lasting_pattern(3) is Lamp.OFF


def test_a_lamp_that_comes_late_shows_what_it_should_by_then(bench: Bench) -> None:
    thief = LED(SEAT_1, pin_factory=bench.pins.factory)
    lamps = Lamps(bench.header, {1: SEAT_1, 2: SEAT_2})
    lamps.open()
    lamps.show(1, Lamp.ON_TURN)
    lamps.show(2, Lamp.ON_TURN)
    assert bench.pins.is_lit(SEAT_2)
    (failed,) = bench.device_events
    assert isinstance(failed, PartFailed)
    assert failed.part == "lamp 1"
    thief.close()
    bench.loop.pass_time(RETRY_S)
    assert bench.device_events[-1] == PartReturned(bench.now_us(), "lamp 1")
    assert bench.pins.is_lit(SEAT_1)


def test_a_pin_that_fails_in_use_is_reported_and_comes_back(
    bench: Bench, lamps: Lamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(type(bench.pins.factory.pin(SEAT_1)), "_set_state", broken)
        lamps.show(1, Lamp.ON_TURN)
    assert bench.device_events == [PartFailed(bench.now_us(), "lamp 1", "can't write")]
    lamps.show(2, Lamp.ON_TURN)
    bench.loop.pass_time(RETRY_S)
    assert bench.device_events[1:] == [PartReturned(bench.now_us(), "lamp 1")]
    assert bench.pins.is_lit(SEAT_1)


def broken(_pin: object, _value: float) -> None:
    raise OSError("can't write")


def test_closing_puts_the_lamps_out(bench: Bench, lamps: Lamps) -> None:
    lamps.show(1, Lamp.ON_TURN)
    lamps.show(2, Lamp.MAY_BUZZ)
    lamps.close()
    assert watch(bench, SEAT_1, 600) == watch(bench, SEAT_2, 600) == [(False, 600)]
