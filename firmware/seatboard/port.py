"""The board's end of the wire: the USB serial port, which is the prompt's as well. Nothing here ever waits: MicroPython
waits half a second for room when the Pi doesn't read, unless single bytes are written while there is some."""

import select
import sys

from tapshared.ticks import ticks_diff

AT_ONCE = 64  # bytes read or written in a turn
STALE_US = 1_000_000
FULL_US = 1000  # the USB asks for more a thousand times a second


class Port:
    """Bytes in, bytes out. What is sent goes out piece by piece; more may be sent when it isn't `busy`."""

    def __init__(self):
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(self._in, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._out, select.POLLOUT)
        self._byte = bytearray(1)
        self._read = bytearray(AT_ONCE)
        self._sending = b""
        self._sent = 0
        self._moved = 0  # when a byte last went out
        self._wait_us = 0

    @property
    def busy(self):
        """Is there something left to send?"""
        return self._sent < len(self._sending)

    def read(self):
        """What has come, at most AT_ONCE bytes. One at a time: the Pico's `read` waits for as many as are asked for."""
        count = 0
        while count < AT_ONCE and _is_ready(self._readable, 0, select.POLLIN) and self._in.readinto(self._byte):
            self._read[count] = self._byte[0]
            count += 1
        return bytes(memoryview(self._read)[:count]) if count else b""

    def send(self, data, now):
        """Send this. If the Pi takes nothing for STALE_US the rest is dropped: what matters in it is said again, and as
        old as it is by then."""
        self._sending = data
        self._sent = 0
        self._moved = now

    def step(self, now):
        """Send on, as far as there is room."""
        most = min(len(self._sending), self._sent + AT_ONCE)
        while self._sent < most:
            if not _is_ready(self._writable, 0, select.POLLOUT):
                if ticks_diff(now, self._moved) >= STALE_US:
                    self._sending = b""
                self._wait_us = FULL_US
                return
            self._byte[0] = self._sending[self._sent]
            self._out.write(self._byte)
            self._sent += 1
            self._moved = now
        self._wait_us = 0

    def wait_us(self):
        """Microseconds until there may be room for what is left to send."""
        return self._wait_us

    def rest_ms(self, ms):
        """Let so much time pass, less if something comes."""
        _is_ready(self._readable, ms, select.POLLIN)


def _is_ready(poll, wait_ms, wanted):
    for ready in poll.ipoll(wait_ms):
        return bool(ready[1] & wanted)
    return False
