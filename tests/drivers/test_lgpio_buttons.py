"""Seat buttons through gpiozero's lgpio factory: stamps of the kernel, called back from another thread."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from gpiozero import Device, Factory
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.mock import MockFactory
from lgpio_stand_in import StandIn
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed
from taptable.core.errors import DeviceError
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import KERNEL_STAMP_US, Header, default_factory, header_chip

PI_4B = 0xC03111


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "lgpio", stand_in)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(LocalPiFactory, "_get_revision", lambda _self: PI_4B)
    yield stand_in
    stand_in.end()
    LocalPiFactory.pins.clear()  # gpiozero keeps one for all its factories
    sys.modules.pop("gpiozero.pins.lgpio", None)


def open_factory() -> Factory:
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def monotonic_us() -> int:
    return time.monotonic_ns() // 1000


def test_the_kernel_s_stamp_crosses_the_threads_unchanged(lgpio: StandIn) -> None:
    async def main() -> list[DeviceEvent]:
        device_events: list[DeviceEvent] = []
        both = asyncio.Event()

        def report(device_event: DeviceEvent) -> None:
            device_events.append(device_event)
            if len(device_events) == 2:
                both.set()

        header = Header(loop=asyncio.get_running_loop(), report=report, now_us=monotonic_us, open_factory=open_factory)
        buttons = Buttons(header, {1: 17, 2: 27})
        buttons.open()
        lgpio.edge(27, 0, stamp_ns - 120_000_000)
        lgpio.edge(17, 0, stamp_ns - 119_996_000)
        await asyncio.wait_for(both.wait(), DEADLINE_S)
        buttons.close()
        return device_events

    stamp_ns = time.monotonic_ns()
    first, second = asyncio.run(main())
    for edge, seat, before_us in ((first, 2, 120_000), (second, 1, 119_996)):
        assert isinstance(edge, ButtonEdge)
        assert (edge.pad, edge.pressed) == (seat, True)
        assert KERNEL_STAMP_US <= edge.uncertainty_us < 10_000
        # what comparing the clocks has cost is within the bound, however slow this machine was
        assert abs(edge.at_us - (stamp_ns // 1000 - before_us)) <= edge.uncertainty_us


def test_an_edge_after_the_loop_was_closed_leaves_lgpio_s_thread_alive(lgpio: StandIn) -> None:
    loop = asyncio.new_event_loop()
    device_events: list[DeviceEvent] = []
    buttons = Buttons(
        Header(loop=loop, report=device_events.append, now_us=monotonic_us, open_factory=open_factory), {1: 17}
    )
    buttons.open()
    loop.close()
    lgpio.edge(17, 0, time.monotonic_ns())
    lgpio.edge(17, 1, time.monotonic_ns())
    lgpio.end()
    assert lgpio.handled == 2
    assert device_events == []
    buttons.close()


def test_a_pin_that_another_program_holds_is_reported_in_lgpio_s_words(lgpio: StandIn) -> None:
    lgpio.busy.add(27)
    loop = asyncio.new_event_loop()
    device_events: list[DeviceEvent] = []
    header = Header(loop=loop, report=device_events.append, now_us=monotonic_us, open_factory=open_factory)
    buttons = Buttons(header, {1: 17, 2: 27})
    buttons.open()
    (failed,) = device_events
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.reason) == ("button 2", "'GPIO busy'")
    buttons.close()
    loop.close()


def chip_in_sys(chips: Path, number: int, compatible: str) -> None:
    """As the kernel shows a chip, and what the device tree calls it."""
    node = chips / f"gpiochip{number}" / "of_node"
    node.mkdir(parents=True)
    (node / "compatible").write_text(compatible + "\0")


@pytest.mark.parametrize(
    ("others", "number", "compatible"),
    [
        ([1], 0, "brcm,bcm2835-gpio"),
        ([1], 0, "brcm,bcm2711-gpio"),
        ([0, 1, 2, 3], 4, "raspberrypi,rp1-gpio"),
        ([10, 11, 12, 13], 0, "raspberrypi,rp1-gpio"),
        ([11, 12, 13, 14], 15, "raspberrypi,rp1-gpio"),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5, Linux 6.6.20", "Pi 5, Linux 6.6.47", "Pi 5, no gpiochip0"],
)
def test_the_header_s_chip_is_known_by_its_kind_and_not_by_its_number(
    tmp_path: Path, others: list[int], number: int, compatible: str
) -> None:
    for other in others:
        chip_in_sys(tmp_path, other, "brcm,brcmstb-gpio")
    chip_in_sys(tmp_path, number, compatible)
    assert header_chip(tmp_path) == number


def test_without_a_chip_of_a_pi_none_is_the_header_s(tmp_path: Path) -> None:
    assert header_chip(tmp_path / "missing") is None
    (tmp_path / "gpiochip0").mkdir()  # one that the device tree knows nothing of
    chip_in_sys(tmp_path, 1, "arm,pl061")
    assert header_chip(tmp_path) is None


@pytest.mark.parametrize("named", [None, "lgpio"])
def test_lgpio_is_opened_on_the_header_s_chip(
    lgpio: StandIn, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    lgpio.chips = {11, 12, 13, 14, 15}
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    if named is not None:
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", named)
    factory: Any = default_factory(lambda: 15)
    assert (type(factory).__name__, factory.chip) == ("LGPIOFactory", 15)


def test_a_header_s_chip_that_can_t_be_opened_is_reported(lgpio: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.chips = set()
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(DeviceError, match=r"^gpiozero can't use the pins: .*can not open gpiochip"):
        default_factory(lambda: 15)


def test_another_way_to_the_pins_that_was_asked_for_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(default_factory(lambda: 0), MockFactory)
