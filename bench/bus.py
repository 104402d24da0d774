"""How well the frames of the USB order presses on two boards: the real `Bus` and its clocks over boards whose ticks,
frames and delays are known to the nanosecond. The figures of the boards were measured on an emulated RP2040 (the pin's
interrupt, the round trip); so were the width of an anchor, and the error of the chip's own stamp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from tapshared.ticks import PERIOD, ticks_diff
from taptable.core.arbiter import Press, PressArbiter, first_press
from taptable.drivers.board.bus import FRAME_NUMBERS, FRAME_US, HOST_DRIFT_PPM, BusClock, Socket, UsbBus
from taptable.drivers.board.clock import BoardClock, Moment

from bench.distant_board import STEP_NS, Quartz

S_NS = 1_000_000_000
PIN_US = (27, 119)  # from the contact to its stamp: 27 to 35 without misses of the flash cache, 64 to 119 with them
PIN_LATE_SHARE, PIN_LATE_US = 0.005, (20, 149)  # with the USB's, which is as urgent: how often is assumed
TO_BOARD_US, TO_HOST_US = (300, 3_000), (700, 2_000)  # a ping and its pong, measured with the firmware of 1.2.0
GC_SHARE, GC_US = 0.023, 23_300  # a ping that comes while the board collects its memory
HELD_UP_SHARE, HELD_UP_US = 0.02, 6_300  # a loaded host, on average
EXACT_NS = (0, 100)  # where the chip itself stamps it, before the timer is rounded down: 40 to 900 before the contact
HUNT_DELAY_US = (3_000, 8_000)  # from a press to the hunt beside it
READ_NS = (100, 1_000)  # from a read to the frame's edge, and from that to the next
READ_LATE_SHARE, READ_LATE_NS = 0.02, 100_000  # something came between
MISSED_SHARE = 0.01  # of the frames
SAME_HUB_NS, OTHER_HUB_NS = 1_000, 125_000  # how much later than another a board may hear a frame
HUNTS, WIDE_US = 3, 20  # as in the firmware
SEATS = 6


class Host:
    """The controller's frames: their rate is anywhere within the permitted range, and changes slowly. A frame that was
    sent at a time of the host's own clock is numbered by that time."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._ppm = random.randint(-HOST_DRIFT_PPM + 5, HOST_DRIFT_PPM - 5)
        self._since_ns = 0
        self._shown_ns = random.randrange(FRAME_NUMBERS) * FRAME_US * 1000
        self._suspended_ns = 0

    def bus_ns(self, at_ns: int) -> int:
        """Bus time then, a second at most before any that was asked for."""
        while at_ns >= self._since_ns + STEP_NS:
            self._shown_ns += STEP_NS + STEP_NS * self._ppm // 1_000_000
            self._since_ns += STEP_NS
            self._ppm = max(-HOST_DRIFT_PPM, min(HOST_DRIFT_PPM, self._ppm + self._random.randint(-1, 1)))
        span_ns = at_ns - self._since_ns
        return self._shown_ns + span_ns + span_ns * self._ppm // 1_000_000

    def suspend(self, span_ns: int) -> None:
        """Send no frames for a time: from now on each number comes later."""
        self._shown_ns -= span_ns

    def sent_ns(self, frame: int, near_ns: int) -> int:
        """The time at which the frame with this count was sent."""
        at_ns = near_ns
        for _ in range(3):
            at_ns += frame * FRAME_US * 1000 - self.bus_ns(at_ns)
        return at_ns


