"""Seat buttons through gpiozero's lgpio factory: stamps of the kernel, called back from another thread."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator

import pytest
from gpiozero import Factory
from gpiozero.pins.local import LocalPiFactory
from lgpio_stand_in import StandIn
from taptable.core.sightings import ButtonEdge, PartFailed, Sighting
from taptable.edges.buttons import Buttons
from taptable.edges.gpio import KERNEL_STAMP_US, Header

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
    async def main() -> list[Sighting]:
        sightings: list[Sighting] = []
        both = asyncio.Event()

        def report(sighting: Sighting) -> None:
            sightings.append(sighting)
            if len(sightings) == 2:
                both.set()

        header = Header(loop=asyncio.get_running_loop(), report=report, now_us=monotonic_us, open_factory=open_factory)
        buttons = Buttons(header, {1: 17, 2: 27})
        buttons.open()
        lgpio.edge(27, 0, stamp_ns - 120_000_000)
        lgpio.edge(17, 0, stamp_ns - 119_996_000)
        await asyncio.wait_for(both.wait(), 5)
        buttons.close()
        return sightings

    stamp_ns = time.monotonic_ns()
    first, second = asyncio.run(main())
    for edge, seat, before_us in ((first, 2, 120_000), (second, 1, 119_996)):
        assert isinstance(edge, ButtonEdge)
        assert (edge.seat, edge.pressed) == (seat, True)
        assert KERNEL_STAMP_US <= edge.uncertainty_us < 10_000
        # what comparing the clocks has cost is within the bound, however slow this machine was
        assert abs(edge.at_us - (stamp_ns // 1000 - before_us)) <= edge.uncertainty_us


def test_an_edge_after_the_loop_was_closed_leaves_lgpio_s_thread_alive(lgpio: StandIn) -> None:
    loop = asyncio.new_event_loop()
    sightings: list[Sighting] = []
    buttons = Buttons(
        Header(loop=loop, report=sightings.append, now_us=monotonic_us, open_factory=open_factory), {1: 17}
    )
    buttons.open()
    loop.close()
    lgpio.edge(17, 0, time.monotonic_ns())
    lgpio.edge(17, 1, time.monotonic_ns())
    lgpio.end()
    assert lgpio.handled == 2
    assert sightings == []
    buttons.close()


def test_a_pin_that_another_program_holds_is_reported_in_lgpio_s_words(lgpio: StandIn) -> None:
    lgpio.busy.add(27)
    loop = asyncio.new_event_loop()
    sightings: list[Sighting] = []
    header = Header(loop=loop, report=sightings.append, now_us=monotonic_us, open_factory=open_factory)
    buttons = Buttons(header, {1: 17, 2: 27})
    buttons.open()
    (failed,) = sightings
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.reason) == ("button 2", "'GPIO busy'")
    buttons.close()
    loop.close()
