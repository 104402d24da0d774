"""In place of the firmware's main program: looks at a pad with the firmware's bus and chip, and prints transfers, bytes
and time of the model, and the bytes read from the bus; and how long a ring that moves delays a new pattern. Runs in the
VM, in given time."""

from machine import Pin
from seatboard import pins
from seatboard.ring import FRAME_US, Ring
from seatboard.spi import SpiBus
from tapshared.rc522_chip import Chip
from tapshared.ticks import ticks_diff

from firmware.vm.inside.modules import time
from firmware.vm.inside.world import this

UID = "04a2b3c4d5e680"
RINGS = 50


class Recorder:
    """The SPI bus, with a record in hex of everything that was read over it."""

    def __init__(self, spi):
        self.record = []
        self.write = spi.write
        self._spi = spi

    def write_readinto(self, data, into):
        """As the bus."""
        self._spi.write_readinto(data, into)
        self.record.append(bytes(into).hex())


def drive(steps):
    """Run the steps to the end, asleep between them."""
    try:
        while True:
            time.sleep_us(next(steps))
    except StopIteration as end:
        return end.value


def show_looks():
    """An empty pad, a card of 7 bytes read for the first time, the same card known."""
    Pin(pins.READER_RST, Pin.OUT, value=1)
    bus = SpiBus()
    recorder = bus._spi = Recorder(bus._spi)
    chip = Chip(bus)
    drive(chip.start())
    drive(chip.field_on())
    known = []
    for case in ("empty poll", "first read", "known card"):
        model = this.chip
        recorder.record.clear()
        before = model.transfers, model.moved_bytes, this.now()
        heard = []
        found, _ = drive(chip.look(known, lambda _uid, heard=heard: heard.append(this.now())))
        after = model.transfers, model.moved_bytes, this.now()
        heard_us = heard[0] - before[2] if heard else 0
        this.tell("look", case, after[0] - before[0], after[1] - before[1], after[2] - before[2], heard_us)
        this.tell("read", case, " ".join([uid.hex() for uid in known]), *recorder.record)
        known = found
        if case == "empty poll":
            this.do(["put", UID])
            time.sleep_us(5000)


def show_ring():
    """From a verdict's light to its first frame, while *reading* moves, in µs of the model."""
    ring = Ring(pins.RING, pins.PIXELS)
    for sample in range(RINGS):
        ring.show("reading", 0, 0, time.ticks_us())
        run_ring(ring, 100_000 + sample * FRAME_US // RINGS)
        began = time.ticks_us()
        ring.show("accepted", 0, 0, began)
        while step(ring) != FRAME_US:
            time.sleep_us(100)
        this.tell("ring", ticks_diff(time.ticks_us(), began))
        ring.show("refused", 0, 0, time.ticks_us())  # the frame before is still on its way


def step(ring):
    """Let the ring do what is due; return the µs until it is due again."""
    now = time.ticks_us()
    if ticks_diff(ring.due, now) <= 0:
        ring.step(now)
    return ticks_diff(ring.due, now)


def run_ring(ring, span_us):
    """Let the ring run for `span_us`."""
    began = time.ticks_us()
    while ticks_diff(time.ticks_us(), began) < span_us:
        step(ring)
        time.sleep_us(500)


this.tell("spi", pins.SPI_HZ)
show_looks()
show_ring()
