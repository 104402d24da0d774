"""What a tap costs the host: the real daemon over six simulated seat boards, with a stopwatch at its own joints. The
time is this machine's processor time, but for the journal's, which waits for the disk. Measures only."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import serial

from taptable.core.sightings import Sighting, TagCame
from taptable.daemon.proceedings import Proceedings
from taptable.edges.boards.boards import Boards
from taptable.memory.journal import Journal
from taptable.sim.busy_table import play
from taptable.sim.joints import watched

READ = "host: read, decode, link"
REFEREE = "host: referee"
CUE = "host: cue, light said"
PARTS = (READ, REFEREE, CUE)
"""In this order, with the journal before the cue."""


@dataclass(slots=True)
class HostCosts:
    """µs of each tap: processor time of each part, and how long the journal took."""

    parts_us: dict[str, list[float]] = field(default_factory=lambda: {part: list[float]() for part in PARTS})
    journal_us: list[float] = field(default_factory=list[float])


@dataclass(slots=True)
class _Tap:
    """When the joints were passed, in ns of this thread's time; the journal's in ns of time."""

    read_ns: int
    pad: object = None
    report_ns: int = 0
    append_ns: int = 0
    appended_ns: int = 0
    journal_ns: int = 0


class _Stopwatch:
    """Passed by one tap after the other: a daemon is one thread."""

    def __init__(self) -> None:
        self.costs = HostCosts()
        self._tap: _Tap | None = None

    @contextmanager
    def running(self) -> Generator[None]:
        """While this lasts the joints are watched."""
        with ExitStack() as stack:
            stack.enter_context(watched(serial.Serial, "read", self._read))
            stack.enter_context(watched(Proceedings, "report", self._report))
            stack.enter_context(watched(Journal, "append", self._append, self._appended))
            stack.enter_context(watched(Boards, "show", None, self._show))
            yield

    def _read(self, *_: object) -> None:
        self._tap = _Tap(time.thread_time_ns())

    def _report(self, _: object, sighting: Sighting) -> None:
        if self._tap is not None and isinstance(sighting, TagCame):
            self._tap.pad = sighting.pad
            self._tap.report_ns = time.thread_time_ns()

    def _append(self, *_: object) -> None:
        if self._tap is not None and not self._tap.append_ns:
            self._tap.append_ns = time.thread_time_ns()
            self._tap.journal_ns = -time.perf_counter_ns()

    def _appended(self, *_: object) -> None:
        if self._tap is not None and not self._tap.appended_ns:
            self._tap.journal_ns += time.perf_counter_ns()
            self._tap.appended_ns = time.thread_time_ns()

    def _show(self, _: object, seat: int, __: object) -> None:
        tap = self._tap
        if tap is None or not tap.appended_ns or tap.pad != seat:
            return
        now_ns = time.thread_time_ns()
        spans = (tap.report_ns - tap.read_ns, tap.append_ns - tap.report_ns, now_ns - tap.appended_ns)
        for part, span_ns in zip(PARTS, spans, strict=True):
            self.costs.parts_us[part].append(span_ns / 1000)
        self.costs.journal_us.append(tap.journal_ns / 1000)
        self._tap = None


def measure_host(taps: int, seed: int) -> HostCosts:
    """Measure so many taps, on all six boards at once."""
    stopwatch = _Stopwatch()
    with stopwatch.running():
        play(taps, seed)
    return stopwatch.costs
