"""A button and a lamp of a controller on USB to be tested: real ones, or their models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.input.nodes import EventNode, place_of
from taptable.drivers.input.parts import InputParts, Missing, node_of
from taptable.drivers.input.stand_in import InputStandIn
from taptable.drivers.interface import Address, DeviceContext, OpenedParts, Part, PartRole
from taptable.drivers.led.driver import LedDriver
from taptable.drivers.led.leds import find_led
from taptable.drivers.led.stand_in import LedStandIn
from taptable.sim.stand_in import Surroundings

from hardware.pi_button import Listening

_SEAT = 1
_MODEL_KEY, _MODEL_LAMP = "1-1.3/BTN_TRIGGER_HAPPY1", "1-1.3/buzz1"


@dataclass(frozen=True, slots=True)
class KeyUnderTest:
    """A key, listened to, and the device that has it."""

    listening: Listening
    node: EventNode


@dataclass(frozen=True, slots=True)
class LampUnderTest:
    """A lamp, and its brightness as the kernel has it."""

    parts: OpenedParts
    brightness: Callable[[], int]


def _part(role: PartRole, kind: str, name: str) -> Part:
    return Part((role.value,), role, Address(kind, name), _SEAT)


def _listen(driver: InputDriver, part: Part) -> KeyUnderTest:
    try:
        node = node_of(driver.nodes, place_of(part.address))
    except Missing as error:
        pytest.fail(f"--controller: {error}")

    def connect(listening: Listening) -> InputParts:
        context = DeviceContext(report=listening.report, now_us=listening.now_us, identify=lambda _: None)
        parts = InputParts(context, [part], driver.access)
        parts.watch_edges(listening.on_edge)
        return parts

    return KeyUnderTest(Listening(connect), node)


@contextmanager
def real_key(name: str, ask: Callable[[], None]) -> Iterator[KeyUnderTest]:
    """A real one; `ask` asks the person to press it once."""
    under_test = _listen(InputDriver(), _part(PartRole.BUTTON, "input", name))
    ask()
    try:
        yield under_test
    finally:
        under_test.listening.close()


@contextmanager
def model_key() -> Iterator[KeyUnderTest]:
    """A dome of a model of a Buzz! set, in given time."""
    part = _part(PartRole.BUTTON, "input", _MODEL_KEY)
    stand_in = InputStandIn([part], Surroundings(0))
    with stand_in.powered():
        under_test = _listen(stand_in.input, part)
        asyncio.get_running_loop().call_later(1.0, stand_in.press, _SEAT, 0.12)
        try:
            yield under_test
        finally:
            under_test.listening.close()


@contextmanager
def lamp_of(driver: LedDriver, name: str) -> Iterator[LampUnderTest]:
    """A lamp over the files of a driver; the test fails if there is none."""
    part = _part(PartRole.LAMP, "led", name)
    troubles: list[object] = []
    context = DeviceContext(report=troubles.append, now_us=lambda: 0, identify=lambda _: None)  # pyright: ignore[reportArgumentType]
    parts = driver.open(context, [part])
    parts.open()
    led = find_led(driver.ports, part.address)
    if led is None or troubles:
        pytest.fail(f"--controller-lamp: {troubles}")
    try:
        yield LampUnderTest(parts, lambda: int((led.folder / "brightness").read_text()))
    finally:
        parts.close()


@contextmanager
def model_lamp() -> Iterator[LampUnderTest]:
    """A lamp of a model of a Buzz! set."""
    stand_in = LedStandIn([_part(PartRole.LAMP, "led", _MODEL_LAMP)], Surroundings(0))
    with stand_in.powered():
        assert isinstance(stand_in.driver, LedDriver)
        with lamp_of(stand_in.driver, _MODEL_LAMP) as under_test:
            yield under_test
