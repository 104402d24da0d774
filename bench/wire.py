"""The time from a tap to the light of its verdict, part by part, with six boards busy; and the cost of a tap on the
wire. Says of each figure whether it is a model's, was measured here and scaled to a Pico or a Pi, or is assumed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TextIO

from firmware.vm.process import find_program
from tapshared.pad import LOOK_EVERY_US
from tapshared.sentences import Message, encode
from taptable.drivers.rc522_poller import MIN_PAUSE_S, POLL_S
from taptable.sim.cards import ntag213
from taptable.sim.statistics import quantiles

from bench.board_costs import PICO_NS, BoardCosts, measure_board
from bench.busy_table import PLAYERS
from bench.distant_board import POLLED_USB
from bench.own_buses import TurnCosts, measure_i2c, measure_spi
from bench.tap_costs import CUE, READ, REFEREE, HostCosts, as_json, measure_host, measure_traffic

PI_SLOWER = 5.0
"""The factor by which Python is slower on a Pi 4 than here; still to be measured *(bench)*."""

WAKE_US = 75
"""Time until the loop has noticed that a port is readable, in µs; the median measured over a pseudo-terminal on a
PC."""

TURN_US = 1_000
"""A step of the board's loop, in which it sends a frame or draws some pixels."""

TOGETHER_US = 100_000
"""The other boards' taps come within this time around ours, in µs."""

TRANSFER_US = 60
"""The kernel's time for a transfer on a bus of the Pi besides the time on the wires, in µs; still to be measured
*(bench)*."""

TURN_OF_THE_PAD = "until the pad's turn"
_PIXELS_SENT_US = 500
_UID = bytes.fromhex("04a2b3c4d5e680")


class Source(StrEnum):
    """The source of a figure."""

    MODEL = "model"
    PICO = "Pico"
    PI = "Pi"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the way, for each tap."""

    name: str
    source: Source
    times_us: list[float]


def tap_parts(board: BoardCosts, host: HostCosts, taps: int, seed: int, pi_slower: float = PI_SLOWER) -> list[Part]:
    """The parts in their order, without the journal; the n-th times of all parts belong to one tap."""
    random = Random(seed)
    drawn = [random.randrange(len(host.journal_us)) for _ in range(taps)]
    look, pico = board.looks["first read"], board.pico_us
    wakes_us = ntag213(_UID).wake_periods * 100 / 1356

    def always(us: float) -> list[float]:
        return [us] * taps

    def anything(longest_us: float) -> list[float]:
        return [random.uniform(0, longest_us) for _ in range(taps)]

    def on_pi(part: str) -> list[float]:
        return [host.parts_us[part][tap] * pi_slower for tap in drawn]

    return [
        Part("the card has power", Source.MODEL, always(wakes_us)),
        Part("until the next look", Source.MODEL, anything(LOOK_EVERY_US)),
        Part("SPI and air of the read", Source.MODEL, always(look.read_us)),
        Part("board: Python of the read", Source.PICO, always(pico("first read, until it is heard"))),
        Part("board: sentence made and sent", Source.PICO, always(pico("tag told") + pico("40 bytes sent"))),
        Part(
            "USB, asked each millisecond",
            Source.MODEL,
            [POLLED_USB.to_host.delay_ns(random) / 1000 for _ in range(taps)],
        ),
        Part("host: wakes up", Source.ASSUMED, always(WAKE_US)),
        Part("host: after the other boards' taps", Source.PI, [_wait_us(host, random, pi_slower) for _ in range(taps)]),
        Part(READ, Source.PI, on_pi(READ)),
        Part(REFEREE, Source.PI, on_pi(REFEREE)),
        Part(CUE, Source.PI, on_pi(CUE)),
        Part("USB, back", Source.MODEL, [POLLED_USB.to_board.delay_ns(random) / 1000 for _ in range(taps)]),
        Part("board: ends its turn", Source.ASSUMED, anything(TURN_US)),
        Part("board: light heard", Source.PICO, always(pico("40 bytes read") + pico("light heard"))),
        Part("until the ring's next frame", Source.MODEL, random.choices(board.ring_us, k=taps)),
        Part("board: frame drawn and sent", Source.PICO, always(pico("frame drawn") + _PIXELS_SENT_US)),
    ]


def own_bus_parts(costs: TurnCosts, host: HostCosts, pads: int, taps: int, seed: int) -> list[Part]:
    """The parts for a reader on a bus of the Pi itself up to the verdict, with this many pads that take turns. The
    other pads are empty."""
    random = Random(seed)
    kernel_us = float(TRANSFER_US * costs.read_transfers)
    python_us, referee_us = (random.choices(times, k=taps) for times in (costs.python_us, host.parts_us[REFEREE]))
    empty_us = costs.empty_us + TRANSFER_US * costs.empty_transfers
    round_us = max(POLL_S * 1e6, pads * empty_us + MIN_PAUSE_S * 1e6)
    return [
        Part(TURN_OF_THE_PAD, Source.MODEL, [random.uniform(0, round_us) for _ in range(taps)]),
        Part("field, bus and air of the turn", Source.MODEL, [costs.read_us] * taps),
        Part(f"kernel: {costs.read_transfers} transfers", Source.ASSUMED, [kernel_us] * taps),
        Part("driver: Python of the turn", Source.PI, [us * PI_SLOWER for us in python_us]),
        Part("host: wakes up", Source.ASSUMED, [float(WAKE_US)] * taps),
        Part(REFEREE, Source.PI, [us * PI_SLOWER for us in referee_us]),
    ]


def totals_us(parts: list[Part]) -> list[float]:
    """The sum of the parts, for each tap."""
    return [sum(times) for times in zip(*(part.times_us for part in parts), strict=True)]


def to_verdict_us(parts: list[Part]) -> list[float]:
    """The sum of the parts up to the referee's verdict."""
    names = [part.name for part in parts]
    return totals_us(parts[: names.index(REFEREE) + 1])


