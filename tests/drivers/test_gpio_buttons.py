"""Seat buttons on gpiozero's mock pins, with bounce on top."""

from __future__ import annotations

import warnings
from itertools import pairwise

import gpiozero.pins.mock
import pytest
from gpio_bench import Bench, simulated_bench
from gpiozero import LED, Device
from gpiozero.exc import BadPinFactory, PinFactoryFallback
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from taptable.core.device_events import ButtonEdge, Clock, PartFailed, PartReturned
from taptable.core.errors import DeviceError
from taptable.drivers.contacts import SETTLE_S
from taptable.drivers.gpio import header as gpio
from taptable.drivers.gpio.header import CALLBACK_STAMP_US, KERNEL_STAMP_US, RETRY_S, Header, default_factory
from taptable.drivers.gpio.pin_model import LONGEST_BOUNCE_S, MEAN_BOUNCE_S, WORST_BOUNCE_S, ContactPin

SEAT_1, SEAT_2 = 17, 27


def test_an_edge_carries_the_time_of_the_contact_and_its_uncertainty(bench: Bench) -> None:
    bench.listen({1: SEAT_1})
    bench.loop.pass_time(0.25)
    closing = bench.pins.press(SEAT_1)
    assert closing is not None
    bench.loop.pass_time(0.01)
    assert bench.edges == [
        ButtonEdge(bench.table_us(closing.began_s), 1, True, KERNEL_STAMP_US, clock=Clock.TABLE, settle_us=3_000)
    ]


def test_a_stamp_isn_t_lost_while_the_loop_is_held_up(bench: Bench) -> None:
    bench.listen({1: SEAT_1})
    closing = bench.pins.press(SEAT_1)
    assert closing is not None
    bench.loop.stall(0.4)
    bench.loop.pass_time(0.01)
    pressed, released = bench.edges
    assert (pressed.pressed, pressed.at_us) == (True, bench.table_us(closing.began_s))
    assert closing.ended_s is not None
    ended_us, bounced_us = bench.table_us(closing.ended_s), round(WORST_BOUNCE_S * 1_000_000)
    assert not released.pressed
    assert ended_us <= released.at_us <= ended_us + bounced_us


@pytest.mark.parametrize("heard_s", [0.0, 0.000_1])
def test_static_whose_edges_are_under_way_when_the_button_is_asked_for_is_none(bench: Bench, heard_s: float) -> None:
    buttons = bench.listen({1: SEAT_1})
    bench.pins.spark(SEAT_1)
    bench.loop.pass_time(heard_s)
    bench.loop.stall(0.03)
    buttons.deliver()
    assert bench.edges == []
    bench.loop.pass_time(0.01)
    assert bench.edges == []


def test_a_press_whose_edges_are_under_way_when_the_button_is_asked_for_is_reported_then(bench: Bench) -> None:
    buttons = bench.listen({1: SEAT_1, 2: SEAT_2})
    bench.loop.call_later(0.002, bench.pins.press, SEAT_2, 0.05)
    bench.loop.call_later(0.001, bench.pins.press, SEAT_1, 0.05)
    bench.loop.pass_time(0.002)
    bench.loop.stall(0.4)
    assert bench.edges == []
    buttons.deliver()
    assert [(edge.pad, edge.pressed) for edge in bench.edges] == [(1, True), (2, True), (1, False), (2, False)]
    bench.loop.pass_time(0.1)
    assert len(bench.edges) == 4


def test_an_edge_that_never_comes_is_taken_to_happen_when_the_contact_is_found_open(bench: Bench) -> None:
    buttons = bench.listen({1: SEAT_1})
    closing = bench.pins.press(SEAT_1)
    assert closing is not None
    bench.loop.pass_time(WORST_BOUNCE_S)
    bench.pins.factory.pin(SEAT_1).edges = "none"  # the kernel has no room for the next one
    bench.loop.pass_time(0.3)
    assert [edge.pressed for edge in bench.edges] == [True]
    buttons.deliver()
    bench.loop.pass_time(0.01)
    assert [edge.pressed for edge in bench.edges] == [True, False]


