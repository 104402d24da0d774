"""The firmware in the VM and the real daemon, each in a process of its own and in real time, over a pseudo-terminal;
then one of them is killed, and then the other."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from table.rig import tags_of
from taptable.config import Config
from taptable.referee.buttons import DEAF_US
from taptable.sim.usb import Plug

from firmware.needs_vm import vm_program
from firmware.rig import BOARD, SEAT, vm_table
from firmware.vm.process import Vm, make_flash

DEADLINE_S = 30.0
ON_PAD_US = 100_000
PRESSES = 3
LOOKED = 5
"""Exchanges: the board has looked at its empty pad by then. What lies there when it begins to look is no tap."""
APART_US = DEAF_US + 200_000
"""By then a card that was lifted is gone, no two cards came at once, and a button is heard whatever it means now."""
ROOT = Path(__file__).resolve().parents[2]


class Process:
    """The daemon's: what it tells, line by line."""

    def __init__(self, config: Config, terminal: str) -> None:
        paths = os.pathsep.join(str(ROOT / folder) for folder in ("host", "firmware/lib"))
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("daemon_process.py"), config.file, terminal],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self.told: list[list[object]] = []
        self._unread = b""
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def wait(self, *wanted: object) -> list[object]:
        """Wait for a line that begins like this."""
        return self.wait_for_one([list(wanted)])

    def wait_for_one(self, wanted: Sequence[list[object]]) -> list[object]:
        """Wait for a line that begins like one of these."""
        ends_s = time.monotonic() + DEADLINE_S
        assert self._process.stdout is not None
        while True:
            while b"\n" in self._unread:
                line, _, self._unread = self._unread.partition(b"\n")
                self.told.append(json.loads(line))
                if any(self.told[-1][: len(each)] == each for each in wanted):
                    return self.told[-1]
            left_s = ends_s - time.monotonic()
            assert left_s > 0, f"none of {wanted} came, but {self.told}"
            if self._selector.select(left_s):
                read = os.read(self._process.stdout.fileno(), 65536)
                assert read, f"the daemon has ended before {wanted}: {self.told}"
                self._unread += read

    def do(self, *deed: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((" ".join(map(str, deed)) + "\n").encode())
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self.close()

    def end(self) -> None:
        """Nothing more comes in: it stops in order."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(DEADLINE_S) == 0
        self.close()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()


@contextmanager
def a_board(flash: Path, plug: Plug) -> Iterator[Vm]:
    """The board under power, on this plug."""
    vm = Vm(vm_program(), flash, {"begin_us": 0, "id": BOARD, "given": 0, "first_ticks": 0, "ppm": 0}, plug.descriptor)
    try:
        yield vm
    finally:
        vm.kill()


class Hand:
    """At the board's pad and button: each deed comes after the one before, as fast as people are."""

    def __init__(self, vm: Vm) -> None:
        self._vm = vm
        self._free_us = 0
        exchanges: object = 0
        while not isinstance(exchanges, int) or exchanges < LOOKED:
            vm.do(0, "weigh")
            *_, exchanges = vm.wait("weighed").about

    def tap(self, uid: str) -> None:
        """Put a card on the pad for a moment."""
        self._do(("put", uid), "came", ("lift", uid), "left")

    def press(self) -> None:
        """Press the button for a moment."""
        self._do(("press", 1), "contact", ("press", 0), "contact")

    def _do(self, deed: tuple[str, str | int], told: str, undo: tuple[str, str | int], undone: str) -> None:
        self._vm.do(self._free_us, *deed)
        self._vm.do(self._vm.wait(told).at_us + ON_PAD_US, *undo)
        self._free_us = self._vm.wait(undone).at_us + APART_US


def goes_on_at_a_press(hand: Hand, daemon: Process) -> None:
    """Press until the table goes on: a press too soon after the one before isn't heard, and the table says so. By the
    table's clock, which has begun anew, the one that the board kept may have been just now."""
    for _ in range(PRESSES):
        hand.press()
        if daemon.wait_for_one([["judged", "resume"], ["told", "PressUnheard"]])[0] == "judged":
            return
    raise AssertionError(f"pressed {PRESSES} times: {daemon.told}")


@pytest.mark.long
def test_turns_over_a_terminal_go_on_when_board_or_daemon_was_killed(tmp_path: Path) -> None:
    config = vm_table(tmp_path)
    tags = tags_of(config)
    flash = make_flash(tmp_path / "flash")
    plug = Plug()
    daemon = Process(config, plug.path)
    try:
        with a_board(flash, plug) as vm:
            hand = Hand(vm)
            daemon.wait("started")
            for card in ("online#1", "email#1"):
                hand.tap(tags[card])
                assert daemon.wait("tap", card)[2:] == [SEAT, "Accepted", SEAT]
            hand.press()
            assert daemon.wait("press", SEAT)[2:] == ["Accepted", 2]
            daemon.do("tap", "online#2", 2)
            daemon.wait("tap", "online#2", 2, "Accepted")
            daemon.do("press", 2)
            assert daemon.wait("press", 2)[2:] == ["Accepted", SEAT]
        daemon.wait("lost", f"board {SEAT}")  # its VM is gone
        with a_board(flash, plug) as vm:
            hand = Hand(vm)
            daemon.wait("back", f"board {SEAT}")
            assert (flash / "boots").read_text() != ""
            hand.tap(tags["music#1"])
            assert daemon.wait("tap", "music#1")[2:] == [SEAT, "Accepted", SEAT]
            daemon.kill()
            hand.press()  # nobody hears it but the board, which keeps it
            daemon = Process(config, plug.path)
            daemon.wait("started")
            daemon.wait("told", "PressUnheard")  # it was made before the table paused
            goes_on_at_a_press(hand, daemon)
            hand.tap(tags["email#2"])
            daemon.wait("tap", "email#2", SEAT)
            hand.press()
            assert daemon.wait("press", SEAT)[2:] == ["Accepted", 2]
        daemon.end()
    finally:
        daemon.close()
        plug.close()
