"""The cost of a tap at a busy table of six with the real daemon: the host's time, by a stopwatch at the daemon's own
joints, and the sentences on the wire, over good cables and bad. Measures only."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import serial
from tapshared.sentences import Message, decode
from taptable.core.cues import SeatLights
from taptable.core.device_events import DeviceEvent, TagCame
from taptable.daemon.session_controller import SessionController
from taptable.drivers.board.boards import Boards
from taptable.drivers.board.port import BoardPort
from taptable.drivers.board.usb_model import CableNoise, Line
from taptable.memory.journal import Journal

from bench.busy_table import PLAYERS, QUIET_S, hooked_method, play

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
    """The times at which the joints were passed, in ns of this thread's time; the journal's in ns of time."""

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
            stack.enter_context(hooked_method(serial.Serial, "read", self._read))
            stack.enter_context(hooked_method(SessionController, "report", self._report))
            stack.enter_context(hooked_method(Journal, "append", self._append, self._appended))
            stack.enter_context(hooked_method(Boards, "show_light", None, self._show))
            yield

    def _read(self, *_: object) -> None:
        self._tap = _Tap(time.thread_time_ns())

    def _report(self, _: object, device_event: DeviceEvent) -> None:
        if self._tap is not None and isinstance(device_event, TagCame):
            self._tap.pad = device_event.pad
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
    """Measure `taps` taps, on all six boards at once."""
    stopwatch = _Stopwatch()
    with stopwatch.running():
        play(taps, seed)
    return stopwatch.costs


EVENTS = ("tag", "gone", "press", "release")
VERDICTS = ("accepted", "refused", "ignored")


@dataclass(slots=True)
class Counts:
    """Sentences, and their bytes on the wire and as lines of JSON."""

    sentences: int = 0
    wire_bytes: int = 0
    json_bytes: int = 0


@dataclass(slots=True)
class Traffic:
    """The traffic of `taps` taps and of the time before them. `quiet` and `busy` are by speaker, the board (True) or
    the Pi; `resent` is how many of the `events` were sent again; `verdict_ms` are the times from a tap to the sentence
    with its verdict's light, by the model and without any processor's time."""

    taps: int
    quiet: dict[bool, Counts] = field(default_factory=lambda: {True: Counts(), False: Counts()})
    busy: dict[bool, Counts] = field(default_factory=lambda: {True: Counts(), False: Counts()})
    busy_s: float = 0.0
    events: int = 0
    resent: int = 0
    verdict_ms: list[float] = field(default_factory=list[float])

    def per_tap(self, by_board: bool) -> Counts:
        """The traffic that one tap adds to that of a quiet table."""
        share = self.busy_s / (QUIET_S / 2)
        quiet, busy = self.quiet[by_board], self.busy[by_board]
        return Counts(
            round((busy.sentences - share * quiet.sentences) / self.taps),
            round((busy.wire_bytes - share * quiet.wire_bytes) / self.taps),
            round((busy.json_bytes - share * quiet.json_bytes) / self.taps),
        )

    def quiet_bytes_a_second(self, by_board: bool) -> float:
        """Bytes per second on one board's line while nothing happens."""
        return self.quiet[by_board].wire_bytes / (QUIET_S / 2) / PLAYERS


def measure_traffic(taps: int, seed: int, harmed: float = 0.0) -> Traffic:
    """Count the traffic of `taps` taps where the share `harmed` of all lines is damaged, half of them lost."""
    traffic = Traffic(taps)
    numbers: Counter[tuple[object, int]] = Counter()
    tapped_s: dict[int, float] = {}

    def count(by_board: bool, speaker: object, said: bytes) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s < QUIET_S / 2:
            return  # they meet
        counts = (traffic.quiet if now_s < QUIET_S else traffic.busy)[by_board]
        traffic.busy_s = max(0.0, now_s - QUIET_S)
        for line in said.splitlines():
            message = decode(line)
            assert isinstance(message, Message)
            counts.sentences += 1
            counts.wire_bytes += len(line) + 1
            counts.json_bytes += len(as_json(message))
            if message.verb in EVENTS:
                numbers[speaker, message.number] += 1

    def board_says(line: Line, said: bytes) -> None:
        count(True, line, said)

    def pi_says(port: BoardPort, said: bytes) -> None:
        count(False, port, said)

    def tap(at_s: float, seat: int) -> None:
        tapped_s[seat] = at_s

    def show(_: Boards, seat: int, light: SeatLights) -> None:
        if light.pattern in VERDICTS and seat in tapped_s:
            traffic.verdict_ms.append((asyncio.get_running_loop().time() - tapped_s.pop(seat)) * 1000)

    with (
        _silence(),
        hooked_method(Line, "send", board_says),
        hooked_method(BoardPort, "write", pi_says),
        hooked_method(Boards, "show_light", show),
    ):
        play(taps, seed, tap, CableNoise(lost=harmed / 2, corrupted=harmed / 2))
    traffic.events = len(numbers)
    traffic.resent = numbers.total() - len(numbers)
    return traffic


@contextmanager
def _silence() -> Generator[None]:
    """Without warnings: over a bad cable a board is missed now and then."""
    log = logging.getLogger("taptable")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def as_json(message: Message) -> bytes:
    """The same as a line of JSON with a check of its own."""
    said = {"n": message.number, "verb": message.verb, **message.fields, "crc": "00000000"}
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