class BusBoard:
    """A board that hears the host's frames `late_ns` after they are sent, and the Pi's knowledge of its clock."""

    def __init__(self, seat: int, host: Host, bus: UsbBus, socket: Socket, random: Random, late_ns: int) -> None:
        self.seat = seat
        self.clock = BoardClock()
        plugged = bus.plug_in(seat, socket)
        assert plugged is not None
        self.bus_clock: BusClock = plugged
        self._quartz = Quartz(random, random.randrange(PERIOD), 1)
        self._host, self._bus, self._random, self._late_ns = host, bus, random, late_ns

    def ping(self, at_ns: int) -> None:
        """The Pi asks for its ticks."""
        there_ns = 1000 * self._random.randint(*TO_BOARD_US)
        if self._random.random() < GC_SHARE:
            there_ns += 1000 * self._random.randrange(GC_US)
        ticks = self._quartz.ticks(at_ns + there_ns)
        self.clock.add_exchange(at_ns // 1000, ticks, (at_ns + there_ns + self._to_host_ns()) // 1000)

    def hunt(self, at_ns: int) -> None:
        """The board looks for a frame, and reports it."""
        after, by, frame, read_ns = self._hunt(at_ns)
        for _ in range(HUNTS - 1):
            if ticks_diff(by, after) > WIDE_US:
                after, by, frame, read_ns = self._hunt(read_ns)
        arrived_us = (read_ns + self._to_host_ns()) // 1000
        self.bus_clock.add_anchor(frame % FRAME_NUMBERS, after, by, self.clock, arrived_us)

    def _hunt(self, at_ns: int) -> tuple[int, int, int, int]:
        random = self._random
        frame = self._host.bus_ns(at_ns - self._late_ns) // (FRAME_US * 1000) + 1
        if random.random() < MISSED_SHARE:
            frame += 1
        edge_ns = self._host.sent_ns(frame, at_ns) + self._late_ns
        after = self._quartz.ticks(edge_ns - random.randint(*READ_NS))
        read_ns = edge_ns + random.randint(*READ_NS)
        if random.random() < READ_LATE_SHARE:
            read_ns += random.randrange(READ_LATE_NS)
        return after, self._quartz.ticks(read_ns), frame, read_ns

    def stamp(self, at_ns: int) -> int:
        """The ticks then."""
        return self._quartz.ticks(at_ns)

    def press(self, at_ns: int, *, exact: bool = False) -> Moment:
        """Press the button, and return the time that the Pi states. The press's anchor comes before it. `exact`: the
        chip stamps it."""
        random = self._random
        late_us = PIN_LATE_US if random.random() < PIN_LATE_SHARE else PIN_US
        late_ns = EXACT_NS if exact else (1000 * late_us[0], 1000 * late_us[1])
        ticks = self._quartz.ticks(at_ns + random.randint(*late_ns))
        noticed_ns = at_ns + 1000 * random.randint(*HUNT_DELAY_US)
        self.hunt(noticed_ns)
        arrived_us = (noticed_ns + 2 * FRAME_US * 1000 + self._to_host_ns()) // 1000
        return self._bus.place_press(self.seat, ticks, self.clock.moment(ticks, arrived_us), arrived_us, exact)

    def bus_us(self, ticks: int, at_ns: int) -> tuple[Moment, float]:
        """The stated bus time of a stamp, and the true one, both from the frame that is counted as 0."""
        said = self.bus_clock.bus_time(ticks, at_ns // 1000 + 20_000)
        return said, self._host.bus_ns(at_ns - self._late_ns) / 1000

    def _to_host_ns(self) -> int:
        us = self._random.uniform(*TO_HOST_US)
        if self._random.random() < HELD_UP_SHARE:
            us += self._random.expovariate(1 / HELD_UP_US)
        return int(us * 1000)


@dataclass(slots=True)
class RaceCounts:
    """The results of races of three buttons. `wrong`: the winner was named alone and wasn't the first, or by the stated
    times of both presses another seat had certainly beaten it; `outside`: two presses were further from their true
    distance than stated. `errors_us` are of the first two presses."""

    races: int = 0
    ties: int = 0
    wrong: int = 0
    out_of_bounds: int = 0
    widest_tie_us: float = 0.0
    bounds_us: list[int] = field(default_factory=list[int])
    errors_us: list[float] = field(default_factory=list[float])


@dataclass(frozen=True, slots=True)
class Mixture:
    """The buttons of a table: boards behind a number of hubs of a number of controllers, or with one button on a pin of
    the Pi; whether the bus is suspended now and then; and how many of a hundred presses the chip itself stamps."""

    hubs: int = 1
    controllers: int = 1
    pin: bool = False
    is_suspended: bool = False
    exact: int = 0


MIXTURES = {
    "behind one hub": Mixture(),
    "behind two hubs of a controller": Mixture(hubs=2),
    "behind one hub, each press stamped by its chip": Mixture(exact=100),
    "behind two hubs, each press stamped by its chip": Mixture(hubs=2, exact=100),
    "behind one hub, half of them, and the bus suspended": Mixture(is_suspended=True, exact=50),
    "at two controllers": Mixture(hubs=2, controllers=2),
    "two of boards, one a pin of the Pi": Mixture(pin=True),
    "behind one hub, the bus suspended now and then": Mixture(is_suspended=True),
    "behind two hubs, the bus suspended now and then": Mixture(hubs=2, is_suspended=True),
}
KERNEL_US = 50  # by which the kernel's stamp of a pin is off, at most (edges.gpio)


def race(races: int, seed: int, mixture: Mixture, rule_on: PressArbiter = first_press) -> RaceCounts:
    """Run races of three of a table's buttons, each up to 20 ms after the one before."""
    random = Random(seed)
    bus = UsbBus(SEATS, mixture.pin)
    hosts = [Host(random) for _ in range(mixture.controllers)]
    hubs_late_ns = [random.randrange(OTHER_HUB_NS + 1 - SAME_HUB_NS) if hub else 0 for hub in range(mixture.hubs)]
    boards: list[BusBoard] = []
    for seat in range(SEATS):
        hub, at = seat % mixture.hubs, seat % mixture.controllers
        late_ns = hubs_late_ns[hub] + random.randrange(SAME_HUB_NS)
        boards.append(BusBoard(seat, hosts[at], bus, Socket(f"pci{at}", f"hub{hub}"), random, late_ns))
    result = RaceCounts()
    now_ns = S_NS
    while result.races < races:
        if mixture.is_suspended and random.random() < 0.02:
            hosts[0].suspend(random.randrange(3 * S_NS))
        for at_ns in (now_ns, now_ns + S_NS):
            for board in boards:
                board.ping(at_ns + random.randrange(20_000_000))
                board.hunt(at_ns + 40_000_000 + random.randrange(20_000_000))
        now_ns += S_NS
        at_ns, presses = now_ns + 100_000_000 + random.randrange(600_000_000), list[tuple[Press, int]]()
        for board in random.sample(boards, 3):
            press = _to_press(board, board.press(at_ns, exact=random.randrange(100) < mixture.exact))
            if mixture.pin and len(presses) == 1:
                off_ns = random.randrange(-1000 * KERNEL_US, 1000 * KERNEL_US)
                press = Press(board.seat, (at_ns + off_ns) // 1000, KERNEL_US)
            presses.append((press, at_ns))
            at_ns += random.randrange(1, random.choice((300_000, 20_000_000)))
        judge_race(result, presses, random.randrange(SEATS), rule_on)
        now_ns += S_NS
    return result


def _to_press(board: BusBoard, made: Moment) -> Press:
    return Press(board.seat, made.at_us, made.uncertainty_us)


def judge_race(result: RaceCounts, presses: Sequence[tuple[Press, int]], after: int, rule_on: PressArbiter) -> None:
    """Rule on presses that are in their true order, each with its true time (ns), and compare."""
    said = [press for press, _ in presses]
    ruling = rule_on((*reversed(said),), after, SEATS)
    offs_us = [
        (
            abs(later.pressed_at_us - one.pressed_at_us - (later_ns - ns) / 1000),
            one.uncertainty_us + later.uncertainty_us,
        )
        for (one, ns), (later, later_ns) in combinations(presses, 2)
    ]
    result.races += 1
    result.bounds_us.append(max(press.uncertainty_us for press in said))
    result.errors_us.append(offs_us[0][0])
    result.out_of_bounds += any(off_us > bound_us for off_us, bound_us in offs_us)
    winner = ruling.press
    beaten = any(
        press.pressed_at_us + press.uncertainty_us <= winner.pressed_at_us - winner.uncertainty_us
        for press in said
        if press.pressed_at_us < winner.pressed_at_us
    )
    result.wrong += beaten or (not ruling.tied and winner is not said[0])
    if ruling.tied:
        times_us = [ns / 1000 for press, ns in presses if press.seat in ruling.tied]
        result.ties += 1
        result.widest_tie_us = max(result.widest_tie_us, times_us[-1] - times_us[0])


def stamps(count: int, seed: int) -> tuple[int, list[int]]:
    """Convert stamps of one board at any time, some long before or after an anchor. Return how many were outside the
    stated bound of their bus time, and the bounds."""
    random = Random(seed)
    host = Host(random)
    board = BusBoard(0, host, UsbBus(1, False), Socket("pci", "hub"), random, 0)
    outside, bounds = 0, list[int]()
    now_ns = S_NS
    board.ping(now_ns)
    board.hunt(now_ns + 50_000_000)
    first = board.bus_us(board.stamp(now_ns), now_ns)
    offset_us = round((first[1] - first[0].at_us) / (FRAME_US * FRAME_NUMBERS)) * FRAME_US * FRAME_NUMBERS
    while len(bounds) < count:
        now_ns += random.choice((S_NS // 20, S_NS // 20, S_NS // 4, 2 * S_NS))
        if random.random() < 0.3:
            board.ping(now_ns)
            board.hunt(now_ns + 30_000_000)
        at_ns = now_ns + 60_000_000 + random.randrange(S_NS // 50)
        said, truth_us = board.bus_us(board.stamp(at_ns), at_ns)
        bounds.append(said.uncertainty_us)
        truth_us -= offset_us
        outside += not said.earliest_us <= truth_us <= said.latest_us
    return outside, bounds
