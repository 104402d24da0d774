"""The serial port of one seat board on the asyncio loop: found by the board's USB identity, never by trying what is
plugged in; opened again whenever it is there. Bytes in, at a bounded pace, and bytes out; knows no sentence."""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import serial
from serial.tools.list_ports import comports

from taptable.core.errors import DeviceError
from taptable.core.rates import RateLimiter

RETRY_S = 1.0
PENALTY_S = 30.0
"""A board that was disconnected because of what it said is tried again after this."""
BYTES_PER_S, MOST_BYTES = 8_000, 16_384
"""How much of a board is read in a second, and at once. In a window a board says 2 kB a second; after an interruption
it says 16 events of 64 bytes again and again, which is 6 kB in the first second."""
READ_BYTES = 4096
PENDING_BYTES = 4096  # more than this isn't kept for a board that doesn't read

_IDENTITY = ("idVendor", "idProduct", "serial")

OpenPort: TypeAlias = Callable[[str], serial.Serial]
"""Opens the port of a board by its id. DeviceError or OSError where that can't be done now."""


class TwinBoards(DeviceError):
    """Several devices on USB have the serial number of one board, so nobody can tell which of them is meant."""

    def __init__(self, board: str) -> None:
        super().__init__(f"two boards say that they are {board}")


class FloodingBoard(DeviceError):
    """A board says more than it can mean."""

    def __init__(self, board: str) -> None:
        super().__init__(f"board {board} floods its line with what means nothing")


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device: vendor and product in lower-case hex, and its serial number."""

    vendor: str
    product: str
    serial: str


def usb_devices(folder: Path = Path("/sys/bus/usb/devices")) -> list[UsbDevice]:
    """All devices that the kernel knows of, in the order of its ports; none where it has no such folder."""
    if not folder.is_dir():
        return []
    found = [UsbDevice(*(_word(device, name) for name in _IDENTITY)) for device in sorted(folder.iterdir())]
    return [device for device in found if device.vendor]


def _word(device: Path, name: str) -> str:
    try:
        return (device / name).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def find_port(
    board: str, links: Path = Path("/dev/serial/by-id"), devices: Path = Path("/sys/bus/usb/devices")
) -> str | None:
    """The path of the serial port whose USB serial number is the board's id, or None: by the link that udev makes, or
    by what the kernel says of the port where there is none. TwinBoards where two devices have that number."""
    if sum(device.serial == board for device in usb_devices(devices)) > 1:
        raise TwinBoards(board)
    named = sorted(links.iterdir()) if links.is_dir() else []
    link = next((str(link) for link in named if f"_{board}-if" in link.name), None)
    return link or next((port.device for port in comports() if port.serial_number == board), None)


def open_path(path: str) -> serial.Serial:
    """The serial port at a path, which nobody else may open meanwhile; reads and writes don't wait."""
    return serial.Serial(path, timeout=0, write_timeout=0, exclusive=True)


def open_by_identity(board: str) -> serial.Serial:
    """The port of a board that is plugged in. TwinBoards where two say that they are it."""
    path = find_port(board)
    if path is None:
        raise DeviceError(f"no USB serial port says that it is board {board}")
    return open_path(path)


class BoardPort:
    """One board's port. `opened` is called when it has been opened, `received` with what was read, and `closed` with
    the reason when it was lost or couldn't be opened; it is then tried again about once a second. Where more comes than
    `BYTES_PER_S`, reading pauses, and the board has to wait.
    """

    def __init__(
        self,
        board: str,
        open_port: OpenPort,
        on_opened: Callable[[], None],
        on_data: Callable[[bytes], None],
        on_closed: Callable[[str], None],
    ) -> None:
        self.path = ""
        """Of the serial port that was last opened."""
        self.error: Exception | None = None
        """Why it couldn't be opened the last time, or was disconnected; None while it is open."""
        self.paused_s = 0.0
        """How long reading has paused in all."""
        self._board = board
        self._open_port = open_port
        self._on_opened = on_opened
        self._on_data = on_data
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self._serial: serial.Serial | None = None
        self._pending = bytearray()
        self._retry: asyncio.TimerHandle | None = None
        self._limiter = RateLimiter(BYTES_PER_S, MOST_BYTES, self._loop.time)
        self._pause: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Open it, now or as soon as it is there."""
        self._retry = None
        try:
            self._serial = self._open_port(self._board)
        except (DeviceError, OSError, termios.error) as error:
            self.error = error
            self._try_later(str(error))
            return
        self.error = None
        self.path = str(self._serial.port)
        self._resume_reading()
        self._on_opened()

    def close(self) -> None:
        """Close it and leave it closed."""
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        if self._serial is not None:
            self._loop.remove_reader(self._serial.fileno())
            self._loop.remove_writer(self._serial.fileno())
            self._serial.close()
            self._serial = None
        self._pending.clear()

    def disconnect(self, error: DeviceError) -> None:
        """Close it because of what the board says, and try it again after `PENALTY_S`."""
        self.close()
        self.error = error
        self._try_later(str(error), PENALTY_S)

    def write(self, sentences: bytes) -> None:
        """Send whole sentences as soon as the port takes them. They are dropped where the board doesn't read, and
        while the port is closed.
        """
        if self._serial is not None and len(self._pending) + len(sentences) <= PENDING_BYTES:
            begins = not self._pending
            self._pending += sentences
            if begins and sentences:
                self._send()

    def _resume_reading(self) -> None:
        assert self._serial is not None
        self._pause = None
        self._loop.add_reader(self._serial.fileno(), self._readable)

    def _readable(self) -> None:
        assert self._serial is not None
        try:
            data = self._serial.read(READ_BYTES)
        except OSError as error:
            self._lose(str(error))
            return
        self._limiter.consume(len(data))
        pause_s = self._limiter.wait_s()
        if pause_s:
            self.paused_s += pause_s
            self._loop.remove_reader(self._serial.fileno())
            self._pause = self._loop.call_later(pause_s, self._resume_reading)
        if data:
            self._on_data(data)

    def _writable(self) -> None:
        """The port takes more of what it didn't take at once."""
        self._send()
        if self._serial is not None and not self._pending:
            self._loop.remove_writer(self._serial.fileno())

    def _send(self) -> None:
        assert self._serial is not None
        descriptor = self._serial.fileno()
        try:
            # Not `Serial.write`: without a time-out it tries again and again while the line is full.
            sent = os.write(descriptor, self._pending)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._lose(str(error))
            return
        del self._pending[:sent]
        if self._pending:
            self._loop.add_writer(descriptor, self._writable)

    def _lose(self, reason: str) -> None:
        self.close()
        self._try_later(reason)

    def _try_later(self, reason: str, after_s: float = RETRY_S) -> None:
        self._retry = self._loop.call_later(after_s, self.open)
        self._on_closed(reason)
