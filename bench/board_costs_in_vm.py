"""In the place of the firmware's main program: weighs what the firmware's own code costs. Looks at a pad with the
firmware's bus and chip, and tells transfers, bytes and time of the model; then does the same again, and the talk with
the Pi, over what was recorded, and tells how long the interpreter alone takes; and how long a ring that moves leaves a
new pattern waiting. Runs in the VM, in given time."""
# pyright: reportUnknownMemberType=false, reportPrivateUsage=false, reportAttributeAccessIssue=false
# pyright: reportCallIssue=false, reportOptionalCall=false
# The firmware has no types, and modules of a board can't be found by pyright.

import io
import select

import seatboard.board
import utime
from firmware.vm.inside.modules import time
from firmware.vm.inside.world import this
from machine import Pin
from seatboard import pins
from seatboard.board import Board
from seatboard.port import Port
from seatboard.ring import FRAME_US, Ring
from seatboard.spi import Bus
from tapshared.conversation import Conversation
from tapshared.pad import Pad
from tapshared.rc522_chip import Chip
from tapshared.ring_frames import RingFrames
from tapshared.sentences import Message, encode
from tapshared.ticks import ticks_add, ticks_diff

UID = "04a2b3c4d5e680"
LINE = b"." * 40
ROUNDS = 50
TIMES = 5
LOOP = 20_000
RINGS = 50
NEVER_US = 300_000_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any


class Recorder:
    """The bus, and a record of what was read over it, which can be played instead."""

    def __init__(self, bus: Bus) -> None:
        self.record: list[bytes] = []
        self.played: list[bytes] | None = None
        self._bus = bus

    def write(self, register: int, value: int) -> None:
        """As the bus."""
        if self.played is None:
            self._bus.write(register, value)

    def write_fifo(self, data: bytes) -> None:
        """As the bus."""
        if self.played is None:
            self._bus.write_fifo(data)

    def read(self, register: int) -> int:
        """As the bus."""
        return self._bus.read(register)

    def read_status(self) -> bytes:
        """As the bus."""
        return self._keep(self._bus.read_status()) if self.played is None else self.played.pop()

    def read_fifo(self, count: int) -> bytes:
        """As the bus."""
        return self._keep(self._bus.read_fifo(count)) if self.played is None else self.played.pop()

    def _keep(self, read: "bytes | memoryview") -> bytes:
        self.record.append(bytes(read))
        return self.record[-1]


def drive(steps: "Generator[int, None, Any]") -> "Any":
    """Do it to its end, asleep between the steps."""
    try:
        while True:
            time.sleep_us(next(steps))
    except StopIteration as end:
        return end.value


def weigh_looks() -> None:
    """An empty pad, a card of 7 bytes read for the first time, the same card known."""
    Pin(pins.READER_RST, Pin.OUT, value=1)
    recorder = Recorder(Bus())
    chip = Chip(recorder)
    drive(chip.start())
    drive(chip.field_on())
    known: list[bytes] = []
    for case in ("empty poll", "first read", "known card"):
        model = this.chip
        recorder.record.clear()
        before = model.transfers, model.moved_bytes, this.now()
        known, _ = drive(chip.look(known))
        after = model.transfers, model.moved_bytes, this.now()
        this.tell("look", case, after[0] - before[0], after[1] - before[1], after[2] - before[2])
        weigh_interpreter(case, chip, recorder, known if case == "known card" else [])
        if case == "empty poll":
            this.do(["put", UID])
            time.sleep_us(5000)


def weigh_interpreter(case: str, chip: Chip, recorder: Recorder, known: "list[bytes]") -> None:
    """The same look again and again, over what was recorded of it."""
    record = list(reversed(recorder.record))

    def look() -> None:
        recorder.played = list(record)
        for _ in chip.look(known):
            pass

    tell_time(case, look)
    recorder.played = None


