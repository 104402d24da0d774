"""A stand-in for `smbus2.SMBus`, below luma.core: opening a bus gives access to the models that are wired there. Knows
only reads and writes as the kernel carries them; the models know what they mean."""

from __future__ import annotations

import errno
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import ClassVar, Protocol

import smbus2

REMOTE_IO = 121
"""Linux's EREMOTEIO: no device answered at that address."""

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


class I2cBus:
    """Like `smbus2.SMBus`, as far as it is used, over the models of `wires`."""

    wires: ClassVar[Wires] = MappingProxyType({})

    def __init__(self, bus: int) -> None:
        if bus not in self.wires:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{bus}")
        self._models: Mapping[int, I2cModel] | None = self.wires[bus]

    def close(self) -> None:
        """Close it. May be called twice."""
        self._models = None

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        """Write at most 32 bytes after a first one."""
        if len(data) > _LONGEST_BLOCK:
            raise ValueError(f"Data length cannot exceed {_LONGEST_BLOCK} bytes")
        self._write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: smbus2.i2c_msg) -> None:
        """Transfer messages of any length."""
        for message in i2c_msgs:
            if message.flags & _READS:
                for place, value in enumerate(self._model(message.addr).read(message.len)):
                    message.buf[place] = value
            else:
                self._write(message.addr, bytes(message))

    def _write(self, address: int, payload: bytes) -> None:
        self._model(address).write(payload)

    def _model(self, address: int) -> I2cModel:
        if self._models is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        if address not in self._models:
            raise OSError(REMOTE_IO, "Remote I/O error")
        return self._models[address]


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
