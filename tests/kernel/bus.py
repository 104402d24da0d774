"""The devices on the kernel's I2C bus: models, which a thread serves with what the kernel's adapter asks them."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import smbus2
from taptable.sim.i2c_bus import I2cBus, I2cWires

BUS = 1
_RELAY = Path("/dev/i2c-relay")
_READS = 0x01
_ROOM = 16384


@contextmanager
def served_bus() -> Iterator[I2cWires]:
    """Serve the models that are put on the bus of this kernel, until the kernel ends."""
    wires = I2cWires()
    wires[BUS] = {}
    relay = os.open(_RELAY, os.O_RDWR)
    threading.Thread(target=_serve, args=(relay, wires), name="devices on I2C", daemon=True).start()
    yield wires


def _serve(relay: int, wires: I2cWires) -> None:
    models = type("KernelBus", (I2cBus,), {"wires": wires})(BUS)
    while True:
        messages = list(_messages(os.read(relay, _ROOM)))
        try:
            models.i2c_rdwr(*messages)
            result = 0
        except OSError as error:
            result = -(error.errno or 0)
        read = b"".join(bytes(message) for message in messages if message.flags & _READS)
        os.write(relay, struct.pack("=i", result) + (b"" if result else read))


def _messages(question: bytes) -> Iterator[smbus2.i2c_msg]:
    """Yield the messages of a transaction, as the adapter spells it."""
    (count,) = struct.unpack_from("=H", question)
    at = 2
    for _ in range(count):
        address, flags, length = struct.unpack_from("=HHH", question, at)
        at += 6
        if flags & _READS:
            yield smbus2.i2c_msg.read(address, length)
        else:
            yield smbus2.i2c_msg.write(address, question[at : at + length])
            at += length