def _wait_us(host: HostCosts, random: Random, pi_slower: float) -> float:
    """The time that a tap waits while the host handles those of the other boards that came before it."""
    free_us = float("-inf")
    for came_us in sorted(random.uniform(-TOGETHER_US, TOGETHER_US) for _ in range(PLAYERS - 1)):
        if came_us < 0:
            tap = random.randrange(len(host.journal_us))
            free_us = max(free_us, came_us) + pi_slower * sum(times_us[tap] for times_us in host.parts_us.values())
    return max(0.0, free_us)


SEED = 1
HOST_TAPS = 600
TAPS = 10_000
TRAFFIC_TAPS = 300
HARMED = (0.0, 0.01, 0.05)
AIM_MS = 30.0
UART_BAUD = 115_200
_PARTS = (0.5, 0.95, 0.99)
_TAG = Message("tag", {"uid": "04a2b3c4d5e680", "ticks": 10_482_113, "how": ""}, 600_001)
_LIGHT = Message("light", {"pattern": "accepted", "left_ms": 0, "whole_ms": 0, "lamp": "on"}, 1_234)


def run(out: TextIO, host_taps: int = HOST_TAPS, taps: int = TAPS, traffic_taps: int = TRAFFIC_TAPS) -> int:
    """Print all of it; 0 if it keeps to its aim."""
    program = find_program()
    if program is None:
        print("the firmware's code is weighed in MicroPython, which isn't here: scripts/setup-micropython", file=out)
        return 2
    host = measure_host(host_taps, SEED)
    board = measure_board(program)
    parts = tap_parts(board, host, taps, SEED)
    _print_legend(out, taps)
    for part in parts:
        _print_line(out, part.name, part.source, part.times_us)
        if part.name == REFEREE:
            _print_line(out, "from the tap to the verdict", "", to_verdict_us(parts))
    _print_line(out, "from the tap to the light", "", totals_us(parts))
    p99_ms = quantiles(to_verdict_us(parts), 0.99)[0] / 1000
    kept = p99_ms < AIM_MS
    print(f"aim: the verdict's p99 under {AIM_MS:.0f} ms before the disk: {'kept' if kept else 'missed'}", file=out)
    _print_besides(out, parts, host)
    _print_own_buses(out, host, taps)
    _print_traffic(out, traffic_taps)
    _print_alternatives(out)
    return 0 if kept else 1


