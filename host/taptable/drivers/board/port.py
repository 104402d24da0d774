"""The serial port of one seat board on the asyncio loop. Finds it by the board's USB identity, never by trying ports,
and opens it again whenever it returns. Bytes in, at a bounded pace, and bytes out; knows no sentence."""

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
"""The delay before a port that couldn't be opened, or was lost, is tried again."""
PENALTY_S = 30.0
"""The delay before a board is retried that was disconnected because of what it sent."""
BYTES_PER_S, MAX_BYTES = 8_000, 16_384
"""Rate (per second) and burst of bytes read from a board. In a window a board sends 2 kB a second; after an
interruption it sends 16 events of 64 bytes again and again, which is 6 kB in the first second."""
READ_BYTES = 4096  # the most bytes that are read at once
PENDING_BYTES = 4096  # the most bytes that wait for a board that doesn't read

_IDENTITY = ("idVendor", "idProduct", "serial")

OpenPort: TypeAlias = Callable[[str], serial.Serial]
"""Opens the port of a board by its id. Raises DeviceError or OSError if that isn't possible now."""


class TwinBoards(DeviceError):
    """Several USB devices have the serial number of one board, so that it is unknown which of them is meant."""

    def __init__(self, board: str) -> None:
        super().__init__(f"two boards have the serial number {board}")


class FloodingBoard(DeviceError):
    """A board sends too much garbage."""

    def __init__(self, board: str) -> None:
        super().__init__(f"board {board} sends too much garbage")


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device: vendor and product in lower-case hex, and its serial number."""

    vendor: str
    product: str
    serial: str


def usb_devices(folder: Path = Path("/sys/bus/usb/devices")) -> list[UsbDevice]:
    """Return all devices that the kernel knows, in the order of its ports; none if it has no such folder."""
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
    """Return the path of the serial port whose USB serial number is the board's id, or None. Uses the link that udev
    makes, else the kernel's information about the port. Raises TwinBoards if two devices have that number."""
    if sum(device.serial == board for device in usb_devices(devices)) > 1:
        raise TwinBoards(board)
    named = sorted(links.iterdir()) if links.is_dir() else []
    link = next((str(link) for link in named if f"_{board}-if" in link.name), None)
    return link or next((port.device for port in comports() if port.serial_number == board), None)


def open_path(path: str) -> serial.Serial:
    """Open the serial port at a path, exclusively. Reads and writes don't wait."""
    return serial.Serial(path, timeout=0, write_timeout=0, exclusive=True)


def open_by_identity(board: str) -> serial.Serial:
    """Open the port of a board that is plugged in. Raises TwinBoards if two have its id."""
    path = find_port(board)
    if path is None:
        raise DeviceError(f"no USB serial port has the serial number of board {board}")
    return open_path(path)


class BoardPort:
    """One board's port. Calls `on_opened` when it has been opened, `on_data` with what was read, and `on_closed` with
    the reason when it was lost or couldn't be opened; it is then retried about once a second. If more than
    `BYTES_PER_S` comes, reading pauses, and the board has to wait."""

    def __init__(
        self,
        board: str,
        open_port: OpenPort,
        on_opened: Callable[[], None],
        on_data: Callable[[bytes], None],
        on_closed: Callable[[str], None],
    ) -> None:
        self.path = ""
        """The path of the serial port that was last opened."""
        self.error: Exception | None = None
        """Why it couldn't be opened the last time, or was disconnected; None while it is open."""
        self.paused_s = 0.0
        """The total time for which reading has paused."""
        self._board = board
        self._open_port = open_port
        self._on_opened = on_opened
        self._on_data = on_data
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self._serial: serial.Serial | None = None
        self._pending = bytearray()
        self._retry: asyncio.TimerHandle | None = None
        self._limiter = RateLimiter(BYTES_PER_S, MAX_BYTES, self._loop.time)
        self._pause: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Open the port, now or as soon as it appears."""
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
        """Close the port and leave it closed."""
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
        """Close the port because of what the board sent, and retry after `PENALTY_S`."""
        self.close()
        self.error = error
        self._try_later(str(error), PENALTY_S)

    def write(self, sentences: bytes) -> None:
        """Send whole sentences as soon as the port takes them. Drops them if the board doesn't read, and while the port
        is closed."""
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
        """Send more of what the port didn't take at once."""
        self._send()
        if self._serial is not None and not self._pending:
            self._loop.remove_writer(self._serial.fileno())

    def _send(self) -> None:
        assert self._serial is not None
        descriptor = self._serial.fileno()
        try:
            # Not `Serial.write`: without a timeout it retries for as long as the line is full.
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
