"""``taptable bench wire``: how long it takes from a tap to the light of its verdict, part by part, with six boards
busy; and what a tap costs on the wire. Says of each figure whether it is a model's, was measured here, or is assumed.
"""

from __future__ import annotations

from typing import TextIO

from tapshared.sentences import Message, encode

from taptable.core.errors import DeviceError
from taptable.sim.host_costs import REFEREE, HostCosts, measure_host
from taptable.sim.statistics import ranks
from taptable.sim.tap_times import PI_SLOWER, Part, Source, tap_parts, to_verdict_us, totals_us
from taptable.sim.vm.weighing import find_program, weigh
from taptable.sim.wire_traffic import as_json, measure_traffic

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
        raise DeviceError(
            "The firmware's code is weighed in MicroPython, which isn't here: run scripts/setup-micropython."
        )
    host = measure_host(host_taps, SEED)
    weighed = weigh(program)
    parts = tap_parts(weighed, host, taps, SEED)
    _print_legend(out, taps, weighed.slower)
    for part in parts:
        _print_line(out, part.name, part.source, part.times_us)
        if part.name == REFEREE:
            _print_line(out, "from the tap to the verdict", "", to_verdict_us(parts))
    _print_line(out, "from the tap to the light", "", totals_us(parts))
    p99_ms = ranks(to_verdict_us(parts), 0.99)[0] / 1000
    kept = p99_ms < AIM_MS
    print(f"aim: the verdict's p99 under {AIM_MS:.0f} ms before the disk: {'kept' if kept else 'missed'}", file=out)
    _print_besides(out, parts, host)
    _print_traffic(out, traffic_taps)
    _print_alternatives(out)
    return 0 if kept else 1


def _print_legend(out: TextIO, taps: int, pico_slower: float) -> None:
    print(f"from a tap to the light of its verdict, ms, six boards busy, {taps:,} taps", file=out)
    print("  model    by the models of chip, air, USB and ring, in given time", file=out)
    print(f"  Pico     the firmware's code on the MicroPython VM here, times {pico_slower:.0f}", file=out)
    print(f"  Pi       processor time of the real daemon here, times {PI_SLOWER:.0f}", file=out)
    print("  assumed  neither", file=out)
    print(f"{'':42}{'':8}{'p50':>7}{'p95':>7}{'p99':>7}", file=out)


def _print_line(out: TextIO, name: str, source: str, times_us: list[float]) -> None:
    figures = "".join(f"{time_us / 1000:>7.2f}" for time_us in ranks(times_us, *_PARTS))
    print(f"{name:42}{source:8}{figures}", file=out)


def _print_besides(out: TextIO, parts: list[Part], host: HostCosts) -> None:
    """What isn't in it."""
    ours = [
        Part(part.name, part.source, [time_us / PI_SLOWER for time_us in part.times_us])
        if part.source == Source.PI
        else part
        for part in parts
    ]
    print("besides:", file=out)
    _print_line(out, "  to the light, by a host as fast as this", "", totals_us(ours))
    _print_line(out, "  the journal, on this machine's disk", "here", host.journal_us)


def _print_traffic(out: TextIO, taps: int) -> None:
    """Sentences and bytes, and what bad cables cost."""
    print(f"\non the wire, of {taps} taps at six boards (a tap: put, read twice, lifted; with its lights)", file=out)
    for harmed in HARMED:
        traffic = measure_traffic(taps, SEED, harmed)
        if not harmed:
            for by_board, speaker in ((True, "board"), (False, "Pi")):
                tap = traffic.a_tap(by_board)
                print(
                    f"  {speaker:5} a tap: {tap.sentences} sentences, {tap.wire_bytes} bytes"
                    f" (as JSON {tap.json_bytes}); quiet: {traffic.quiet_bytes_a_second(by_board):.0f} bytes a second",
                    file=out,
                )
        p50, p99, most = ranks(traffic.verdict_ms, 0.5, 0.99, 1.0)
        print(
            f"  {harmed:.0%} of all lines harmed: {traffic.again} of {traffic.events} events said again;"
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
