"""A seat board at the end of a line, in given time: the boards' shared code on one side, the Pi's link on the other,
and in between delays, losses and a host that is held up or stands still. Unlike `boards` it has no port and no loop, so
that hours of it pass in seconds. The time of each event is known to the nanosecond."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from random import Random

from tapshared.conversation import Conversation
from tapshared.ticks import PERIOD, ticks_diff
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import BoardEvent
from taptable.drivers.board.usb_model import NO_NOISE, Cable, CableNoise

_BOARD, _HOST = "board", "host"
WORST_PPM = 100
STEP_NS = 10_000_000_000
CALM_PPM = 1  # in ten seconds, in a room


@dataclass(frozen=True, slots=True)
class Latency:
    """The time for one way, in µs: anything between two times; a share of all is later still, by `late_us` on
    average."""

    shortest_us: int
    longest_us: int
    late_share: float = 0.0
    late_us: int = 0

    def delay_ns(self, random: Random) -> int:
        """A random delay, in ns."""
        us = random.uniform(self.shortest_us, self.longest_us)
        if random.random() < self.late_share:
            us += random.expovariate(1 / self.late_us)
        return int(us * 1000)


@dataclass(frozen=True, slots=True)
class Line:
    """The ways to the board and back, the damage to lines on either, and the changing rate of the board's clock."""

    to_board: Latency
    to_host: Latency
    noise: CableNoise = NO_NOISE
    wander_ppm: int = CALM_PPM


POLLED_USB = Line(Latency(20, 120), Latency(20, 1_020))
"""USB as the Pi drives it: its bytes go at once, and it polls the board every millisecond."""

POLLING_BOARD = Line(Latency(20, 1_120), Latency(20, 1_020))
"""The same with a board that looks at its port once in a turn of its loop, each millisecond."""

LOADED = Line(Latency(20, 120, 0.1, 6_300), Latency(20, 1_020, 0.1, 6_300))
"""As ASKED, from a busy host: 1 % of what two boards send at once arrives 19 ms apart."""

MEASURED = Line(Latency(1_600, 4_000), Latency(9_500, 13_500))
"""As long as both ways took with the firmware of 1.0.0 and MicroPython on an emulated RP2040."""

EMULATED = Line(Latency(300, 3_000, 0.023, 15_000), Latency(700, 2_000))
"""As long as both ways took with the firmware of 1.2.0 on an emulated RP2040 with misses of its flash cache: 3.3 ms,
and 24 for one ping of a hundred, which came while the board collected its memory."""

ESTIMATED = Line(Latency(300, 2_500), Latency(1_500, 3_000))
"""As long as the ways should take now, by the VM's instructions: a turn and a look before a ping is read, a pong made
before anything else, the next millisecond in which the host polls."""

BEHIND_HUB = Line(Latency(20, 1_120), Latency(2_000, 12_000))
"""Behind a hub that passes on slowly what the board sends."""


class Quartz:
    """A board's clock as its crystal keeps it, in whole ns, so that nothing is lost over hours: `first_us` at time 0, a
    rate anywhere within `WORST_PPM` that stays within them, and changes by up to `wander_ppm` each `STEP_NS`."""

    def __init__(self, random: Random, first_us: int = 0, wander_ppm: int = CALM_PPM) -> None:
        self._random = random
        self._wander_ppm = wander_ppm
        self._ppm = random.randint(-WORST_PPM, WORST_PPM)
        self._since_ns = 0
        self._shown_ns = first_us * 1000

    def ticks(self, at_ns: int) -> int:
        """The ticks at a time not more than `STEP_NS` before any that was asked for."""
        while at_ns >= self._since_ns + STEP_NS:
            self._shown_ns = self._at_ns(self._since_ns + STEP_NS)
            self._since_ns += STEP_NS
            wandered = self._ppm + self._random.randint(-self._wander_ppm, self._wander_ppm)
            self._ppm = max(-WORST_PPM, min(WORST_PPM, wandered))
        return self._at_ns(at_ns) // 1000 % PERIOD

    def _at_ns(self, at_ns: int) -> int:
        span_ns = at_ns - self._since_ns
        return self._shown_ns + span_ns + span_ns * self._ppm // 1_000_000