def _print_legend(out: TextIO, taps: int) -> None:
    print(f"from a tap to the light of its verdict, ms, six boards busy, {taps:,} taps", file=out)
    print("  model    by the models of chip, air, USB and ring, in given time", file=out)
    print(f"  Pico     instructions of the MicroPython VM for the firmware's code, {PICO_NS} ns each", file=out)
    print(f"  Pi       processor time of the real daemon here, times {PI_SLOWER:.0f}", file=out)
    print("  assumed  neither", file=out)
    print(f"{'':42}{'':8}{'p50':>7}{'p95':>7}{'p99':>7}", file=out)


def _print_line(out: TextIO, name: str, source: str, times_us: list[float]) -> None:
    figures = "".join(f"{time_us / 1000:>7.2f}" for time_us in quantiles(times_us, *_PARTS))
    print(f"{name:42}{source:8}{figures}", file=out)


def _print_besides(out: TextIO, parts: list[Part], host: HostCosts) -> None:
    """Print what the sum doesn't include."""
    ours = [
        Part(part.name, part.source, [time_us / PI_SLOWER for time_us in part.times_us])
        if part.source == Source.PI
        else part
        for part in parts
    ]
    print("besides:", file=out)
    _print_line(out, "  to the light, by a host as fast as this", "", totals_us(ours))
    _print_line(out, "  the journal, on this machine's disk", "here", host.journal_us)


def _print_own_buses(out: TextIO, host: HostCosts, taps: int) -> None:
    """Print the way of a tap at readers on the Pi's own buses."""
    buses = (
        ("SPI at 1 MHz", measure_spi(), (3, 5)),
        ("I2C at 100 kHz behind a switch", measure_i2c(100_000), (3, 5, 7)),
        ("I2C at 400 kHz behind a switch", measure_i2c(400_000), (3, 5, 7)),
    )
    for name, costs, numbers in buses:
        pads = numbers[-1]
        print(f"\nfrom a tap to the verdict, ms, {pads} readers on {name}, {taps:,} taps", file=out)
        for part in own_bus_parts(costs, host, pads, taps, SEED):
            _print_line(out, part.name, part.source, part.times_us)
        for number in numbers:
            parts = own_bus_parts(costs, host, number, taps, SEED)
            _print_line(out, f"from the tap to the verdict, {number} readers", "", totals_us(parts))


def _print_traffic(out: TextIO, taps: int) -> None:
    """Print sentences and bytes, and the cost of bad cables."""
    print(f"\non the wire, of {taps} taps at six boards (a tap: put, read twice, lifted; with its lights)", file=out)
    for harmed in HARMED:
        traffic = measure_traffic(taps, SEED, harmed)
        if not harmed:
            for by_board, speaker in ((True, "board"), (False, "Pi")):
                tap = traffic.per_tap(by_board)
                print(
                    f"  {speaker:5} a tap: {tap.sentences} sentences, {tap.wire_bytes} bytes"
                    f" (as JSON {tap.json_bytes}); quiet: {traffic.quiet_bytes_a_second(by_board):.0f} bytes a second",
                    file=out,
                )
        p50, p99, most = quantiles(traffic.verdict_ms, 0.5, 0.99, 1.0)
        print(
            f"  {harmed:.0%} of all lines harmed: {traffic.resent} of {traffic.events} events said again;"
            f" tap to verdict, no processor's time: p50 {p50:.1f} ms, p99 {p99:.1f} ms, most {most:.1f} ms",
            file=out,
        )


def _print_alternatives(out: TextIO) -> None:
    """The same sentences otherwise."""
    print(f"\na tag's sentence and a light's, bytes; ms at {UART_BAUD} baud", file=out)
    for name, said in (("ours", encode), ("JSON", as_json)):
        sizes = [len(said(message)) for message in (_TAG, _LIGHT)]
        at_baud = ", ".join(f"{size * 10_000 / UART_BAUD:.1f} ms" for size in sizes)
        print(f"  {name}: {sizes[0]} and {sizes[1]} bytes; by UART {at_baud} (by USB one frame each, 1 ms)", file=out)


if __name__ == "__main__":
    sys.exit(run(sys.stdout))
