"""A stand-in for `smbus2.SMBus`, below luma.core and the readers on I2C: opening a bus gives access to the models that
are wired there, some of them behind a switch. As strict as the Pi's adapter: in one transaction only the last message
may read. Knows reads and writes as the kernel carries them, and the models of a reader and a switch."""

from __future__ import annotations

import errno
import os
import tempfile
import weakref
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Protocol

import smbus2

from taptable.sim.air import CARRIER_HZ, AirClock
from taptable.sim.mfrc522_chip import Mfrc522Chip

REMOTE_IO = 121
"""Linux's EREMOTEIO: no device answered at that address."""
BUS_HZ = 100_000
"""The speed of a simulated bus, which a lead of 1 m needs."""

_BITS = 9  # a byte and its acknowledgement
_LONGEST_BLOCK = 32
_READS = 0x01  # the flag of a message that reads


class I2cModel(Protocol):
    """A device on a bus."""

    def write(self, payload: bytes) -> None:
        """Take one transaction, without its address byte. Raises OSError if the device doesn't answer."""
        ...

    def read(self, count: int) -> bytes:
        """Return `count` bytes of its answer. Raises OSError if the device doesn't answer."""
        ...


Wires = Mapping[int, Mapping[int, I2cModel]]
"""Models by bus number and address."""


class I2cWires(dict[int, dict[int, I2cModel]]):
    """The models of a whole table, by bus number and address. Some line of each bus in `stuck` stays low, so that every
    transfer there times out. The devices in `bound`, by bus and address, have a driver of the kernel's. Processes can
    lock the buses against each other, as they can lock device files."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck: set[int] = set()
        self.bound: set[tuple[int, int]] = set()
        self._files: dict[int, int] = {}

    def open_file(self, bus: int) -> int:
        """Return a new descriptor of the bus's file."""
        if bus not in self._files:
            self._files[bus], path = tempfile.mkstemp()
            Path(path).unlink()
            weakref.finalize(self, os.close, self._files[bus])
        return os.open(f"/dev/fd/{self._files[bus]}", os.O_RDWR)


def no_answer() -> OSError:
    """Return the error about an address at which nothing answers."""
    return OSError(REMOTE_IO, "Remote I/O error")


class SwitchModel:
    """A TCA9548A: eight `channels`, each with the models behind it by address. The byte that was written last selects
    the channels that are connected; none are after power-up. One that `hangs` answers nothing. Its transfers take time
    if it has a clock."""

    def __init__(self, clock: AirClock | None = None, hz: int = BUS_HZ) -> None:
        self.channels: list[dict[int, I2cModel]] = [{} for _ in range(8)]
        self.selected = 0
        self.hangs = False
        self._clock = clock
        self._byte = _BITS * CARRIER_HZ // hz

    def write(self, payload: bytes) -> None:
        """Select channels."""
        self._answer(len(payload))
        if payload:
            self.selected = payload[-1]

    def read(self, count: int) -> bytes:
        """Return the selection, `count` times."""
        self._answer(count)
        return bytes([self.selected]) * count

    def plug(self) -> None:
        """Power it up (again): it answers, and no channel is selected."""
        self.hangs = False
        self.selected = 0

    def connected(self) -> Iterable[Mapping[int, I2cModel]]:
        """Return the models behind each channel that is connected now."""
        return [models for channel, models in enumerate(self.channels) if self.selected >> channel & 1]

    def _answer(self, count: int) -> None:
        if self.hangs:
            raise no_answer()
        if self._clock is not None:
            self._clock.catch_up()
            self._clock.advance((1 + count) * self._byte)