class DistantBoard:
    """A board `name` and the Pi's link to it. `events` are the events that the Pi has taken, and when it took them in
    table time.
    """

    def __init__(self, name: str, line: Line, random: Random) -> None:
        self.now_ns = 0
        self.events: list[tuple[BoardEvent, int]] = []
        self.quartz = Quartz(random, random.randrange(PERIOD), line.wander_ppm)
        self.link = BoardLink(name, lambda _board, _boot: 0, has_button=True)
        about: dict[str, int | str] = {"board": name, "boot": 1, "firmware": "distant"}
        about |= {"pads": 1, "pixels": 12, "buttons": 1}
        self.board = Conversation(about, self.quartz.ticks(0))
        self._line = line
        self._random = random
        self._cables = {_BOARD: Cable(random, line.noise), _HOST: Cable(random, line.noise)}
        self._free_ns = {_BOARD: 0, _HOST: 0}  # when the last that was said to one end arrives there
        self._wakes_ns = {_BOARD: -1, _HOST: -1}
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        self._slept_ns = 0
        self._sleep_ns: tuple[int, int] | None = None
        self.link.port_opened(0)
        self.host_speaks()
        self._board_speaks()

    @property
    def table_ns(self) -> int:
        """The table's time now: the host's clock stands still while the host does."""
        return (self.now_ns if self._sleep_ns is None else self._sleep_ns[0]) - self._slept_ns

    @property
    def table_us(self) -> int:
        """The same as the host reads it."""
        return self.table_ns // 1000

    @property
    def ticks(self) -> int:
        """The present value of the board's clock."""
        return self.quartz.ticks(self.now_ns)

    def run_until(self, at_ns: int) -> None:
        """Let time pass until `at_ns`."""
        while self._due and self._due[0][0] <= at_ns:
            self.now_ns, _, act = heappop(self._due)
            act()
        self.now_ns = at_ns

    def schedule(self, after_ns: int, act: Callable[[], None]) -> None:
        """Call `act` after `after_ns`."""
        heappush(self._due, (self.now_ns + after_ns, next(self._order), act))

    def suspend_host(self, span_ns: int) -> None:
        """Suspend the host from now on. It reads what arrives meanwhile when it wakes; the board runs on."""
        if self._sleep_ns is None:
            self._sleep_ns = (self.now_ns, self.now_ns + span_ns)
            self.schedule(span_ns, self._wake_host)

    def press(self) -> None:
        """Press the button now, which the board reports at once."""
        self.board.queue_event("press", (self.ticks, ""), self.ticks)
        self._board_speaks()

    def call_when_read(self, act: Callable[[], None]) -> None:
        """Call `act` when the host has everything that the board would send now."""
        self.schedule(self._line.to_host.delay_ns(self._random), lambda: self._on_host(act))

    def host_speaks(self) -> None:
        """Send what the link has to send."""
        self._carry(self.link.take_outgoing(), _BOARD)
        due_us = self.link.due_us
        if due_us is not None:
            self._wake(due_us * 1000 + self._slept_ns, _HOST)

    def _on_host(self, act: Callable[[], None]) -> None:
        """Call it now, or when the host wakes."""
        if self._sleep_ns is None:
            act()
        else:
            self.schedule(self._sleep_ns[1] - self.now_ns, lambda: self._on_host(act))

    def _wake_host(self) -> None:
        assert self._sleep_ns is not None
        self._slept_ns += self._sleep_ns[1] - self._sleep_ns[0]
        self._sleep_ns = None

    def _host_works(self) -> None:
        self.link.tick(self.table_us)
        self.host_speaks()

    def _host_hears(self, said: bytes) -> None:
        self._on_host(lambda: self._host_reads(said))

    def _host_reads(self, said: bytes) -> None:
        self.link.data_received(said, self.table_us)
        while (event := self.link.next_event()) is not None:
            self.events.append((event, self.table_us))
            self.link.acknowledge(event.origin)
        self.host_speaks()

    def _board_speaks(self) -> None:
        self._carry(self.board.take_outgoing(self.ticks), _HOST)
        wait_us = max(0, ticks_diff(self.board.due, self.ticks))
        self._wake(self.now_ns + (wait_us + 1) * 1000, _BOARD)

    def _board_hears(self, said: bytes) -> None:
        self.board.receive(said, self.ticks)
        self._board_speaks()

    def _carry(self, said: bytes, end: str) -> None:
        """Deliver the bytes later, after those that went to the same end before."""
        if not said:
            return
        way = self._line.to_board if end == _BOARD else self._line.to_host
        said = self._cables[end].carry(said)
        at_ns = max(self.now_ns + way.delay_ns(self._random), self._free_ns[end])
        self._free_ns[end] = at_ns
        hear = self._board_hears if end == _BOARD else self._host_hears
        self.schedule(at_ns - self.now_ns, lambda: hear(said))

    def _wake(self, at_ns: int, end: str) -> None:
        """Wake one end then, unless it has to wake at another time before that."""
        at_ns = max(at_ns, self.now_ns)
        if self._wakes_ns[end] == at_ns:
            return
        self._wakes_ns[end] = at_ns

        def wake() -> None:
            if self._wakes_ns[end] == at_ns:
                self._wakes_ns[end] = -1
                if end == _BOARD:
                    self._board_speaks()
                else:
                    self._on_host(self._host_works)

        self.schedule(at_ns - self.now_ns, wake)