def weigh_talk() -> None:
    """A tag told, a light heard, a ping answered."""
    about = {"board": "b", "boot": 1, "firmware": "1.0.0", "pads": 1, "pixels": 12, "buttons": 1}
    talk = Conversation(about, 0)
    pad = Pad()
    talk.receive(encode(Message("ack", {"boot": 1, "upto": 100_000})), 0)
    talk.say(0)
    upto = 100_000

    def tell_tag() -> None:
        nonlocal upto
        upto += 1
        talk.event("tag", {"uid": UID, "ticks": 10_482_113, "how": ""}, 0)
        talk.say(0)
        talk.outbox.acknowledge(upto)

    light = encode(Message("light", {"pattern": "accepted", "left_ms": 0, "whole_ms": 0, "lamp": "on"}, 7))
    ping = encode(Message("ping", {}, 8))

    def answer() -> None:
        talk.receive(ping, 0)
        talk.say(0)

    tell_time("tag told", tell_tag)
    tell_time("light heard", lambda: talk.receive(light, 0))
    tell_time("ping answered", answer)
    tell_time("pad looked at", lambda: pad.look(0, (), False))


def weigh_port() -> None:
    """Bytes to the Pi, where there is room at once."""
    port = Port()
    port._writable = _Ready()
    port._out = sink = io.BytesIO()

    def send() -> None:
        sink.seek(0)
        port.send(LINE, 0)
        while port.busy:
            port.step(0)

    tell_time("40 bytes sent", send)


class _Ready:
    """In the place of a poll, without the system call that it is only here."""

    def __init__(self, ready: "tuple[tuple[None, int], ...]" = ((None, select.POLLOUT),)) -> None:
        self.ipoll = {0: ready}.get


def weigh_turn() -> None:
    """A turn of the board's loop in which nothing is to be done."""
    port = Port()
    port._readable = port._writable = _Ready(())
    board = Board(port)
    for _ in range(RINGS):
        time.sleep_us(board.step())  # it starts its reader
    seatboard.board.time = utime  # without the stand-in, which takes longer than a board's
    board._reader._due = board._ring._due = ticks_add(utime.ticks_us(), NEVER_US)
    tell_time("turn", board.step)


def weigh_ring() -> None:
    """A frame drawn; and from a verdict's light to its first frame, while *reading* moves, in µs of the model."""
    frames = RingFrames(pins.PIXELS)
    pixels = bytearray(3 * pins.PIXELS)

    def draw() -> None:
        frames.show("accepted", 0, 0, 0)
        for pixel in range(pins.PIXELS):
            frames.put(pixel, pixels)

    tell_time("frame drawn", draw)
    ring = Ring(pins.RING, pins.PIXELS)
    for sample in range(RINGS):
        ring.show("reading", 0, 0, time.ticks_us())
        run_ring(ring, 100_000 + sample * FRAME_US // RINGS)
        began = time.ticks_us()
        ring.show("accepted", 0, 0, began)
        while ring.step(time.ticks_us()) != FRAME_US:
            time.sleep_us(100)
        this.tell("ring", ticks_diff(time.ticks_us(), began))
        ring.show("refused", 0, 0, time.ticks_us())  # the frame before is still on its way


def run_ring(ring: Ring, span_us: int) -> None:
    """Let it show what it shows for so long."""
    began = time.ticks_us()
    while ticks_diff(time.ticks_us(), began) < span_us:
        ring.step(time.ticks_us())
        time.sleep_us(500)


def tell_time(what: str, act: "Callable[[], object]", times: int = TIMES) -> None:
    """Tell how many ns it takes the interpreter once: the best of many, since others want the processor too."""
    best = 1 << 60
    for _ in range(ROUNDS):
        began = utime.time_ns()
        for _ in range(times):
            act()
        best = min(best, (utime.time_ns() - began) // times)
    this.tell("interpreter", what, best)


def loop() -> None:
    """The yardstick by which interpreters are compared."""
    for _ in range(LOOP):
        pass


this.tell("spi", pins.SPI_HZ)
weigh_looks()
weigh_talk()
weigh_port()
weigh_turn()
weigh_ring()
tell_time("loop", loop, 1)
