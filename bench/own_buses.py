"""The cost of a tap at a reader on a bus of the Pi itself, SPI or I2C: how long a pad's turn takes by the models of
bus, chip and air, how many transfers it makes, and the driver's own processor time, for which the transfers are played
back without the models."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import smbus2
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.i2c.reader import I2cReader
from taptable.drivers.i2c_places import I2cPlace
from taptable.drivers.rc522_reader import PadReader
from taptable.sim import spi_bus as spi
from taptable.sim.air import AirClock
from taptable.sim.cards import ntag213
from taptable.sim.field import Field
from taptable.sim.i2c_bus import I2cWires, ReaderModel, SwitchModel, i2c_wired
from taptable.sim.mfrc522_chip import Mfrc522Chip

UID = bytes.fromhex("04a2b3c4d5e680")
_PERIODS_PER_US = 13.56
_SWITCH = 0x70
_READS = 0x01
_PLAYED_BACK = 200


@dataclass(frozen=True, slots=True)
class TurnCosts:
    """The turn of a pad: field on, a look, field off. It takes `empty_us` at an empty pad and `read_us` with a card
    that is new, with these numbers of transfers. `python_us` is the driver's processor time with the card."""

    empty_us: float
    empty_transfers: int
    read_us: float
    read_transfers: int
    python_us: Sequence[float]


def measure_i2c(hz: int) -> TurnCosts:
    """Measure a reader behind a switch, which another pad's turn has moved to its own channel."""
    clock, wires = AirClock(), I2cWires()
    switch = SwitchModel(clock, hz)
    wires[1] = {_SWITCH: switch}
    fields = [Field(str(channel), clock) for channel in range(2)]
    for channel, field in enumerate(fields):
        switch.channels[channel][0x28] = ReaderModel(Mfrc522Chip(field, 0x15), hz)
    places = [I2cPlace(1, 0x28, _SWITCH, channel) for channel in range(2)]
    bus = SharedBus(1, places)
    with i2c_wired(wires):
        readers = [I2cReader(bus, place, sleep_us=clock.sleep_us) for place in places]
        try:
            return _measure(readers[0], fields[0], clock, lambda: bus.connect(places[1]), _recorded_i2c)
        finally:
            bus.drop()


def measure_spi() -> TurnCosts:
    """Measure a reader on SPI at 1 MHz."""
    clock = AirClock()
    field = Field("spi:0.0", clock)
    spi.install(spi.Wiring({"spi:0.0": Mfrc522Chip(field)}))
    from taptable.drivers.spi.reader import SpiReader  # it imports mfrc522, which wants the stand-ins there first

    reader = SpiReader(0, 0, pin_rst=None, sleep_us=clock.sleep_us)
    return _measure(reader, field, clock, lambda: None, _recorded_spi)


_Recorded = Callable[[list[Any], bool], Any]


def _measure(
    reader: PadReader, field: Field, clock: AirClock, elsewhere: Callable[[], None], recorded: _Recorded
) -> TurnCosts:
    def turn_us() -> float:
        elsewhere()
        began = clock.now()
        _turn(reader)
        return (clock.now() - began) / _PERIODS_PER_US

    def transfers() -> list[Any]:
        answers: list[Any] = []
        elsewhere()
        with recorded(answers, False):
            _turn(reader)
        return answers

    turn_us()
    empty_us, empty_transfers = turn_us(), len(transfers())
    field.put(ntag213(UID))
    read_us, answers = turn_us(), transfers()
    python_us: list[float] = []
    for _ in range(_PLAYED_BACK):
        elsewhere()
        with recorded(list(answers), True):
            began_ns = time.thread_time_ns()
            found = _turn(reader)
            python_us.append((time.thread_time_ns() - began_ns) / 1000)
        assert found == [UID]
    return TurnCosts(empty_us, empty_transfers, read_us, len(answers), python_us)


def _turn(reader: PadReader) -> list[bytes]:
    reader.field_on()
    uids, _ = reader.look(())
    reader.field_off()
    return uids


@contextmanager
def _recorded_i2c(answers: list[Any], play_back: bool) -> Generator[None]:
    """Record what each transaction reads, or play that back."""
    real = smbus2.SMBus.i2c_rdwr

    def record(bus: smbus2.SMBus, *messages: smbus2.i2c_msg) -> None:
        real(bus, *messages)
        answers.append(bytes(messages[-1]) if messages[-1].flags & _READS else b"")

    def play(_bus: smbus2.SMBus, *messages: smbus2.i2c_msg) -> None:
        for place, value in enumerate(answers.pop(0)):
            messages[-1].buf[place] = value

    with _replaced(smbus2.SMBus, "i2c_rdwr", play if play_back else record):
        yield


@contextmanager
def _recorded_spi(answers: list[Any], play_back: bool) -> Generator[None]:
    """Record what each transfer reads, or play that back."""
    real = spi.SpiDev.xfer2

    def record(device: spi.SpiDev, values: list[int]) -> list[int]:
        answers.append(real(device, values))
        return answers[-1]

    def play(_device: spi.SpiDev, _values: list[int]) -> list[int]:
        return answers.pop(0)

    with _replaced(spi.SpiDev, "xfer2", play if play_back else record):
        yield


@contextmanager
def _replaced(owner: type, name: str, function: Callable[..., Any]) -> Generator[None]:
    real = getattr(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, real)
