"""One event device of the kernel's, opened: reads its keys with the kernel's stamps, and recovers what was lost. The
requests are those of ``linux/input.h``. Must not know seats."""

from __future__ import annotations

import fcntl
import os
import struct
import time
from array import array
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taptable.drivers.input.keys import LAST

EVENT = struct.Struct("llHHi")
"""``struct input_event``: seconds, microseconds, type, code, value."""
EV_SYN, EV_KEY = 0, 1
SYN_DROPPED = 3
RELEASED, PRESSED = 0, 1

_KEY_BYTES = LAST // 8 + 1
_MASK = struct.Struct("IIQ")
"""``struct input_mask``: a type, the number of bytes of its codes, and where these are."""
EVIOCGKEY = 2 << 30 | _KEY_BYTES << 16 | ord("E") << 8 | 0x18
EVIOCGRAB = 0x40044590
EVIOCSCLOCKID = 0x400445A0
EVIOCSMASK = 1 << 30 | _MASK.size << 16 | ord("E") << 8 | 0x93
_READ_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class KernelAccess:
    """The ways to the kernel: the root of its files, its calls, and the clock by which it stamps."""

    root: Path = Path("/")
    ioctl: Callable[[int, int, Any], Any] = fcntl.ioctl
    read: Callable[[int, int], bytes] = os.read
    monotonic_us: Callable[[], int] = lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000


@dataclass(frozen=True, slots=True)
class KeyMoved:
    """A key was pressed or released; `at_us` is the kernel's stamp by its monotonic clock."""

    code: int
    down: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class EventsDropped:
    """The kernel had no room for events since `since_us`; the keys that are down now are in `down`."""

    down: Collection[int]
    since_us: int
    at_us: int


class EventDevice:
    """An event device, opened for some of its keys. The kernel passes on no others: not the sticks of a gamepad, and
    not what is typed on a keyboard. Raises OSError if it can't be opened, or has gone."""

    def __init__(self, access: KernelAccess, name: str, codes: Collection[int], *, grab: bool) -> None:
        self._access = access
        self._codes = frozenset(codes)
        self.descriptor = os.open(access.root / "dev/input" / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._set_up(grab)
        except OSError:
            os.close(self.descriptor)
            raise

    def read(self) -> Iterator[KeyMoved | EventsDropped]:
        """Yield what happened since the last time, in its order. Raises OSError once the device is gone."""
        skipping = False
        while True:
            try:
                data = self._access.read(self.descriptor, EVENT.size * _READ_AT_ONCE)
            except BlockingIOError:
                break
            if not data:
                raise OSError("it was unplugged")
            for seconds, us, kind, code, value in EVENT.iter_unpack(data):
                if kind == EV_SYN and code == SYN_DROPPED:
                    skipping = True
                elif kind == EV_KEY and value in (RELEASED, PRESSED) and code in self._codes and not skipping:
                    yield KeyMoved(code, value == PRESSED, seconds * 1_000_000 + us)
            if skipping:
                # asking removes the events of keys that are still queued, so nothing comes twice
                skipping = False
                down = self.keys_down()
                yield EventsDropped(down, self._known_us, self._access.monotonic_us())
        self._known_us = self._access.monotonic_us()

    def keys_down(self) -> frozenset[int]:
        """Return those of its keys that are down now."""
        bits = bytearray(_KEY_BYTES)
        self._access.ioctl(self.descriptor, EVIOCGKEY, bits)
        return frozenset(code for code in self._codes if bits[code // 8] >> code % 8 & 1)

    def close(self) -> None:
        """Release the device."""
        with suppress(OSError):  # it may be gone
            os.close(self.descriptor)

    def _set_up(self, grab: bool) -> None:
        if grab:
            self._access.ioctl(self.descriptor, EVIOCGRAB, 1)
        with suppress(OSError):  # a kernel before 4.4 passes on everything
            self._pass_only(EV_SYN, {EV_KEY})
            self._pass_only(EV_KEY, self._codes)
        self._access.ioctl(self.descriptor, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
        self._known_us = self._access.monotonic_us()

    def _pass_only(self, kind: int, codes: Collection[int]) -> None:
        """Let the kernel pass on only these codes of a type; for the type 0, only these types."""
        bits = array("B", bytes(_KEY_BYTES))
        for code in codes:
            bits[code // 8] |= 1 << code % 8
        address, size = bits.buffer_info()
        self._access.ioctl(self.descriptor, EVIOCSMASK, _MASK.pack(kind, size, address))
