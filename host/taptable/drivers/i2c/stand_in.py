"""The readers on I2C of a simulated table, with their switches: models of their chips below smbus2."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.driver import I2cDriver
from taptable.drivers.i2c.pads import I2cPad, open_on_bus
from taptable.drivers.i2c_places import i2c_address, place_of
from taptable.drivers.interface import Part
from taptable.drivers.rc522_reader import PadReader
from taptable.sim.i2c_bus import I2cModel, ReaderModel, SwitchModel, i2c_wired
from taptable.sim.mfrc522_chip import Mfrc522Chip
from taptable.sim.reader_proxies import ReaderProxies
from taptable.sim.stand_in import NoSuchPart, PadsInFields, Surroundings

WS1850S = 0x15
"""The version register of the chip that is modelled: that of M5Stack's Unit RFID2."""


class I2cStandIn(PadsInFields):
    """The chips of all pads on I2C, and the switches in front of them."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.places = {part.pad: place_of(part.address) for part in parts if part.pad is not None}
        self.chips = {pad: Mfrc522Chip(field, WS1850S) for pad, field in self.fields.items()}
        self._readers = {pad: ReaderModel(chip) for pad, chip in self.chips.items()}
        self.switches = {
            (place.bus, place.switch): SwitchModel(self.air_clock)
            for place in self.places.values()
            if place.switch is not None
        }
        by_name = {str(i2c_address(place)): self.chips[pad] for pad, place in self.places.items()}
        self._pads = {str(i2c_address(place)): pad for pad, place in self.places.items()}
        self._unplugged: set[Pad] = set()
        self._opened: set[SharedBus] = set()
        self.proxies = ReaderProxies(by_name, lambda part: self.is_reachable(self._pads[part]))
        self.driver = I2cDriver(self.open_reader, self.proxies.sleep, lambda: sorted(around.i2c))
        self._is_free = True

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep readers and switches on their buses within this context."""
        self.take_up()
        with i2c_wired(self.around.i2c):
            yield

    def let_go(self) -> None:
        """Detach the process: nothing reaches a chip any more, and its files are closed."""
        self._is_free = False
        self.proxies.cut()
        for bus in self._opened:
            bus.drop()
        self._opened.clear()
        for pad in self.places:
            self._wire(pad)

    def take_up(self) -> None:
        """Let the next process open the readers."""
        self._is_free = True
        for pad in self.places:
            self._wire(pad)

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Unplug a reader from its lead, or plug it in again, as it is after power-up."""
        if deaf:
            self._unplugged.add(pad)
        elif pad in self._unplugged:
            self._unplugged.discard(pad)
            self.chips[pad].reset()
        self.fields[pad].switch(False)
        self._wire(pad)

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether a reader is unplugged."""
        return pad in self._unplugged

    def switch_of(self, pad: Pad) -> SwitchModel | None:
        """Return the switch in front of a reader."""
        place = self.places[pad]
        return None if place.switch is None else self.switches[place.bus, place.switch]

    def hangs(self, pad: Pad) -> bool | None:
        """Return whether the switch in front of a reader hangs; None if there is no switch."""
        switch = self.switch_of(pad)
        return None if switch is None else switch.hangs

    def behind_switch(self, pad: Pad) -> Sequence[Pad]:
        """Return the pads whose readers are behind the same switch."""
        switch = self.switch_of(pad)
        if switch is None:
            raise NoSuchPart
        return [each for each in self.places if self.switch_of(each) is switch]

    def hang_switch(self, pad: Pad, hung: bool) -> None:
        """Let the switch in front of a reader hang, or interrupt its power: then it answers, with no channel
        connected."""
        switch = self.switch_of(pad)
        if switch is None:
            raise NoSuchPart
        if hung:
            switch.hangs = True
        else:
            switch.plug()

    def is_reachable(self, pad: Pad) -> bool:
        """Return whether nothing between the process and a chip is broken."""
        switch = self.switch_of(pad)
        is_stuck = self.places[pad].bus in self.around.i2c.stuck
        return pad not in self._unplugged and not is_stuck and (switch is None or not switch.hangs)

    def open_reader(self, pad: I2cPad, bus: SharedBus) -> PadReader:
        """Open a reader as on a Pi. Raises DeviceError for a process that is gone."""
        if not self._is_free:
            raise DeviceError("this process is gone")
        self._opened.add(bus)
        return self.proxies.connect(str(i2c_address(pad.place)), self.reader(pad, bus))

    def reader(self, pad: I2cPad, bus: SharedBus) -> PadReader:
        """Return the driver's own reader over the model of a chip."""
        return open_on_bus(pad, bus, self.air_clock.sleep_us)

    def _wire(self, pad: Pad) -> None:
        """Put a reader and its switch where they belong, if the table has them now."""
        place = self.places[pad]
        bus = self.around.i2c.setdefault(place.bus, {})
        switch = self.switch_of(pad)
        if place.switch is not None and switch is not None:
            _plug(bus, place.switch, switch, self._is_free)
        models = bus if switch is None else switch.channels[place.channel]
        _plug(models, place.address, self._readers[pad], self._is_free and pad not in self._unplugged)


def _plug(models: dict[int, I2cModel], address: int, model: I2cModel, present: bool) -> None:
    if present:
        models[address] = model
    else:
        models.pop(address, None)


STAND_IN = I2cStandIn
