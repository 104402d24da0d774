"""A display under test: a real one at the options of luma.oled, or the model below a stand-in for `smbus2`. The traffic
on the bus is counted where luma.core sends it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import smbus2
from PIL import Image
from taptable.core.device_events import DeviceEvent
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.oled import Oled
from taptable.sim.i2c_bus import i2c_wired

MODEL_OPTIONS = "--display=ssd1309 --interface=i2c"
_ADDRESS = 0x3C


class Traffic:
    """The bytes sent to a display, with control bytes and without addresses."""

    def __init__(self) -> None:
        self.moved_bytes = 0

    def counted(self, bus: type[Any]) -> type[Any]:
        """A kind of bus that counts what it sends."""
        traffic = self

        class Counted(bus):
            def write_i2c_block_data(
                self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
            ) -> None:
                traffic.moved_bytes += 1 + len(data)
                super().write_i2c_block_data(i2c_addr, register, data, *(() if force is None else (force,)))

            def i2c_rdwr(self, *i2c_msgs: smbus2.i2c_msg) -> None:
                traffic.moved_bytes += sum(message.len for message in i2c_msgs if not message.flags & READS)
                super().i2c_rdwr(*i2c_msgs)

        return Counted


READS = 0x01
"""The flag of a message that reads."""


class DisplayUnderTest:
    """The table's own `Oled`; its reports are in `said`."""

    def __init__(self, options: Sequence[str], traffic: Traffic) -> None:
        self.said: list[DeviceEvent] = []
        self.oled = Oled(options, self.said.append, lambda: time.monotonic_ns() // 1000)
        self._traffic = traffic

    def cost(self, picture: Image.Image) -> tuple[int, int]:
        """The bytes and µs that it takes to show this now."""
        moved_bytes, begun_ns = self._traffic.moved_bytes, time.monotonic_ns()
        self.oled.show(picture)
        return self._traffic.moved_bytes - moved_bytes, (time.monotonic_ns() - begun_ns) // 1000


@contextmanager
def display_at(options: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[DisplayUnderTest]:
    """The display that these options lead to."""
    traffic = Traffic()
    monkeypatch.setattr(smbus2, "SMBus", traffic.counted(smbus2.SMBus))
    display = DisplayUnderTest(shlex.split(options), traffic)
    try:
        yield display
    finally:
        display.oled.close()
        monkeypatch.undo()


@contextmanager
def model_display(monkeypatch: pytest.MonkeyPatch) -> Iterator[DisplayUnderTest]:
    """A model of the reference display."""
    with i2c_wired({1: {_ADDRESS: DisplayModel()}}), display_at(MODEL_OPTIONS, monkeypatch) as display:
        yield display
