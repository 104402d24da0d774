"""A controller on USB, and what the kernel has of it, below the driver: contacts that bounce, a firmware that is asked
at intervals, and the kernel's queue of events behind a node, with its requests and its overflow. Records nothing of
seats. Uses the loop's time."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import fcntl
import os
import struct
import termios
from collections.abc import Callable, Collection
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from taptable.core.settings import US_PER_S
from taptable.drivers.input.evdev import (
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGKEY,
    EVIOCGRAB,
    EVIOCSCLOCKID,
    EVIOCSMASK,
    PRESSED,
    RELEASED,
    SYN_DROPPED,
)

QUEUE_EVENTS = 64
"""The kernel's room for events that nobody has read."""
HANDED_OVER_S = (0.000_1, 0.000_3)
"""From the transfer of a report to its stamp, as the kernel's own simulator took."""
WORST_BOUNCE_S = 0.006
STATIC_S = 0.002


@dataclass
class KeyPress:
    """A press of a key: when its contact began to close and to open, by the loop's time. `ended_s` is None while it is
    held."""

    key: int
    began_s: float
    ended_s: float | None


class ControllerModel:
    """One controller with these keys, asked every `interval_s`. Contacts of one with a good firmware don't bounce for
    the kernel. `node` is its node while it is plugged in."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        keys: Collection[int],
        interval_s: float,
        random: Random,
        *,
        bounces: bool,
    ) -> None:
        self.keys = frozenset(keys)
        self.bounces = bounces
        self.stuck: set[int] = set()
        self.holder: int | None = None
        """The descriptor that has grabbed it."""
        self.events_passed = 0
        self.overflows = 0
        """How often the kernel had no room for events."""
        self.truth: list[KeyPress] = []
        self._loop = loop
        self._random = random
        self._interval_s = interval_s
        self._phase_s = random.uniform(0, interval_s)
        self._contacts: set[int] = set()
        self._reported: set[int] = set()
        self._masked: frozenset[int] | None = None
        self._planned: list[tuple[float, int, Callable[[float], None]]] = []
        self._numbers = count()
        self._asked_s: float | None = None
        self._queue: int | None = None
        self._node: Path | None = None

    # --- the plug ---

    def plug_in(self, node: Path) -> None:
        """Make its node."""
        os.mkfifo(node, 0o600)
        self._queue = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._node = node
        self._masked = self.holder = None
        self._reported = set(self._contacts)

    def pull_out(self) -> None:
        """Take its node away. Programs that read it find its end."""
        if self._queue is not None:
            os.close(self._queue)
        if self._node is not None:
            self._node.unlink(missing_ok=True)
        self._queue = self._node = None

    def hang_up(self) -> None:
        """End the reading of all programs that have its node open. The node stays, for others to open."""
        if self._node is not None and self._queue is not None:
            hidden = self._node
            self.pull_out()
            self.plug_in(hidden)

    def open_elsewhere(self) -> int:
        """Open and grab it as another program does; return the descriptor."""
        assert self._node is not None
        self.holder = os.open(self._node, os.O_RDONLY | os.O_NONBLOCK)
        return self.holder

    def is_behind(self, descriptor: int) -> bool:
        """Return whether a descriptor is one of its node."""
        try:
            return self._queue is not None and os.path.samestat(os.fstat(self._queue), os.fstat(descriptor))
        except OSError:
            return False

    # --- contacts ---

    def press(self, key: int, hold_s: float, after_s: float = 0.0) -> None:
        """Press a button in `after_s`, and release it after `hold_s`."""
        pressed_s = self._loop.time() + after_s
        self.truth.append(KeyPress(key, pressed_s, pressed_s + hold_s))
        self._move(key, True, pressed_s)
        self._move(key, False, pressed_s + hold_s)

    def touch(self, key: int) -> None:
        """Let static hit the wire of a button."""
        now_s = self._loop.time()
        self._plan(now_s, lambda _: self._set(key, True))
        self._plan(now_s + STATIC_S, lambda _: self._set(key, False))

    def stick(self, key: int) -> bool:
        """Press a button so that it stays down; return whether it was up."""
        if key in self.stuck:
            return False
        self.stuck.add(key)
        self.truth.append(KeyPress(key, self._loop.time(), None))
        self._move(key, True, self._loop.time())
        return True

    def unstick(self, key: int) -> None:
        """Release a button that stuck."""
        if key in self.stuck:
            held = next(press for press in reversed(self.truth) if press.key == key and press.ended_s is None)
            held.ended_s = self._loop.time()
        self.stuck.discard(key)
        self._move(key, False, self._loop.time())

    def _move(self, key: int, closed: bool, at_s: float) -> None:
        """Close or open a contact at a time. It bounces for up to 6 ms first."""
        self._plan(at_s, lambda _: self._set(key, closed))
        if self.bounces:
            ends_s = at_s + self._random.uniform(0, WORST_BOUNCE_S)
            undone_s = at_s
            while (undone_s := undone_s + self._random.uniform(0.0001, 0.002)) < ends_s:
                self._plan(undone_s, lambda _: self._set(key, not closed))
                undone_s = min(ends_s, undone_s + self._random.uniform(0.0001, 0.002))
                self._plan(undone_s, lambda _: self._set(key, closed))

    def _set(self, key: int, closed: bool) -> None:
        (self._contacts.add if closed or key in self.stuck else self._contacts.discard)(key)

    # --- time ---

    def _plan(self, at_s: float, act: Callable[[float], None]) -> None:
        heappush(self._planned, (at_s, next(self._numbers), act))
        self._loop.call_at(at_s, self.move_on)

    def move_on(self) -> None:
        """Do all that has happened by now, in its order, however late the loop comes."""
        now_s = self._loop.time()
        while self._planned and self._planned[0][0] <= now_s:
            at_s, _, act = heappop(self._planned)
            act(at_s)
            if self._contacts != self._reported and self._asked_s is None:
                asked_before = (at_s - self._phase_s) // self._interval_s
                self._asked_s = self._phase_s + (asked_before + 1) * self._interval_s
                self._plan(self._asked_s + self._random.uniform(*HANDED_OVER_S), self._report)

    def _report(self, at_s: float) -> None:
        """Put a report into the kernel's queue."""
        self._asked_s = None
        changed = [key for key in sorted(self._contacts ^ self._reported) if key in self.keys]
        self._reported = set(self._contacts)
        packet = [(EV_KEY, key, PRESSED if key in self._contacts else RELEASED) for key in changed if self._passes(key)]
        if packet and self._queue is not None:
            self._put([*packet, (EV_SYN, 0, 0)], at_s)

    def _passes(self, key: int) -> bool:
        return self._masked is None or key in self._masked

    # --- the kernel's queue ---

    def _put(self, packet: list[tuple[int, int, int]], at_s: float) -> None:
        assert self._queue is not None
        if self._waiting() + len(packet) > QUEUE_EVENTS:
            self._flush()
            self.overflows += 1
            packet = [(EV_SYN, SYN_DROPPED, 0), *packet]
        self.events_passed += len(packet)
        seconds, us = divmod(round(at_s * US_PER_S), US_PER_S)
        os.write(self._queue, b"".join(EVENT.pack(seconds, us, *event) for event in packet))

    def _waiting(self) -> int:
        assert self._queue is not None
        count = bytearray(4)
        fcntl.ioctl(self._queue, termios.FIONREAD, count)
        return int.from_bytes(count, "little") // EVENT.size

    def _flush(self) -> None:
        assert self._queue is not None
        while self._waiting():
            os.read(self._queue, QUEUE_EVENTS * EVENT.size)

    def request(self, descriptor: int, request: int, argument: bytes | bytearray | int) -> int:
        """Answer a request at its node. Raises OSError as the kernel does."""
        match request:
            case _ if request == EVIOCGKEY and isinstance(argument, bytearray):
                self._flush()
                for key in self._reported & self.keys:
                    argument[key // 8] |= 1 << key % 8
            case _ if request == EVIOCGRAB:
                if self.holder is not None and self.holder != descriptor and self.is_behind(self.holder):
                    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
                self.holder = descriptor
            case _ if request == EVIOCSMASK and isinstance(argument, bytes):
                kind, size, address = struct.unpack("IIQ", argument)
                if kind == EV_KEY:
                    bits = ctypes.string_at(address, size)
                    self._masked = frozenset(bit for bit in range(size * 8) if bits[bit // 8] >> bit % 8 & 1)
            case _ if request == EVIOCSCLOCKID:
                self._flush()
            case _:
                raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return 0


class EvdevModel:
    """The kernel's event devices: answers at the nodes of `controllers`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.controllers: list[ControllerModel] = []
        self._loop = loop

    def ioctl(self, descriptor: int, request: int, argument: bytes | bytearray | int) -> int:
        """Answer a request."""
        controller = self._behind(descriptor)
        if controller is None:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return controller.request(descriptor, request, argument)

    def read(self, descriptor: int, size: int) -> bytes:
        """Read from a node what has happened by now."""
        self._behind(descriptor)
        return os.read(descriptor, size)

    def monotonic_us(self) -> int:
        """Return the loop's time, by which events are stamped."""
        return round(self._loop.time() * US_PER_S)

    def _behind(self, descriptor: int) -> ControllerModel | None:
        """Return the controller behind a node, up to date; None if it is gone."""
        for each in self.controllers:
            if each.is_behind(descriptor):
                each.move_on()
                return each
        return None
