"""Runs the loop of a board in the VM over parts that allocate nothing themselves, with an empty pad and a Pi that says
nothing, and prints as JSON what its turns take from the heap. Runs in the VM: `micropython allocations_in_vm.py FLASH`.
"""

import gc
import json
import sys

sys.path[:0] = [sys.argv[1], sys.argv[1] + "/lib", sys.argv[0].rsplit("/", 1)[0]]

import light  # noqa: E402

light.take_their_places()

from seatboard.board import Board  # noqa: E402
from tapshared.pad import LOOK_EVERY_US  # noqa: E402

LOOKS = 300


class Port:
    due = None

    def send(self, _data, _now):
        pass

    def step(self, _now):
        pass


board = Board(Port())
board.step(False)
kept = []
turns = None
between = None
for _ in range(2):
    looks = 0
    gc.collect()
    for _ in range(LOOKS):
        look = bytearray(16)
        turn = 0
        wait_us = 0
        while wait_us < LOOK_EVERY_US // 3:  # the rest after a look
            began = gc.mem_alloc()
            wait_us = board.step(False)
            taken = gc.mem_alloc() - began
            light.clock.go(wait_us)
            if taken < 0:
                break  # it has collected
            look[turn] = min(taken, 2047) // 8
            turn += 1
        else:
            looks += 1
            if turns is None or sum(look[:turn]) * 8 < sum(turns):  # in some the board says something, too
                turns = [8 * part for part in look[:turn]]
            light.clock.go(-1000)  # before anything is due
            began = gc.mem_alloc()
            board.step(False)
            between = gc.mem_alloc() - began
            light.clock.go(1000)
    gc.collect()
    kept.append(gc.mem_alloc())
word_bytes = 8 if sys.maxsize > 1 << 32 else 4
print(json.dumps({"turns": turns, "between": between, "looks": looks, "kept": kept, "word_bytes": word_bytes}))
