"""How well presses on controllers on USB are placed in time, and put in order with those on pins and seat boards: the
driver's own rule and bound, over contacts that bounce and a firmware that is asked at intervals, known to the
nanosecond. How late the kernel stamps a report and how a firmware looks at its contacts are assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from taptable.core.arbiter import Press, PressArbiter, first_press
from taptable.core.device_events import ButtonEdge
from taptable.drivers.board.bus import Socket, UsbBus
from taptable.drivers.contacts import Movement
from taptable.drivers.input.nodes import BOUNCE_US, HANDED_OVER_US, EventNode
from taptable.drivers.usb_ports import ClassNode

from bench.bus import KERNEL_US, OTHER_HUB_NS, S_NS, SEATS, BusBoard, Host, RaceCounts, judge_race

US_NS = 1_000
HELD_NS = (60_000_000, 400_000_000)
LOADED_SHARE = 0.05
"""The share of reports that the kernel stamps as late as is allowed for; others within 0.3 ms."""
_SHORTEST_PULSE_NS, _LONGEST_PULSE_NS = 20_000, 2_000_000


@dataclass(frozen=True, slots=True)
class Make:
    """A make of controller: the interval that its descriptor states, how often it is really asked, and whether its
    contacts bounce for the firmware."""

    stated_us: int
    asked_us: int
    bounces: bool


MAKES = {
    "Buzz!, 10 ms, asked every 8": Make(10_000, 8_000, bounces=False),
    "Buzz!, 10 ms, asked every 10": Make(10_000, 10_000, bounces=False),
    "encoder that bounces, 10 ms, asked every 8": Make(10_000, 8_000, bounces=True),
    "encoder that bounces, 10 ms, asked every 10": Make(10_000, 10_000, bounces=True),
    "fast encoder that bounces, every 1 ms": Make(1_000, 1_000, bounces=True),
    "fast encoder that bounces, every 0.125 ms": Make(125, 125, bounces=True),
}


class SimulatedController:
    """A controller that is asked at its interval, from a time of its own."""

    def __init__(self, make: Make, random: Random) -> None:
        self.node = EventNode(ClassNode("event0", Path(), "1-1", Path()), frozenset(), make.stated_us)
        self._make = make
        self._random = random
        self._phase_ns = random.randrange(make.asked_us * US_NS)

    def press(self, seat: int, at_ns: int) -> ButtonEdge:
        """Press a button at a time, and return what the driver reports."""
        random, interval_ns = self._random, self._make.asked_us * US_NS
        released_ns = at_ns + random.randrange(*HELD_NS)
        moves = [*self._moves(at_ns, True), *self._moves(released_ns, False)]
        movement = Movement(seat, self.node.late_us, BOUNCE_US)
        asked_ns = at_ns - (at_ns - self._phase_ns) % interval_ns + interval_ns
        closed = reported = False
        while asked_ns < released_ns + 3 * interval_ns + 10_000_000:
            while moves and moves[0][0] <= asked_ns:
                closed = moves.pop(0)[1]
            if closed is not reported:
                reported = closed
                late_us = HANDED_OVER_US if random.random() < LOADED_SHARE else random.randrange(300)
                movement.add_edge(closed, asked_ns // US_NS + late_us, 0)
            asked_ns += interval_ns
        edges = movement.take_settled(released_ns // US_NS + 1_000_000)
        assert [edge.pressed for edge in edges] == [True, False], edges
        return edges[0]

    def _moves(self, at_ns: int, closed: bool) -> list[tuple[int, bool]]:
        """Return the times at which a contact closes or opens: it ends as it began."""
        moves = [(at_ns, closed)]
        if self._make.bounces:
            ends_ns = at_ns + self._random.randrange(BOUNCE_US * US_NS)
            while True:
                undone_ns = moves[-1][0] + self._random.randrange(_SHORTEST_PULSE_NS, _LONGEST_PULSE_NS)
                again_ns = undone_ns + self._random.randrange(_SHORTEST_PULSE_NS, _LONGEST_PULSE_NS)
                if again_ns > ends_ns:
                    break
                moves += [(undone_ns, not closed), (again_ns, closed)]
        return moves


@dataclass(slots=True)
class PlacedPresses:
    """Presses on one make of controller: how many lay outside their bound, the bound, by how much each stamp was off,
    and the longest time until a press was known."""

    outside: int = 0
    bound_us: int = 0
    errors_us: list[float] = field(default_factory=list[float])
    known_us: float = 0.0


def place_presses(make: Make, count: int, seed: int) -> PlacedPresses:
    """Press a button at any time."""
    random, result = Random(seed), PlacedPresses()
    controller, at_ns = SimulatedController(make, random), S_NS
    for _ in range(count):
        at_ns += random.randrange(S_NS // 2, S_NS)
        edge = controller.press(1, at_ns)
        off_us = edge.at_us - at_ns / US_NS
        result.errors_us.append(off_us)
        result.outside += abs(off_us) > edge.uncertainty_us + 1  # of rounding
        result.bound_us = edge.uncertainty_us
        result.known_us = max(result.known_us, off_us + edge.settle_us)
    return result


TABLES: dict[str, Sequence[str]] = {
    "all on one Buzz! set": ["buzz 1"] * 4,
    "on two Buzz! sets": ["buzz 1", "buzz 1", "buzz 2", "buzz 2"],
    "Buzz!, pins and boards mixed": ["buzz 1", "buzz 1", "pin", "pin", "board", "board"],
    "Buzz!, an encoder, a pin and a board": ["buzz 1", "encoder", "pin", "board"],
}
_MAKE_OF = {
    "buzz 1": "Buzz!, 10 ms, asked every 8",
    "buzz 2": "Buzz!, 10 ms, asked every 10",
    "encoder": "encoder that bounces, 10 ms, asked every 8",
}


def race(races: int, seed: int, places: Sequence[str], rule_on: PressArbiter = first_press) -> RaceCounts:
    """Run races of three of a table's buttons, each up to 30 ms after the one before."""
    random, result = Random(seed), RaceCounts()
    bus, host = UsbBus(SEATS, True), Host(random)
    controllers = {
        place: SimulatedController(MAKES[make], random) for place, make in _MAKE_OF.items() if place in places
    }
    boards = {
        seat: BusBoard(seat, host, bus, Socket("pci", "hub"), random, random.randrange(OTHER_HUB_NS))
        for seat, place in enumerate(places)
        if place == "board"
    }
    now_ns = S_NS
    while result.races < races:
        for board in boards.values():
            for at_ns in (now_ns, now_ns + S_NS):
                board.ping(at_ns + random.randrange(20_000_000))
                board.hunt(at_ns + 40_000_000 + random.randrange(20_000_000))
        now_ns += 2 * S_NS
        at_ns, presses = now_ns + random.randrange(600_000_000), list[tuple[Press, int]]()
        for seat in random.sample(range(len(places)), 3):
            if seat in boards:
                made = boards[seat].press(at_ns)
                press = Press(seat, made.at_us, made.uncertainty_us)
            elif places[seat] == "pin":
                press = Press(seat, at_ns // US_NS + random.randrange(KERNEL_US), KERNEL_US)
            else:
                edge = controllers[places[seat]].press(seat, at_ns)
                press = Press(seat, edge.at_us, edge.uncertainty_us)
            presses.append((press, at_ns))
            at_ns += random.randrange(1, random.choice((300_000, 30_000_000)))
        judge_race(result, presses, random.randrange(SEATS), rule_on)
    return result