def test_a_press_that_nobody_handed_over_is_placed_no_better_than_it_was_waited_for(bench: Bench) -> None:
    buttons = bench.listen({1: SEAT_1})
    bench.pins.factory.pin(SEAT_1).edges = "none"
    closing = bench.pins.stick(SEAT_1)
    assert closing is not None
    bench.loop.stall(0.008)
    buttons.deliver()
    bench.loop.pass_time(0.01)
    (pressed,) = bench.edges
    assert abs(pressed.at_us - bench.table_us(closing.began_s)) <= pressed.uncertainty_us


def test_a_pin_that_can_t_be_read_says_nothing_of_its_contact(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: ContactPin) -> float:
        raise OSError(19, "No such device")

    buttons = bench.listen({1: SEAT_1})
    monkeypatch.setattr(ContactPin, "_get_state", gone)
    buttons.deliver()
    assert bench.device_events == []


def test_the_order_of_two_buttons_is_kept_to_the_microsecond(bench: Bench) -> None:
    bench.listen({1: SEAT_1, 2: SEAT_2})
    bench.loop.call_later(0.000_100, bench.pins.press, SEAT_2)
    bench.loop.call_later(0.000_103, bench.pins.press, SEAT_1)
    bench.loop.pass_time(0.5)
    first = {seat: next(edge for edge in bench.edges if edge.pad == seat) for seat in (1, 2)}
    assert first[1].at_us - first[2].at_us == 3


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    presses=st.lists(
        st.tuples(st.sampled_from([1, 2, 3]), st.floats(0.001, 0.6), st.floats(0.02, 0.5)), min_size=1, max_size=12
    ),
    long_bounce_chance=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_bounce_never_hides_the_first_edge_of_a_press(
    seed: int, presses: list[tuple[int, float, float]], long_bounce_chance: float
) -> None:
    bcm = {1: 17, 2: 27, 3: 22}
    with simulated_bench(seed, long_bounce_chance=long_bounce_chance) as bench:
        bench.listen(bcm)
        for seat, pause_s, hold_s in presses:
            bench.pins.press(bcm[seat], hold_s)
            bench.loop.pass_time(pause_s)
        bench.loop.pass_time(1.0)
    for seat, pin in bcm.items():
        edges = [edge for edge in bench.edges if edge.pad == seat]
        assert edges == sorted(edges, key=lambda edge: edge.at_us)
        assert [edge.pressed for edge in edges] == [index % 2 == 0 for index in range(len(edges))]
        if long_bounce_chance:
            continue  # such a contact may be open for milliseconds, and is closed later
        closings = [closing for closing in bench.pins.truth if closing.pin == pin]
        for before, closing in pairwise([None, *closings]):
            if before is not None and before.ended_s is not None and closing.began_s < before.ended_s + 0.01:
                continue  # it had not been open for as long as a bounce lasts
            assert closing is not None
            began_us = bench.table_us(closing.began_s)
            first = next(edge for edge in edges if edge.at_us >= began_us - 1)
            assert first.pressed
            assert first.at_us <= began_us + 1


def test_a_button_that_sticks_is_pressed_and_never_released(bench: Bench) -> None:
    bench.listen({1: SEAT_1, 2: SEAT_2})
    bench.pins.stick(SEAT_1)
    bench.loop.pass_time(60)
    assert [edge for edge in bench.edges if edge.pad == 1][-1].pressed
    assert bench.pins.press(SEAT_1) is None
    bench.pins.press(SEAT_2)
    bench.loop.pass_time(1)
    assert not bench.edges[-1].pressed


def test_a_button_that_sticks_under_a_finger_isnt_released_with_it(bench: Bench) -> None:
    bench.listen({1: SEAT_1})
    pressed = bench.pins.press(SEAT_1, hold_s=0.5)
    bench.loop.pass_time(0.2)
    assert bench.pins.stick(SEAT_1) is pressed
    bench.loop.pass_time(60)
    assert bench.edges[-1].pressed
    bench.pins.release(SEAT_1)
    bench.loop.pass_time(1)
    assert not bench.edges[-1].pressed


def test_a_finger_that_keeps_down_what_static_began_makes_a_press_of_it(bench: Bench) -> None:
    bench.listen({1: SEAT_1})
    static = bench.pins.spark(SEAT_1)
    assert static is not None
    assert static.is_static
    assert bench.pins.stick(SEAT_1) is static
    bench.loop.pass_time(1)
    assert bench.edges[-1].pressed
    assert not static.is_static


