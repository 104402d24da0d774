"""Stand-ins for a board's parts that take no memory and hardly any time, so that the counts are the firmware's. Runs in
the VM, whose `sys.path` has the firmware; import it before the firmware."""

import io
import sys

import utime
from tapshared import rc522, ticks

VERSION = 0x92
SENT_AND_SILENT = bytes((0, 0x45, 0, 0, 0x10, 0x20, VERSION))  # as in tests/shared/test_chip_status.py


class Module:
    """A stand-in for a module, whose attributes are the names that are imported from it."""


class _Input:
    """An input at its usual level: up. Nothing ever happens to it."""

    def __call__(self):
        return 1

    def irq(self, *_about, **_more):
        """Never called."""


class _Pins:
    """In the place of the class of pins; an output is a function of C that takes a level, as on a board."""

    IN = PULL_UP = IRQ_FALLING = IRQ_RISING = 0
    OUT = 1

    def __call__(self, _number, mode=1, *_about, **_more):
        return abs if mode == self.OUT else _Input()


class Spi:
    """The bus, with a reader whose pad is empty, or which gives recorded answers, the last first."""

    played = []  # noqa: RUF012 - of all of them

    def __init__(self, *_about, **_more):
        self.write = len  # of C, and does nothing
        self.is_set_up = False

    def write_readinto(self, data, into):
        """As the bus."""
        if self.played:
            into[:] = self.played.pop()
        elif len(data) == len(SENT_AND_SILENT):
            for place in range(len(SENT_AND_SILENT)):  # a slice would take memory
                into[place] = SENT_AND_SILENT[place]
        elif data[0] == rc522.read_address(rc522.VERSION_REG):
            into[1] = VERSION
        elif data[0] == rc522.read_address(rc522.FIFO_LEVEL_REG):
            into[1] = rc522.FIFO_BYTES
        elif data[0] == rc522.read_address(rc522.T_MODE_REG):  # all registers are looked at
            for place, (_, value) in enumerate(rc522.setup_values(rc522.GAIN_DB)):
                into[1 + place] = value
            into[-2:] = bytes((rc522.ANTENNA_ON if self.is_set_up else rc522.ANTENNA_OFF, VERSION))
            self.is_set_up = True


class Ring:
    """A ring that never has anything to draw."""

    step = print

    def __init__(self, *_about):
        self.show = print
        self.due = None


class Clock:
    """A board's ticks, which stand still but for `go`; a function of C reads them, as on a board."""

    def __init__(self):
        self._place = io.BytesIO()
        self.ticks_us = self._place.tell

    @property
    def now(self):
        """The colours that the pixels show."""
        return self._place.tell()

    def go(self, us):
        """Let `us` microseconds pass."""
        self._place.seek(us, 1)


clock = Clock()


def take_their_places():
    """From now on these are found in the place of the parts; and sums of ticks are C's, as on a board of 32 bits."""
    ticks.ticks_add, ticks.ticks_diff = utime.ticks_add, utime.ticks_diff
    machine, ring, time = Module(), Module(), Module()
    machine.Pin, machine.SPI, machine.unique_id, machine.reset = _Pins(), Spi, lambda: b"\x01", None
    machine.mem32 = None
    ring.Ring = Ring
    time.ticks_us = clock.ticks_us
    sys.modules["machine"], sys.modules["seatboard.ring"], sys.modules["time"] = machine, ring, time
