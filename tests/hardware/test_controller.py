"""A button and a lamp of a controller on USB: a press arrives with the kernel's stamps and the stated bound, and the
kernel takes each change of the lamp."""

from __future__ import annotations

import statistics

from taptable.core.cues import Lamp
from taptable.drivers.input.parts import uncertainty_of

from hardware.conftest import Figures
from hardware.controller import KeyUnderTest, LampUnderTest

CONVERTED_US = 1_000
"""The most that the comparison of two clocks adds to the stated bound."""


async def test_a_press_arrives_with_the_stated_bound_and_none_from_the_future(
    at_key: KeyUnderTest, figure: Figures
) -> None:
    listening = at_key.listening
    await listening.pressed()
    edges = [edge for edge, _ in listening.edges]
    interval_us = at_key.node.interval_us
    figure("interval of its USB", "unknown" if interval_us is None else f"{interval_us / 1000:.0f} ms")
    figure("edges of a press and its release", f"{len(edges)}")
    figure("longest bounce", f"{listening.presses.longest_bounce_us / 1000:.1f} ms")
    figure("bound of an edge, worst", f"± {max(edge.uncertainty_us for edge in edges)} µs")
    under_way_us = [arrived_us - edge.at_us for edge, arrived_us in listening.edges]
    figure("middle of the bound to loop, median", f"{statistics.median(under_way_us):.0f} µs")
    assert [edge.at_us for edge in edges] == sorted(edge.at_us for edge in edges)
    assert max(edge.uncertainty_us for edge in edges) <= uncertainty_of(at_key.node) + CONVERTED_US
    assert all(arrived_us >= edge.at_us - edge.uncertainty_us for edge, arrived_us in listening.edges)


async def test_the_kernel_takes_each_change_of_the_lamp(lamp: LampUnderTest) -> None:
    for pattern, is_lit in ((Lamp.ON_TURN, True), (Lamp.OFF, False), (Lamp.ON_TURN, True)):
        lamp.parts.show_lamp(1, pattern)
        assert (lamp.brightness() > 0) is is_lit
    lamp.parts.close()  # pyright: ignore[reportUnusedCoroutine]  # these lamps close at once
    assert lamp.brightness() == 0