def test_a_button_down_at_the_start_is_no_press_but_a_fault_until_it_is_released(bench: Bench) -> None:
    bench.pins.stick(SEAT_1)
    bench.loop.pass_time(3)
    bench.listen({1: SEAT_1})
    reason = "pressed since before the table listened: stuck, or connected to the normally closed contact (NC)"
    assert bench.device_events == [PartFailed(bench.now_us(), "button 1", reason)]
    bench.loop.pass_time(3)
    bench.device_events.clear()
    bench.pins._long_bounce_chance = 1.0
    bench.pins.release(SEAT_1)
    bench.loop.pass_time(LONGEST_BOUNCE_S + SETTLE_S)
    (returned,) = bench.device_events
    assert isinstance(returned, PartReturned)
    bench.pins._long_bounce_chance = 0.0
    began_us = bench.now_us()
    assert bench.pins.press(SEAT_1) is not None
    bench.loop.pass_time(0.02)
    (pressed,) = bench.edges
    assert (pressed.at_us, pressed.pressed) == (began_us, True)


def test_static_is_no_press_and_is_seen_by_who_counts_edges_as_two_closer_than_3_ms(bench: Bench) -> None:
    raw: list[tuple[int, bool, int]] = []
    bench.listen({1: SEAT_1}).on_raw_edge = lambda seat, closed, at_us, _: raw.append((seat, closed, at_us))
    bench.pins.spark(SEAT_1, 0.0012)
    bench.loop.pass_time(0.1)
    assert bench.edges == []
    (_, down, down_us), (_, up, up_us) = raw
    assert (down, up, up_us - down_us) == (True, False, 1200)
    assert bench.pins.truth[0].is_static
    with pytest.raises(ValueError, match=r"static lasts less than 0.003 s, not 0.004 s"):
        bench.pins.spark(SEAT_1, 0.004)


def test_nothing_is_reported_once_closed(bench: Bench) -> None:
    buttons = bench.listen({1: SEAT_1})
    bench.pins.press(SEAT_1)
    buttons.close()
    bench.loop.pass_time(1)
    assert bench.device_events == []


def test_a_pin_in_use_is_reported_the_others_go_on_and_it_comes_back(bench: Bench) -> None:
    thief = LED(SEAT_1, pin_factory=bench.pins.factory)
    began_us = bench.now_us()
    bench.listen({1: SEAT_1, 2: SEAT_2})
    (failed,) = bench.device_events
    assert isinstance(failed, PartFailed)
    assert (failed.at_us, failed.part) == (began_us, "button 1")
    assert failed.reason.startswith("pin GPIO17 is already in use by <gpiozero.LED object on pin GPIO17")
    bench.pins.press(SEAT_2)
    bench.loop.pass_time(RETRY_S + 0.1)
    assert bench.edges[0].pad == 2
    thief.close()
    bench.loop.pass_time(RETRY_S)
    assert bench.device_events[-1] == PartReturned(began_us + round(2 * RETRY_S * 1e6), "button 1")
    bench.pins.press(SEAT_1)
    bench.loop.pass_time(0.01)
    assert bench.edges[-1].pad == 1
    assert sum(isinstance(device_event, PartFailed) for device_event in bench.device_events) == 1


def test_without_a_pin_factory_every_part_says_so_and_it_is_opened_when_there_is_one(bench: Bench) -> None:
    attempts: list[float] = []

    def open_factory() -> MockFactory:
        attempts.append(bench.loop.time())
        if len(attempts) < 3:
            raise DeviceError("gpiozero can't use the pins: no chip")
        return bench.pins.factory

    header = Header(loop=bench.loop, report=bench.device_events.append, now_us=bench.now_us, open_factory=open_factory)
    began_us = bench.now_us()
    bench.listen({1: SEAT_1, 2: SEAT_2}, header)
    reason = "gpiozero can't use the pins: no chip"
    assert bench.device_events == [PartFailed(began_us, "button 1", reason), PartFailed(began_us, "button 2", reason)]
    bench.loop.pass_time(2.5 * RETRY_S)
    assert [
        device_event.part for device_event in bench.device_events[2:] if isinstance(device_event, PartReturned)
    ] == [
        "button 1",
        "button 2",
    ]
    assert len(attempts) == 3


