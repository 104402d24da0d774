"""A reader on I2C to be tested: a real one, or the chip's model behind a model of the bus."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from taptable.core.errors import DeviceError
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.pads import I2cPad, open_on_bus
from taptable.drivers.i2c_places import I2cPlace
from taptable.sim.air import AirClock
from taptable.sim.field import Field
from taptable.sim.i2c_bus import I2cWires, ReaderModel, SwitchModel, i2c_wired
from taptable.sim.mfrc522_chip import Mfrc522Chip

from hardware.person import Hand
from hardware.spi_reader import ModelHand, ReaderUnderTest

_MODEL = I2cPlace(1, 0x28, 0x70, 3)
_WS1850S = 0x15


@contextmanager
def real_i2c_reader(place: I2cPlace, hand: Hand) -> Iterator[ReaderUnderTest]:
    """The one at that place; the test fails where none can be opened."""
    try:
        reader = open_on_bus(I2cPad(1, place), SharedBus(place.bus, [place]))
    except DeviceError as error:
        pytest.fail(f"--i2c-reader: {error}")
    try:
        yield ReaderUnderTest(reader, hand, lambda: time.monotonic_ns() // 1000)
    finally:
        reader.close()


@contextmanager
def model_i2c_reader() -> Iterator[ReaderUnderTest]:
    """The chip's model behind a switch, in the time of its field."""
    clock = AirClock()
    field, wires, switch = Field("pad", clock), I2cWires(), SwitchModel(clock)
    switch.channels[3][_MODEL.address] = ReaderModel(Mfrc522Chip(field, _WS1850S))
    wires[_MODEL.bus] = {0x70: switch}
    with i2c_wired(wires):
        reader = open_on_bus(I2cPad(1, _MODEL), SharedBus(_MODEL.bus, [_MODEL]), clock.sleep_us)
        yield ReaderUnderTest(reader, ModelHand(field), clock.now_us)
        reader.close()
