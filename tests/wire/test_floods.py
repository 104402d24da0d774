"""A board that says anything at full speed: it is read at a pace, disconnected for a while where it means nothing, and
the other boards are heard as ever."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count, repeat

import pytest
from boards_bench import CARD, OTHER, Bench
from tapshared import lines as lines_module
from tapshared.lines import Lines
from tapshared.sentences import Damage, Message, encode
from tapshared.verbs import BOARD
from tapshared.version import FIRMWARE
from taptable.core.device_events import TagCame
from taptable.drivers.board.boards import EVENTS_PER_S, MAX_EVENTS
from taptable.drivers.board.port import BYTES_PER_S, MAX_BYTES, PENALTY_S
from taptable.drivers.board.usb_model import NO_NOISE, PRINT_OUTS, CableNoise
from taptable.sim.loops import GivenTimeLoop

EVERY_S = 0.01
AT_ONCE = 4096
FLOOD_S = 12.0
BUFFERED_BYTES = 80_000
"""A pseudo-terminal keeps at most this much of what nobody has read."""


def hellos(board: str = "b1") -> Iterator[bytes]:
    """Greetings, each of a new start of the board."""
    about: dict[str, int | str] = {"protocol": 1, "board": board, "firmware": FIRMWARE, "pads": 1, "pixels": 12}
    for boot in count(1000):
        yield encode(Message("hello", {**about, "buttons": 1, "boot": boot, "oldest": 1}))


def tags(uid: str, first: int = 1) -> Iterator[bytes]:
    """One event after the other, numbered from `first`."""
    for number in count(first):
        how = Message("tag", {"uid": uid, "ticks": number, "how": ""}, number)
        yield encode(how if number % 2 else Message("gone", {"uid": uid, "ticks": number}, number))


FLOODS: dict[str, Callable[[], Iterator[bytes]]] = {
    "feeds": lambda: repeat(b"\n"),
    "blanks": lambda: repeat(b" \t\r\n"),
    "no line": lambda: repeat(b"a"),
    "bytes": lambda: repeat(bytes(range(256))),
    "damage": lambda: repeat(b"#1 tag 04a1b2c3 7*deadbeef\n"),
    "tracebacks": lambda: repeat(PRINT_OUTS[-1]),
    "hellos": hellos,
    "hellos of another": lambda: hellos("b2"),
    "one hello": lambda: repeat(next(hellos())),
    "pongs": lambda: repeat(encode(Message("pong", {"ping": 1, "ticks": 5, "light": 0}))),
    "the Pi's words": lambda: repeat(encode(Message("ping", {}, 7))),
    "events": lambda: tags(CARD),
}


class Flood:
    """Something that board 1 says again and again, from now on."""

    def __init__(self, bench: Bench, says: Iterator[bytes]) -> None:
        self.taken = 0
        self._bench = bench
        self._says = says
        self._rest = b""
        self._going = True
        self._say()

    def stop(self) -> None:
        """Say no more."""
        self._going = False

    def _say(self) -> None:
        if not self._going:
            return
        while len(self._rest) < AT_ONCE:
            self._rest += next(self._says)
        try:
            written = os.write(self._bench.board.line.descriptor, self._rest[:AT_ONCE])
        except BlockingIOError:
            written = 0
        self._rest = self._rest[written:]
        self.taken += written
        self._bench.loop.call_later(EVERY_S, self._say)


@pytest.fixture
def two(loop: GivenTimeLoop) -> Iterator[Bench]:
    """Two boards that have been met."""
    bench = Bench(loop, seats=2)
    loop.run_until_complete(bench.start())
    loop.pass_time(1.0)
    yield bench
    bench.close()


@pytest.mark.parametrize("name", FLOODS)
def test_a_board_that_floods_the_cable_is_reported_and_is_back_when_it_has_stopped(
    two: Bench, loop: GivenTimeLoop, name: str
) -> None:
    flood = Flood(two, FLOODS[name]())
    loop.pass_time(FLOOD_S)
    assert flood.taken < MAX_BYTES + FLOOD_S * BYTES_PER_S + BUFFERED_BYTES
    two.virtual[2].put(OTHER)
    loop.pass_time(0.05)
    assert two.truth_at(2) == [("put", OTHER)]
    assert [part for part in two.parts() if part[0] == "-"][-1] == "-flood 1"
    loop.pass_time(3 * PENALTY_S)
    flood.stop()
    loop.pass_time(3 * PENALTY_S)  # after the next attempt, too, in which the rest of the flood is read
    assert two.parts()[-1] in ("+flood 1", "+board 1")  # as what is left of the flood is hellos of another, or isn't
    two.device_events.clear()
    two.board.reset()
    loop.pass_time(1.0)
    two.board.put("04c0ffee000001")
    loop.pass_time(0.1)
    assert [each.uid for each in two.device_events if isinstance(each, TagCame)] == ["04c0ffee000001"]
    assert two.parts() == []


def test_events_without_end_are_taken_at_a_pace(two: Bench, loop: GivenTimeLoop) -> None:
    two.board.put(OTHER)
    loop.pass_time(0.1)
    Flood(two, tags(CARD, two.committed[-1].number + 1))
    loop.pass_time(3.0)
    assert MAX_EVENTS <= len(two.committed) <= 1 + MAX_EVENTS + 3 * EVENTS_PER_S


def test_a_board_that_is_pulled_out_while_it_is_disconnected_is_missed_instead(two: Bench, loop: GivenTimeLoop) -> None:
    flood = Flood(two, FLOODS["damage"]())
    loop.pass_time(1.0)
    flood.stop()
    two.board.pull_out()
    loop.pass_time(PENALTY_S + 1.0)
    assert two.parts() == ["-flood 1", "+flood 1", "-board 1"]
    two.board.plug_in()
    loop.pass_time(3.0)
    assert two.parts()[3:] == ["+board 1"]


def test_a_bad_line_and_many_presses_are_no_flood(loop: GivenTimeLoop) -> None:
    noise = CableNoise(lost=0.1, cut=0.1, corrupted=0.1, doubled=0.1, late=0.1, print_out=0.1)
    bench = Bench(loop, noise=noise)
    loop.run_until_complete(bench.start())
    for _ in range(100):
        bench.board.press()
        loop.pass_time(0.05)
        bench.board.release()
        bench.board.put(CARD)
        loop.pass_time(0.4)
        bench.board.lift(CARD)
        loop.pass_time(0.4)
    bench.board.line.noise = NO_NOISE
    loop.pass_time(5.0)
    assert "-flood 1" not in bench.parts()
    assert len(bench.truth_at()) == 400
    bench.close()


def test_lines_without_anything_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []

    def decode(line: bytes) -> Damage:
        decoded.append(line)
        return Damage("crc")

    monkeypatch.setattr(lines_module, "decode", decode)
    lines = Lines(BOARD)
    assert lines.feed(b"\n" * 4096 + b"\r\n" * 10 + b" \t \r\n") == []
    assert (decoded, lines.damaged, lines.skipped) == ([], 0, 0)
