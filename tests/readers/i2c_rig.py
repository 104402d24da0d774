"""Readers on I2C over the models of buses, switches and chips, under the driver's own pollers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reader_rig import POLL_US
from taptable.core.device_events import DeviceEvent
from taptable.core.observations import Pad
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.pads import I2cPad, buses_of, readers_on
from taptable.drivers.i2c.reader import I2cReader
from taptable.drivers.i2c_places import I2cPlace, parse_place
from taptable.drivers.rc522_poller import PolledPads
from taptable.sim.air import AirClock
from taptable.sim.field import Field
from taptable.sim.i2c_bus import I2cWires, ReaderModel, SwitchModel, i2c_wired
from taptable.sim.mfrc522_chip import Mfrc522Chip

WS1850S = 0x15


def place(name: str) -> I2cPlace:
    """The place of this name."""
    found = parse_place(name)
    assert found is not None
    return found


class I2cRig:
    """Chips at these places, by pad; `wires` are what is plugged in."""

    def __init__(self, *names: str, version: int = WS1850S) -> None:
        self.clock = AirClock()
        self.wires = I2cWires()
        self.places: dict[Pad, I2cPlace] = {pad: place(name) for pad, name in enumerate(names, 1)}
        self.fields = {pad: Field(str(pad), self.clock) for pad in self.places}
        self.chips = {pad: Mfrc522Chip(field, version) for pad, field in self.fields.items()}
        self.switches: dict[tuple[int, int], SwitchModel] = {}
        for pad, at in self.places.items():
            models = self.wires.setdefault(at.bus, {})
            if at.switch is not None:
                switch = self.switches.setdefault((at.bus, at.switch), SwitchModel(self.clock))
                models[at.switch] = switch
                models = switch.channels[at.channel]
            models[at.address] = ReaderModel(self.chips[pad])
        pads = [I2cPad(pad, at) for pad, at in self.places.items()]
        self.buses = buses_of(pads)

        def open_reader(pad: I2cPad, bus: SharedBus) -> I2cReader:
            return I2cReader(bus, pad.place, sleep_us=self.clock.sleep_us)

        self.pollers = [
            PolledPads(
                readers_on(bus, pads, open_reader),
                report=lambda _event: None,
                now_us=self.clock.now_us,
                identify=lambda uid: uid,
                begin_round=bus.begin_round,
            )
            for bus in self.buses.values()
        ]

    @contextmanager
    def wired(self) -> Iterator[None]:
        """Keep all models on their buses."""
        with i2c_wired(self.wires):
            try:
                yield
            finally:
                for poller in self.pollers:
                    poller.close()
                for bus in self.buses.values():
                    bus.drop()

    def pass_us(self, span_us: int) -> list[DeviceEvent]:
        """Poll for `span_us`, every 50 ms; return the events."""
        seen: list[DeviceEvent] = []
        ends_us = self.clock.now_us() + span_us
        while self.clock.now_us() < ends_us:
            began_us = self.clock.now_us()
            seen += [event for poller in self.pollers for event in poller.poll()]
            self.clock.sleep_us(max(5_000, POLL_US - (self.clock.now_us() - began_us)))
        return seen