def test_a_part_that_is_closed_is_not_tried_again(bench: Bench) -> None:
    thief = LED(SEAT_1, pin_factory=bench.pins.factory)
    buttons = bench.listen({1: SEAT_1})
    buttons.close()
    thief.close()
    bench.loop.pass_time(3 * RETRY_S)
    assert len(bench.device_events) == 1


def test_gpiozero_s_own_choice_says_what_it_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpoi")
    with pytest.raises(DeviceError, match=r"^gpiozero can't use the pins: Unable to find pin factory 'lgpoi'$"):
        default_factory()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(default_factory(), MockFactory)


def test_gpiozero_s_own_choice_lists_every_factory_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose() -> None:
        warnings.warn(PinFactoryFallback("Falling back from lgpio: can't open gpiochip"), stacklevel=1)
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "ensure_pin_factory", staticmethod(choose))
    with pytest.raises(DeviceError) as caught:
        default_factory()
    assert str(caught.value) == (
        "gpiozero can't use the pins: Unable to load any default pin factory!; "
        "Falling back from lgpio: can't open gpiochip"
    )


def test_a_factory_without_the_kernel_s_time_gives_a_larger_uncertainty(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        gpio, "STAMP_UNCERTAINTY_US", {"LGPIOFactory": KERNEL_STAMP_US}
    )  # what NativeFactory finds there: nothing
    bench.listen({1: SEAT_1})
    bench.pins.press(SEAT_1)
    bench.loop.pass_time(0.01)
    assert bench.edges[0].uncertainty_us == CALLBACK_STAMP_US == 10_000


@pytest.mark.parametrize("stamp_s", [-5.0, 1_700_000_000.0])
def test_a_stamp_of_another_clock_is_replaced_by_the_time_of_arrival(bench: Bench, stamp_s: float) -> None:
    bench.header.get_factory()
    assert bench.header.edge_time(stamp_s) == (bench.now_us(), CALLBACK_STAMP_US)


def test_the_time_it_takes_to_compare_the_clocks_widens_the_bound(bench: Bench) -> None:
    def slow_now_us() -> int:
        bench.loop.stall(0.000_040)
        return bench.now_us()

    bench.header.now_us = slow_now_us
    edge_s = bench.loop.time()
    bench.loop.stall(0.5)
    at_us, uncertainty_us = bench.header.edge_time(edge_s)
    assert abs(at_us - bench.table_us(edge_s)) <= uncertainty_us
    assert uncertainty_us == KERNEL_STAMP_US + 20


def test_contacts_bounce_as_measured_ones_do() -> None:
    with simulated_bench(3, long_bounce_chance=0.01) as bench:
        for _ in range(2000):
            bench.pins.press(SEAT_1, 0.3)
            bench.loop.pass_time(0.6)
    bounces_s = [closing.bounced_s for closing in bench.pins.truth]
    usual_s = [bounce_s for bounce_s in bounces_s if bounce_s <= WORST_BOUNCE_S]
    assert sum(usual_s) / len(usual_s) == pytest.approx(MEAN_BOUNCE_S, rel=0.05)
    assert WORST_BOUNCE_S < max(bounces_s) <= LONGEST_BOUNCE_S
    assert 5 <= len(bounces_s) - len(usual_s) <= 40


def test_a_contact_released_while_it_bounces_ends_open() -> None:
    with simulated_bench(long_bounce_chance=1.0) as bench:
        bench.listen({1: SEAT_1})
        bench.pins.stick(SEAT_1)
        bench.loop.pass_time(0.004)
        bench.pins.release(SEAT_1)
        assert bench.pins.press(SEAT_1) is None
        bench.loop.pass_time(1)
        assert not bench.pins.is_down(SEAT_1)
        assert not bench.edges[-1].pressed


def test_gpiozero_gets_its_clock_back() -> None:
    before = gpiozero.pins.mock.monotonic
    with simulated_bench() as bench:
        assert gpiozero.pins.mock.monotonic() == bench.loop.time()
    assert gpiozero.pins.mock.monotonic is before
