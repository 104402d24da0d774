"""A button on a pin of the Pi: its press arrives, stamped by the kernel."""

from __future__ import annotations

import statistics

from hardware.conftest import Figures
from hardware.pi_button import Listening

KERNEL_STAMPED_US = 1_000
"""Only a stamp of the kernel's is as good as this; one made in a Python thread is ten times worse."""


async def test_a_press_arrives_with_the_kernels_stamps_and_none_from_the_future(
    at_pin: Listening, figure: Figures
) -> None:
    await at_pin.pressed()
    edges = [edge for edge, _ in at_pin.edges]
    figure("edges of a press and its release", f"{len(edges)}")
    figure("longest bounce", f"{at_pin.presses.longest_bounce_us / 1000:.1f} ms")
    figure("bound of an edge, worst", f"± {max(edge.uncertainty_us for edge in edges)} µs")
    under_way_us = [arrived_us - edge.at_us for edge, arrived_us in at_pin.edges]
    figure("edge to loop, median", f"{statistics.median(under_way_us):.0f} µs")
    figure("edge to loop, longest", f"{max(under_way_us)} µs")
    assert [edge.at_us for edge in edges] == sorted(edge.at_us for edge in edges)
    assert max(edge.uncertainty_us for edge in edges) <= KERNEL_STAMPED_US
    assert all(arrived_us >= edge.at_us - edge.uncertainty_us for edge, arrived_us in at_pin.edges)