class ReaderModel:
    """An MFRC522 on I2C (data sheet 8.1.4): the first byte of a write is the register; all further bytes go to it, and
    all bytes of a read come from it."""

    def __init__(self, chip: Mfrc522Chip, hz: int = BUS_HZ) -> None:
        self.chip = chip
        self._register = 0
        self._byte = _BITS * CARRIER_HZ // hz

    def write(self, payload: bytes) -> None:
        """Write a register, or choose the one to read."""
        self._answer()
        for place, value in enumerate(payload):
            now = self.chip.field.clock.advance(self._byte)
            if place == 0:
                self._register = value & 0x3F
            else:
                self.chip.write_register(self._register, value, now)

    def read(self, count: int) -> bytes:
        """Read the chosen register, `count` times."""
        self._answer()
        clock, values = self.chip.field.clock, bytearray()
        for _ in range(count):
            values.append(self.chip.read_register(self._register, clock.now()))
            clock.advance(self._byte)
        return bytes(values)

    def _answer(self) -> None:
        if not self.chip.is_present:
            raise no_answer()
        self.chip.transfers += 1
        self.chip.field.clock.catch_up()
        self.chip.field.clock.advance(self._byte)


class I2cBus:
    """Like `smbus2.SMBus`, as far as it is used, over the models of `wires`."""

    wires: ClassVar[Wires] = MappingProxyType({})

    def __init__(self, bus: int) -> None:
        if bus not in self.wires:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{bus}")
        self._bus: int | None = bus
        self._fd: int | None = None

    @property
    def fd(self) -> int | None:
        """A descriptor that can be locked; None once it is closed."""
        if self._fd is None and self._bus is not None and isinstance(self.wires, I2cWires):
            self._fd = self.wires.open_file(self._bus)
        return self._fd

    def close(self) -> None:
        """Close it. May be called twice."""
        if self._fd is not None:
            os.close(self._fd)
        self._bus = self._fd = None

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte. Like the kernel's I2C_SLAVE, and unlike its I2C_RDWR, this is refused for a device that has a
        driver."""
        if isinstance(self.wires, I2cWires) and (self._bus, i2c_addr) in self.wires.bound:
            raise OSError(errno.EBUSY, "Device or resource busy")
        return self._read(i2c_addr, 1)[0]

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        """Write at most 32 bytes after a first one."""
        if len(data) > _LONGEST_BLOCK:
            raise ValueError(f"Data length cannot exceed {_LONGEST_BLOCK} bytes")
        self._write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: smbus2.i2c_msg) -> None:
        """Transfer messages of any length, of which only the last may read."""
        if any(message.flags & _READS for message in i2c_msgs[:-1]):
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")
        for message in i2c_msgs:
            if message.flags & _READS:
                for place, value in enumerate(self._read(message.addr, message.len)):
                    message.buf[place] = value
            else:
                self._write(message.addr, bytes(message))

    def _read(self, address: int, count: int) -> bytes:
        """Read from all models at an address: a bit is high only where all of them leave it high."""
        read = bytes([0xFF]) * count
        for model in self._models(address):
            read = bytes(one & other for one, other in zip(read, model.read(count), strict=True))
        return read

    def _write(self, address: int, payload: bytes) -> None:
        for model in self._models(address):
            model.write(payload)

    def _models(self, address: int) -> list[I2cModel]:
        """Return all models that answer at an address, those behind connected channels among them."""
        if self._bus is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        if isinstance(self.wires, I2cWires) and self._bus in self.wires.stuck:
            raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")
        direct = self.wires.get(self._bus, {})
        switches = [model for model in direct.values() if isinstance(model, SwitchModel)]
        reached = [direct, *(models for switch in switches for models in switch.connected())]
        if not (found := [models[address] for models in reached if address in models]):
            raise no_answer()
        return found


@contextmanager
def i2c_wired(wires: Wires) -> Generator[None]:
    """Let `smbus2.SMBus` open buses of the models within this context. Works because luma.core looks the name up there
    each time."""
    real = smbus2.SMBus
    remote_io_known = hasattr(errno, "EREMOTEIO")
    smbus2.SMBus = type("I2cBus", (I2cBus,), {"wires": wires})
    if not remote_io_known:
        errno.EREMOTEIO = REMOTE_IO  # luma.core asks for it by name, which only Linux has
    try:
        yield
    finally:
        smbus2.SMBus = real
        if not remote_io_known:
            del errno.EREMOTEIO
