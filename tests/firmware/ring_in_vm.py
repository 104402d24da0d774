"""Runs the ring of the flash in the VM, step by step in given time, and prints as lines of JSON: the PIO program, each
frame that was handed to the DMA, and the memory that was allocated meanwhile. Runs in the VM: `micropython
ring_in_vm.py FIRMWARE PIXELS`. This module has the stand-ins below the ring."""

import gc
import json
import sys
import time

firmware, pixels = sys.argv[1], int(sys.argv[2])
sys.path[:0] = [firmware, firmware + "/lib"]

STEP_US = 500
SECOND_US = 1_000_000

program = []
frames = []  # filled later, without allocating: ticks, and the place of its bytes in `kept`
kept = bytearray(3 * pixels * 400)
now = 0


class Instruction:
    def __init__(self, words):
        self.words = words

    def side(self, value):
        self.sides = value
        self.delays = 0
        return self

    def __getitem__(self, delay):
        self.delays = delay
        return self

    def said(self):
        return [self.words, self.sides, self.delays]


class Rp2:
    class PIO:
        OUT_LOW = SHIFT_LEFT = 0
        JOIN_TX = 1

    class StateMachine:
        def __init__(self, number, *_, freq, sideset_base):
            print(json.dumps({"hz": freq, "gpio": sideset_base, "number": number}))

        def active(self, on):
            pass

    class DMA:
        def __init__(self):
            self.count = 0
            self.fifo = None

        def pack_ctrl(self, **options):
            print(json.dumps({"dma": options}))

        def config(self, read, write, count, ctrl, trigger):  # noqa: ARG002 - a dict would be allocated
            at = self.count
            self.fifo = write
            ticks[at] = now
            begin = at * 3 * pixels
            for index in range(count):
                kept[begin + index] = read[index]
            self.count = at + 1

    @staticmethod
    def asm_pio(**options):
        print(json.dumps({"options": options}))

        def assemble(function):
            labels = {}
            made = []

            def instruction(name):
                def add(*words):
                    made.append(Instruction((name,) + words))  # noqa: RUF005 - the VM's tuples don't unpack
                    return made[-1]

                return add

            def label(name):
                labels[name] = len(made)

            names = {"out": instruction("out"), "jmp": instruction("jmp"), "nop": instruction("nop"), "label": label}
            names.update({"x": "x", "not_x": "not_x", "wrap": lambda: None, "wrap_target": lambda: label("wrap")})
            function.__globals__.update(names)
            function()
            print(json.dumps({"labels": labels, "program": [each.said() for each in made]}))
            return made

        return assemble


class Machine:
    @staticmethod
    def Pin(number):
        return number


from array import array  # noqa: E402 - after the path is set

ticks = array("I", bytes(4 * 400))
sys.modules["rp2"] = Rp2
sys.modules["machine"] = Machine
if not hasattr(time, "ticks_us"):
    raise SystemExit("no VM of MicroPython's")

from seatboard.ring import Ring  # noqa: E402 - the stand-ins come first
from tapshared.ticks import PERIOD, ticks_add, ticks_diff  # noqa: E402


def lasts(steps):
    """Run `steps` steps and return the bytes that they allocated."""
    global now
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(steps):
        if ticks_diff(ring.due, now) <= 0:
            ring.step(now)
        now = ticks_add(now, STEP_US)  # in C: a sum beyond the period would be allocated in Python
    allocated = gc.mem_alloc() - before
    gc.enable()
    return allocated


ring = Ring(22, pixels)
now = ring.due = ring._ready_at = PERIOD - 6 * SECOND_US  # the ticks wrap while the window is shown
for name, left_ms, whole_ms, seconds in (
    ("off", 0, 0, 1),
    ("your-turn", 0, 0, 2),
    ("idle", 0, 0, 2),
    ("window", 2000, 2000, 3),
    ("refused", 0, 0, 1),
    ("accepted", 0, 0, 1),
):
    dma = ring._dma
    first = dma.count
    shown_at = now
    ring.show(name, left_ms, whole_ms, now)
    steps = seconds * SECOND_US // STEP_US
    allocated = lasts(steps)
    sent = [[ticks[at], bytes(kept[at * 3 * pixels : (at + 1) * 3 * pixels]).hex()] for at in range(first, dma.count)]
    said = {"show": [name, left_ms, whole_ms, shown_at], "until": now, "allocated": allocated, "frames": sent}
    print(json.dumps(said))
print(json.dumps({"fifo": ring._dma.fifo}))
