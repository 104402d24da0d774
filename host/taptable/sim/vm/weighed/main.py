"""In the place of the firmware's main program: weighs what the firmware's own code costs. Looks at a pad with the
firmware's bus and chip, and tells transfers, bytes and time of the model; then does the same again, and the talk with
the Pi, over what was recorded, and tells how long the interpreter alone takes. Runs in the VM, in given time."""

import time

import utime
from machine import Pin
from seatboard import pins
from seatboard.spi import Bus
from tapshared.conversation import Conversation
from tapshared.pad import Pad
from tapshared.rc522_chip import Chip
from tapshared.sentences import Message, encode

from taptable.sim.vm.below.world import this

UID = "04a2b3c4d5e680"
TIMES = 200
LOOP = 100_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator


class Recorder:
    """The bus, and a record of what was read over it."""

    def __init__(self, bus: Bus) -> None:
        self.write = bus.write
        self.read = bus.read
        self._bus = bus
        self.record: list[bytes] = []

    def read_status(self) -> bytes:
        """As the bus."""
        return self._keep(self._bus.read_status())

    def read_fifo(self, count: int) -> bytes:
        """As the bus."""
        return self._keep(self._bus.read_fifo(count))

    def _keep(self, read: bytes) -> bytes:
        self.record.append(bytes(read))
        return self.record[-1]


def drive(steps: "Generator[int, None, tuple[list[bytes], bool]]") -> "tuple[list[bytes], bool]":
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
        this.tell("look", case, *[late - early for late, early in zip(after, before)])
        weigh_interpreter(case, chip, recorder, known if case == "known card" else [])
        if case == "empty poll":
            this.do(["put", UID])
            time.sleep_us(5000)


def weigh_interpreter(case: str, chip: Chip, recorder: Recorder, known: "list[bytes]") -> None:
    """The same look again and again, over what was recorded of it."""
    record = list(recorder.record)
    played: list[bytes] = []
    bus = recorder.write, recorder.read_status, recorder.read_fifo
    recorder.write = lambda sent: None
    recorder.read_status = recorder.read_fifo = lambda count=0: played.pop()

    def look() -> None:
        played[:] = reversed(record)
        for _ in chip.look(known):
            pass

    tell_time(case, look)
    recorder.write, recorder.read_status, recorder.read_fifo = bus


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


def tell_time(what: str, act: "Callable[[], object]", times: int = TIMES) -> None:
    """Tell how many ns it takes the interpreter once, the best of three rounds."""
    best = 1 << 60
    for _ in range(3):
        began = utime.time_ns()
        for _ in range(times):
            act()
        best = min(best, (utime.time_ns() - began) // times)
    this.tell("interpreter", what, best)


def loop() -> None:
    """The yardstick by which interpreters are compared."""
    for _ in range(LOOP):
        pass


weigh_looks()
weigh_talk()
tell_time("loop", loop, 1)
