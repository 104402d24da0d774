"""Runs the loop of a board in the VM over parts that allocate nothing themselves, with an empty pad and a Pi that says
nothing, and prints as JSON what its turns take from the heap. Runs in the VM: `micropython allocations_in_vm.py FLASH`.
"""

import gc
import json
import sys

sys.path.insert(0, sys.argv[1])
sys.path.insert(0, sys.argv[1] + "/lib")

from tapshared import rc522

VERSION = 0x92
SENT_AND_SILENT = (0x45, 0, 0, 0x10, 0x20, VERSION)  # as in tests/shared/test_chip_status.py
LOOKS = 300


class Module:
    """What is imported from it is an attribute."""


class Pin:
    IN = OUT = PULL_UP = IRQ_FALLING = IRQ_RISING = 1

    def __init__(self, *_about, **_more):
        self._level = 1

    def __call__(self, level=None):
        if level is not None:
            self._level = level
        return self._level

    def irq(self, *_about, **_more):
        pass


class SPI:
    def __init__(self, *_about, **_more):
        pass

    def write(self, _data):
        pass

    def write_readinto(self, data, into):
        if len(data) == len(SENT_AND_SILENT) + 1:
            for place in range(len(SENT_AND_SILENT)):
                into[place + 1] = SENT_AND_SILENT[place]
        elif data[0] == rc522.reading(rc522.VERSION_REG):
            into[1] = VERSION
        elif data[0] == rc522.reading(rc522.FIFO_LEVEL_REG):
            into[1] = rc522.FIFO_BYTES


class Ring:
    def __init__(self, *_about):
        pass

    def step(self, _now):
        return 25_000


class Port:
    busy = False

    def read(self):
        return b""

    def send(self, _data, _now):
        pass

    def step(self, _now):
        pass


class Clock:
    now = 0


machine = Module()
machine.Pin, machine.SPI, machine.unique_id, machine.reset = Pin, SPI, lambda: b"\x01", None
ring = Module()
ring.Ring = Ring
time = Module()
time.ticks_us = lambda: Clock.now
sys.modules["machine"], sys.modules["seatboard.ring"], sys.modules["time"] = machine, ring, time

from seatboard.board import Board  # noqa: E402 - it imports what stands above

board = Board(Port())
board.step()
kept = []
turns = []
between = None
for _ in range(2):
    looks = 0
    gc.collect()
    for _ in range(LOOKS):
        look = bytearray(16)
        turn = 0
        wait_us = 0
        while wait_us < 3000:  # the rest after a look
            began = gc.mem_alloc()
            wait_us = board.step()
            taken = gc.mem_alloc() - began
            Clock.now += wait_us
            if taken < 0:
                break  # it has collected
            look[turn] = min(taken, 2047) // 8
            turn += 1
        else:
            looks += 1
            turns = [8 * part for part in look[:turn]]
            Clock.now -= 1000  # before anything is due
            began = gc.mem_alloc()
            board.step()
            between = gc.mem_alloc() - began
            Clock.now += 1000
    gc.collect()
    kept.append(gc.mem_alloc())
word_bytes = 8 if sys.maxsize > 1 << 32 else 4
print(json.dumps({"turns": turns, "between": between, "looks": looks, "kept": kept, "word_bytes": word_bytes}))
