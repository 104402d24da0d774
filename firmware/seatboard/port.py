"""The board's end of the wire: the USB serial port, which is the prompt's as well. A read on a Pico waits for as many
bytes as were asked for, so that one is read at a time, while there is one; a write waits half a second for room when
the Pi doesn't read, which may happen once: after that single bytes are written, while there is room, until all has gone
out."""

import select
import sys
import time

from tapshared.ticks import ticks_add, ticks_diff

AT_ONCE = 64  # bytes read or written in a turn
STALE_US = 1_000_000
FULL_US = 1000  # the USB asks for more a thousand times a second
SLOW_US = 10_000  # a write that took so long has waited for room


class Port:
    """Bytes in, bytes out. What is sent goes out piece by piece; more may be sent when it isn't `busy`. `due`: when
    there may be room for what is left; None where nothing is."""

    def __init__(self):
        self.due = None
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(self._in, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._out, select.POLLOUT)
        self._read = memoryview(bytearray(AT_ONCE))
        self._places = [self._read[place : place + 1] for place in range(AT_ONCE)]
        self._sending = b""
        self._piece = AT_ONCE
        self._moved = 0  # when something last went out

    def wait(self, us):
        """Let so much time pass, less if something comes. Returns whether something has."""
        if any(self._readable.ipoll(us // 1000)):
            return True
        if us < 1000:
            time.sleep_us(us)
        return False

    def read(self):
        """What has come, at most AT_ONCE bytes; there has to be something."""
        count = 0
        for place in self._places:
            if not self._in.readinto(place):
                break
            count += 1
            if not any(self._readable.ipoll(0)):
                break
        return bytes(self._read[:count])

    def send(self, data, now):
        """Send this. If the Pi takes nothing for STALE_US the rest is dropped: what matters in it is said again, and as
        old as it is by then."""
        self._sending = data
        self._moved = now
        if data:
            self.step(now)

    def step(self, now):
        """Send on, as far as there is room."""
        piece = self._piece
        for _ in range(AT_ONCE // piece):
            if not self._has_room():
                break
            self._out.write(self._sending[:piece])
            self._sending = self._sending[piece:]
            self._moved = now
            if not self._sending:
                break
        if piece > 1 and ticks_diff(time.ticks_us(), now) >= SLOW_US:
            self._piece = 1
        elif not self._sending:
            self._piece = AT_ONCE
        elif ticks_diff(now, self._moved) >= STALE_US:
            self._sending = b""
        self.due = ticks_add(now, FULL_US) if self._sending else None

    def _has_room(self):
        for ready in self._writable.ipoll(0):
            return bool(ready[1] & select.POLLOUT)
        return False
