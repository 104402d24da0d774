"""The USB of a simulated table: a pseudo-terminal stands in for each serial port, below pyserial, under the identity of
its board; and the cable in between has its delay and its noise. Must not know what is on the wire."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import serial

from taptable.core.errors import DeviceError
from taptable.drivers.board.bus import Socket
from taptable.drivers.board.port import TwinBoards, open_path

DELAY_US = (100, 1_100)  # of what is sent, each way: USB polls every millisecond
APART_S = 0.000_001
"""Separates arrivals: two at the same time would come in any order."""


class Plug:
    """A board's end of a plugged-in cable. Never waits."""

    def __init__(self) -> None:
        self.descriptor, self._far_end = os.openpty()
        tty.setraw(self._far_end)  # before anybody opens it, since a terminal echoes
        os.set_blocking(self.descriptor, False)
        self.path = os.ttyname(self._far_end)

    def write(self, data: bytes) -> None:
        """Send bytes to the Pi. Those that don't fit, since nobody reads, are lost."""
        try:
            os.write(self.descriptor, data)
        except BlockingIOError:
            return

    def read(self) -> bytes:
        """Return the bytes sent to the board since the last call."""
        try:
            return os.read(self.descriptor, 4096)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Pull the plug out."""
        os.close(self.descriptor)
        os.close(self._far_end)


_ONE_HUB = Socket("/sys/devices/pci0000:00/0000:01:00.0", "/sys/devices/pci0000:00/0000:01:00.0/usb1/1-1")


class UsbSockets:
    """The USB sockets of a simulated Pi."""

    def __init__(self) -> None:
        self.places: dict[str, Socket | None] = {}
        """The sockets of boards, by their ids. All other boards are on one hub."""
        self.twins: set[str] = set()
        """Boards whose serial number another connected board has too."""
        self._plugs: dict[str, Plug] = {}

    def plug_in(self, board: str) -> Plug:
        """Create a port with the identity of this board."""
        self._plugs[board] = Plug()
        return self._plugs[board]

    def pull_out(self, board: str) -> None:
        """Remove the port of this board."""
        self._plugs.pop(board).close()

    def socket_of(self, path: str) -> Socket | None:
        """Return where the port at this path is plugged in."""
        board = next((board for board, plug in self._plugs.items() if plug.path == path), None)
        return None if board is None else self.places.get(board, _ONE_HUB)

    def open(self, board: str) -> serial.Serial:
        """Open the port of a board, as `open_by_identity` does with real ones."""
        if board in self.twins:
            raise TwinBoards(board)
        if board not in self._plugs:
            raise DeviceError(f"no socket has the plug of board {board}")
        return open_path(self._plugs[board].path)


class Line:
    """A board's cable to its socket. `on_data` is called with what the Pi sent. `on_line`, if it is set, is called with
    each line that comes out of the cable, damaged or not, and whether it comes out at the Pi."""

    def __init__(
        self,
        board: str,
        sockets: UsbSockets,
        loop: asyncio.AbstractEventLoop,
        on_data: Callable[[bytes], None],
        random: Random,
        noise: CableNoise,
    ) -> None:
        self._board = board
        self._sockets = sockets
        self._loop = loop
        self._on_data = on_data
        self.on_line: Callable[[bytes, bool], None] | None = None
        self._random = random
        self._to_pi = Cable(random, noise)
        self._to_board = Cable(random, noise)
        self._free_s = {self._to_pi: 0.0, self._to_board: 0.0}
        self._plug: Plug | None = None
        self._hung_up = False

    @property
    def noise(self) -> CableNoise:
        """How often the cable damages lines, both ways."""
        return self._to_pi.noise

    @noise.setter
    def noise(self, noise: CableNoise) -> None:
        self._to_pi.noise = self._to_board.noise = noise

    @property
    def plugged(self) -> bool:
        """Whether the port exists."""
        return self._plug is not None or self._hung_up

    @property
    def descriptor(self) -> int:
        """The board's end of the cable, for tests that send what no board sends."""
        assert self._plug is not None
        return self._plug.descriptor

    def plug_in(self) -> None:
        """Create the port."""
        self._hung_up = False
        if self._plug is None:
            self._plug = self._sockets.plug_in(self._board)
            self._loop.add_reader(self._plug.descriptor, self._readable, self._plug)

    def pull_out(self) -> None:
        """Remove the port. What is on its way is lost."""
        self._hung_up = False
        if self._plug is not None:
            self._let_go(self._plug)
            self._to_pi.unplug()
            self._to_board.unplug()

    def hang_up(self) -> None:
        """Take the port from the process on the Pi at once, with all that it hasn't read. No process has it until
        `pick_up`."""
        plug = self._plug
        if plug is not None:
            self._readable(plug)
            self._let_go(plug)
            self._hung_up = True

    def pick_up(self) -> None:
        """Let the next process open the port."""
        if self._hung_up:
            self.plug_in()

    def send(self, data: bytes) -> None:
        """Send bytes to the Pi."""
        plug = self._plug
        if plug is not None:
            self._carry(self._to_pi, data, plug, plug.write)

    def _let_go(self, plug: Plug) -> None:
        self._loop.remove_reader(plug.descriptor)
        self._sockets.pull_out(self._board)
        self._plug = None

    def _readable(self, plug: Plug) -> None:
        # line by line, so that it makes no difference how many the kernel hands over at once
        for line in plug.read().splitlines(keepends=True):
            self._carry(self._to_board, line, plug, self._on_data)

    def _carry(self, cable: Cable, data: bytes, plug: Plug, arrive: Callable[[bytes], None]) -> None:
        """Deliver bytes after a delay, after all that was sent before."""
        arrives_s = max(self._loop.time() + self._random.uniform(*DELAY_US) / 1_000_000, self._free_s[cable])
        self._free_s[cable] = arrives_s + APART_S
        self._loop.call_at(arrives_s, self._arrive, cable.carry(data), plug, arrive)

    def _arrive(self, data: bytes, plug: Plug, arrive: Callable[[bytes], None]) -> None:
        if data and plug is self._plug:
            if self.on_line is not None:
                for line in data.splitlines():
                    self.on_line(line, arrive == plug.write)
            arrive(data)


