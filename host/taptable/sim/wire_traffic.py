"""What a tap costs on the wire: the real daemon and the boards' shared code at a busy table, every sentence counted as
it is said, over good cables and bad. Measures only."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tapshared.sentences import Message, decode

from taptable.edges.boards.boards import Boards
from taptable.edges.boards.link import Light
from taptable.edges.boards.port import Port
from taptable.sim.busy_table import PLAYERS, QUIET_S, play
from taptable.sim.cable import Noise
from taptable.sim.joints import watched
from taptable.sim.usb import Line

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
    """Of `taps` taps and the time before them. `quiet` and `busy` by who speaks, the board (True) or the Pi; `again` is
    how many events were said once more, of `events`; `verdict_ms` from a tap to the sentence with its verdict's light,
    by the model and without any processor's time.
    """

    taps: int
    quiet: dict[bool, Counts] = field(default_factory=lambda: {True: Counts(), False: Counts()})
    busy: dict[bool, Counts] = field(default_factory=lambda: {True: Counts(), False: Counts()})
    busy_s: float = 0.0
    events: int = 0
    again: int = 0
    verdict_ms: list[float] = field(default_factory=list[float])

    def a_tap(self, by_board: bool) -> Counts:
        """What one tap adds to the quiet."""
        share = self.busy_s / (QUIET_S / 2)
        quiet, busy = self.quiet[by_board], self.busy[by_board]
        return Counts(
            round((busy.sentences - share * quiet.sentences) / self.taps),
            round((busy.wire_bytes - share * quiet.wire_bytes) / self.taps),
            round((busy.json_bytes - share * quiet.json_bytes) / self.taps),
        )

    def quiet_bytes_a_second(self, by_board: bool) -> float:
        """What one board's line carries while nothing happens."""
        return self.quiet[by_board].wire_bytes / (QUIET_S / 2) / PLAYERS


def measure_traffic(taps: int, seed: int, harmed: float = 0.0) -> Traffic:
    """Count what is said of so many taps where this share of all lines comes to harm, half of them lost."""
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

    def pi_says(port: Port, said: bytes) -> None:
        count(False, port, said)

    def tap(at_s: float, seat: int) -> None:
        tapped_s[seat] = at_s

    def show(_: Boards, seat: int, light: Light) -> None:
        if light.pattern in VERDICTS and seat in tapped_s:
            traffic.verdict_ms.append((asyncio.get_running_loop().time() - tapped_s.pop(seat)) * 1000)

    with (
        _silence(),
        watched(Line, "send", board_says),
        watched(Port, "write", pi_says),
        watched(Boards, "show", show),
    ):
        play(taps, seed, tap, Noise(lost=harmed / 2, corrupted=harmed / 2))
    traffic.events = len(numbers)
    traffic.again = numbers.total() - len(numbers)
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
