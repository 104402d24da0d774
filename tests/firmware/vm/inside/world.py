"""The world of one board in the VM: the table's time, the reader with its field, the parts on the pins, and the cable
to the Pi. Actions come over the channel, each at its time; events go back as the truth. In given time it never runs
past the granted time, and jumps over every rest; otherwise it runs in real time."""

import uselect  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
from taptable.sim.air import AirClock
from taptable.sim.field import Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.vm.inside.start import Channel

PERIOD = 1 << 30  # of the board's ticks
INTERRUPT_US = 25  # from an edge to its handler
FRAME_US, FRAMES = 1000, 1 << 11
INTE_SOF = 1 << 17
KEPT = 256  # bytes that a board keeps for a Pi that doesn't read
USB_US = 500  # what is said leaves with the next poll of the Pi's
READ_US = 3  # that reading the clock takes
CALL_US = 20  # that a call of the bus takes besides its bytes
_MASK = PERIOD - 1
_NEVER = 1 << 60


class World:
    """`setup`: ``begin_us``, the table's time at power-up; ``first_ticks`` and ``ppm`` of the board's clock; ``id`` in
    hex; ``given``, whether time is; ``chip`` and ``board``, where they are no RP2040 and no Pico. `real_us`: the time
    outside. Inside, times are µs since power-up."""

    def __init__(self, setup: "dict[str, int]", channel: "Channel", real_us: "Callable[[], int]") -> None:
        self.setup = setup
        self.given = bool(setup["given"])
        self.chip_name = str(setup.get("chip", "RP2040"))
        self.levels: dict[int, int] = {}  # of pins that something outside holds up or down
        self.edge: Callable[[int, int], None] | None = None  # told of changes of those
        self.felt: dict[int, Callable[[int], None]] = {}  # by state machines, whose pins they are
        self.credits: dict[int, int] = {}  # requests of each DMA channel for which there was nothing to copy
        self.do: Callable[[list[object]], None] | None = None
        self.heard = bytearray()  # from the Pi, not read by the board yet
        self.hung = False  # a transfer over the bus doesn't come to its end
        self.fails_in: tuple[bytes, int] | None = None  # in a sentence with this, after so many bytes, the power fails
        self.stalled = False  # nobody reads at the other end of the cable
        self.ticks_in_interrupt: int | None = None  # computed before, since nothing may be allocated there
        self._channel = channel
        self._real_us = real_us
        self._began_us = real_us()
        self._now = 0
        self.field = Field("pad", AirClock(self.now), self)  # pyright: ignore[reportArgumentType]  # it appends, no more
        self.chip = Mfrc522Chip(self.field)
        self._next = 0  # when something is due
        self._granted = -1  # until when the board may run; not asked yet
        self._actions: list[tuple[int, list[object]]] = []
        self._bites: int | None = None
        self._said = bytearray()
        self._leaves = _NEVER
        self._base = setup["first_ticks"]  # ticks less now, until the clock has drifted on by one
        self._drifts = 0
        self._poll = uselect.poll()
        self._poll.register(channel.input, uselect.POLLIN)

    def now(self) -> int:
        """µs since power-up."""
        return self._now if self.given else self._real_us() - self._began_us

    def append(self, truth: "tuple[int, str, str, str]") -> None:
        """Report what the field notes about its cards instead of keeping it."""
        self.tell(truth[2], truth[3])

    def tell(self, what: str, *about: "str | int | None") -> None:
        """Tell the truth, with the table's time."""
        self._channel.tell(what, self.setup["begin_us"] + self.now(), *about)

    def ticks(self) -> int:
        """The board's clock in given time, read now, which takes a moment."""
        if self.ticks_in_interrupt is not None:
            return self.ticks_in_interrupt
        # most of what the VM does besides the firmware is this: so no other function is called
        self._now += READ_US
        if self._next <= self._now:
            self.step()
        if self._now >= self._drifts:
            self._drift()
        return (self._base + self._now) & _MASK

    def timer(self) -> int:
        """The lower half of the chip's timer, of which the ticks are the lower 30 bits; reading it takes no time."""
        if self._now >= self._drifts:
            self._drift()
        return (self._base + self._now) & 0xFFFFFFFF

    def interrupt(self, handler: "Callable[[], None]") -> None:
        """Call a handler while the clock shows when it began."""
        if self._now >= self._drifts:
            self._drift()
        self.ticks_in_interrupt = (self._base + self._now + INTERRUPT_US) & _MASK
        try:
            handler()
        finally:
            self.ticks_in_interrupt = None

    def spend(self, us: int) -> None:
        """Keep the processor busy for a time."""
        if self.given and self.ticks_in_interrupt is None:
            self._now += us
            if self._next <= self._now:
                self.step()

    def transfer(self, data: bytes, hz: int) -> "list[int]":
        """Do one transfer with the reader, which takes its time."""
        while self.hung:
            self.rest(1000)
        read = self.chip.transfer(data, hz)
        if self.given:
            self._now = max(self._now, self.field.clock.reached_us()) + CALL_US
            if self._next <= self._now:
                self.step()
        return read

    def rest(self, us: int, wakes: bool = False) -> None:
        """The board waits; in given time less long if `wakes` and something comes from the Pi."""
        ends = self.now() + us
        self.step()
        while self.now() < ends and not (wakes and self.heard):
            if self.given:
                self._now = max(self._now, min(ends, self._next))
            self.step()

    def step(self) -> None:
        """Run what is due."""
        while not self.given and self._poll.poll(0):
            self._take(self._channel.receive())
        now = self.now()
        while self._next <= now:
            self._let_happen(now)
            now = self.now()

    def frame(self) -> int:
        """The number of the bus's last frame. Reading it clears the interrupt by which the USB continues to send."""
        if self.interrupts():
            self.tell("spoilt")
        return (self.setup["begin_us"] + self.now()) // FRAME_US % FRAMES

    def interrupts(self) -> int:
        """The interrupts of the USB that are enabled: that of frames, while something is being sent."""
        return INTE_SOF if self._said else 0

    def room(self) -> int:
        """The number of bytes that can be written now without waiting."""
        return KEPT - len(self._said) if self.stalled else KEPT

    def stall(self, stalled: bool) -> None:
        """Stop reading at the other end, or read again."""
        self.stalled = stalled
        self._leaves = _NEVER if stalled or not self._said else self._now + USB_US
        self._next = min(self._next, self._leaves)

    def say(self, said: bytes) -> None:
        """Send something from the board to the Pi."""
        if not self._said and not self.stalled:
            self._leaves = self._now + USB_US
            self._next = min(self._next, self._leaves)
        self._said += said
        begun = self._said[self._said.rfind(b"#") :]
        if self.fails_in and self.fails_in[0] in begun and len(begun) >= self.fails_in[1]:
            self.end("failed")

    def bite_after(self, us: int | None) -> None:
        """Let the watchdog bite after `us`, unless this is called again before."""
        self._bites = None if us is None else self.now() + us
        if self._bites is not None:
            self._next = min(self._next, self._bites)

    def prompt(self) -> None:
        """The program has come to its end, which its watchdog doesn't know. Doesn't return."""
        self.end("prompt" if self._bites is None else "bitten")

    def end(self, how: str, why: str = "") -> None:
        """End the board's power-up; the last bytes are still on their way. Doesn't return."""
        self._leave()
        self.tell("ended", how, why)
        while True:
            self._channel.receive()

    def _let_happen(self, now: int) -> None:
        """The first thing that is due."""
        if self._bites is not None and self._bites <= now:
            self.end("bitten")
        if self._actions and self._actions[0][0] <= now:
            action = self._actions.pop(0)[1]
            if self.do:
                self.do(action)
        elif self.given and (self._leaves <= now or self._granted <= now):
            self._leave()
            if self._granted >= 0:
                self.tell("reached")
            self._granted = -1
            while self._granted < 0:
                self._take(self._channel.receive())
        self._next = min(
            self._actions[0][0] if self._actions else _NEVER,
            _NEVER if self._bites is None else self._bites,
            self._leaves,
            self._granted if self.given else _NEVER,
        )

    def _leave(self) -> None:
        if self._said and not self.stalled:
            self.tell("said", self._said.hex())
            self._said = bytearray()
            self._leaves = _NEVER

    def _take(self, message: "list[Any]") -> None:
        """Handle a line from the controlling process: ``until``, ``hear`` or ``do``."""
        what = message[0]
        if what == "hear":
            self.heard += bytes.fromhex(message[1])
            return
        at = max(0, message[1] - self.setup["begin_us"])
        if what == "until":
            self._granted = at
            return
        place = len(self._actions)
        while place and self._actions[place - 1][0] > at:
            place -= 1
        self._actions.insert(place, (at, message[2:]))
        self._next = min(self._next, at)

    def _drift(self) -> None:
        """The difference of the board's clock from the table's by now, and when it grows by one more."""
        ppm = self.setup["ppm"]
        drifted = self._now * ppm // 1_000_000
        self._base = self.setup["first_ticks"] + drifted
        self._drifts = self._now + 1 + 500_000 // max(1, abs(ppm))


this: World