PRINT_OUTS = (
    b">>> ",
    b"\r\n>>> ",
    b"MPY: soft reboot\r\n",
    b"MicroPython v1.24.1 on 2024-11-29; Raspberry Pi Pico with RP2040\r\n",
    b'Type "help()" for more information.\r\n',
    b'Traceback (most recent call last):\r\n  File "main.py", line 41, in <module>\r\nOSError: [Errno 5] EIO\r\n',
)


@dataclass(frozen=True, slots=True)
class CableNoise:
    """The probability of each kind of damage to a line."""

    lost: float = 0.0
    cut: float = 0.0
    corrupted: float = 0.0
    doubled: float = 0.0
    late: float = 0.0  # it comes after the next line
    print_out: float = 0.0


NO_NOISE = CableNoise()


class Cable:
    """One direction of a line."""

    def __init__(self, random: Random, noise: CableNoise = NO_NOISE) -> None:
        self.noise = noise
        self._random = random
        self._unfinished = b""
        self._late = b""

    def carry(self, data: bytes) -> bytes:
        """Return the bytes that come out after `data` is put in. Lines come out whole, unless they are damaged."""
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        return b"".join(self._line(line + b"\n") for line in lines)

    def unplug(self) -> None:
        """Lose everything that is still in the cable."""
        self._unfinished = self._late = b""

    def _line(self, line: bytes) -> bytes:
        late, self._late = self._late, b""
        if self._happens(self.noise.lost):
            line = b""
        if self._happens(self.noise.cut):
            begin, end = sorted(self._random.randint(0, len(line)) for _ in range(2))
            line = line[:begin] + line[end:]
        if line and self._happens(self.noise.corrupted):
            place = self._random.randrange(len(line))
            line = line[:place] + bytes([self._random.randrange(256)]) + line[place + 1 :]
        if self._happens(self.noise.doubled):
            line += line
        if self._happens(self.noise.print_out):
            line = self._random.choice(PRINT_OUTS) + line
        if self._happens(self.noise.late):
            line, self._late = b"", line
        return line + late

    def _happens(self, probability: float) -> bool:
        return probability > 0.0 and self._random.random() < probability
