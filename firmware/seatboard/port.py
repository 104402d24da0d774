"""The board's end of the wire: the USB serial port, which is the prompt's as well. Nothing here ever waits: MicroPython
waits half a second for room when the Pi doesn't read, unless single bytes are written while there is some."""

import select
import sys

AT_ONCE = 64  # bytes read or written in a turn


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

    def send(self, data):
        """Send this, after what was sent before has left."""
        self._sending = data
        self._sent = 0

    def step(self):
        """Send on, as far as there is room."""
        most = min(len(self._sending), self._sent + AT_ONCE)
        while self._sent < most and _is_ready(self._writable, 0, select.POLLOUT):
            self._byte[0] = self._sending[self._sent]
            self._out.write(self._byte)
            self._sent += 1

    def rest_ms(self, ms):
        """Let so much time pass, less if something comes."""
        _is_ready(self._readable, ms, select.POLLIN)


def _is_ready(poll, wait_ms, wanted):
    for ready in poll.ipoll(wait_ms):
        return bool(ready[1] & wanted)
    return False
