"""Sends each test of this folder to a kernel of its own, and brings back the result. The marker `kernel` has more
parameters for that kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from taptable.daemon.clock import SteadyLoop
from taptable.drivers.oled.display_model import DisplayModel
from taptable.sim.i2c_bus import I2cWires

from kernel.bus import BUS, served_bus
from kernel.machine import INSIDE, ROOT, find_kernel, run_there

HERE = Path(__file__).parent
IS_INSIDE = INSIDE in os.environ


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """The daemon's own loop."""
    return "asyncio", {"loop_factory": SteadyLoop}


@pytest.fixture
def wires() -> Iterator[I2cWires]:
    """What is on the kernel's bus."""
    with served_bus() as wires:
        yield wires


@pytest.fixture
def display(wires: I2cWires) -> DisplayModel:
    """A display of the reference type on the kernel's bus."""
    wires[BUS][0x3C] = display = DisplayModel()
    return display


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and not IS_INSIDE and find_kernel() is None:
            item.add_marker(pytest.mark.skip(reason="there is no kernel: scripts/setup-kernel builds one"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if IS_INSIDE or not item.path.is_relative_to(HERE):
        return None
    kernel = find_kernel()
    if kernel is None:
        return None
    marker = item.get_closest_marker("kernel")
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    found, said = run_there(kernel, str(ROOT / item.nodeid), *(marker.args if marker else ()))
    reports = [item.config.hook.pytest_report_from_serializable(config=item.config, data=data) for data in found]
    if [report.nodeid for report in reports if report.when == "teardown"] != [item.nodeid]:
        reports = [pytest.TestReport(item.nodeid, item.location, {}, "failed", said, "call")]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
