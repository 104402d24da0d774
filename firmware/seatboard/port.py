"""The board's end of the wire: the USB serial port, which is the prompt's as well. A read on a Pico waits for all the
bytes requested, so one is read at a time, while there is one. A write waits half a second for room when the Pi doesn't
read and not all of it fits, and half a second again for the rest. So only whole packets are written, filled up with
spaces, which the Pi skips: the buffer, of several packets, has room for a whole one or for nothing, and poll tells
whether there is room. Where something else was printed before, that may be wrong once: then single bytes are written,
until all are sent."""

import select
import sys
import time

from tapshared.ticks import ticks_add, ticks_diff

PACKET_BYTES = 64  # bytes read or written in a turn: a packet
STALE_US = 1_000_000  # output of which the Pi takes nothing for this long is dropped
FULL_US = 1000  # between two tries while there is no room: the USB asks for more a thousand times a second
SLOW_US = 10_000  # a write that takes this long has waited for room
_POLLOUT = select.POLLOUT
_PADDING = [
    b" " * (-short % PACKET_BYTES) for short in range(PACKET_BYTES)
]  # by the number of bytes beyond whole packets


class Port:
    """Reads and sends bytes. Output is sent piece by piece. `due` is when there may be room for the rest of it, None if
    all is sent; only then may `send` be called."""

    def __init__(self):
        self.due = None
        # the functions themselves, since looking them up takes a board longer than what they do
        self._readinto = sys.stdin.buffer.readinto
        self._write = sys.stdout.buffer.write
        self._readable = _poll(sys.stdin.buffer, select.POLLIN)
        self._writable = _poll(sys.stdout.buffer, select.POLLOUT)
        self._read = memoryview(bytearray(PACKET_BYTES))
        self._places = [self._read[place : place + 1] for place in range(PACKET_BYTES)]
        self._sending = b""
        self._piece = PACKET_BYTES
        self._moved = 0  # when something was last sent

    def wait(self, us):
        """Wait for this long, or until input comes. Returns whether there is input."""
        for _ in self._readable(us // 1000):
            return True
        time.sleep_us(us % 1000)
        return False

    def read(self):
        """Return the input, at most PACKET_BYTES; there has to be some."""
        take, readable = self._readinto, self._readable
        count = 0
        for place in self._places:
            count += take(place)
            for _ in readable(0):
                break
            else:
                break
        return bytes(self._read[:count])

    def send(self, data, now):
        """Send this. If the Pi takes nothing for STALE_US the rest is dropped: what matters in it is sent again, with
        stamps that are as old as they are by then."""
        self._moved = now
        if data:
            self._sending = _PADDING[len(data) % PACKET_BYTES] + data
            self.step(now)
        else:
            self._sending = data

    def step(self, now):
        """Send more, as far as there is room."""
        piece = self._piece
        if len(self._sending) > piece:
            self._send_pieces(piece, now)
        elif self._has_room():  # as almost always
            self._write(self._sending)
            self._sending = b""
        if piece > 1 and ticks_diff(time.ticks_us(), now) >= SLOW_US:
            self._piece = 1
        elif not self._sending:
            self._piece = PACKET_BYTES
        elif ticks_diff(now, self._moved) >= STALE_US:
            self._sending = b""
        self.due = ticks_add(now, FULL_US) if self._sending else None

    def _send_pieces(self, piece, now):
        for _ in range(PACKET_BYTES // piece):
            if not self._has_room():
                break
            self._write(self._sending[:piece])
            self._sending = self._sending[piece:]
            self._moved = now

    def _has_room(self):
        for ready in self._writable(0):
            return ready[1] & _POLLOUT
        return 0


def _poll(stream, event):
    poll = select.poll()
    poll.register(stream, event)
    return poll.ipoll
