"""A bad cable: what is said at one end comes out at the other with lines cut, corrupted, doubled, late, or between
the print-outs of a Python prompt. Pure; chance comes in as an argument."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

PRINT_OUTS = (
    b">>> ",
    b"\r\n>>> ",
    b"MPY: soft reboot\r\n",
    b"MicroPython v1.24.1 on 2024-11-29; Raspberry Pi Pico with RP2040\r\n",
    b'Type "help()" for more information.\r\n',
    b'Traceback (most recent call last):\r\n  File "main.py", line 41, in <module>\r\nOSError: [Errno 5] EIO\r\n',
)


@dataclass(frozen=True, slots=True)
class Noise:
    """How often, of all lines, a line comes to each kind of harm."""

    lost: float = 0.0
    cut: float = 0.0
    corrupted: float = 0.0
    doubled: float = 0.0
    late: float = 0.0  # it comes after the next line
    print_out: float = 0.0


CALM = Noise()


class Cable:
    """One direction of a line."""

    def __init__(self, random: Random, noise: Noise = CALM) -> None:
        self.noise = noise
        self._random = random
        self._unfinished = b""
        self._late = b""

    def carry(self, said: bytes) -> bytes:
        """What comes out for what is put in. Lines come out whole lines, unless they came to harm."""
        *lines, self._unfinished = (self._unfinished + said).split(b"\n")
        return b"".join(self._line(line + b"\n") for line in lines)

    def unplug(self) -> None:
        """What is still inside is lost."""
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
