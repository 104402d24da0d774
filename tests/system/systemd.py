"""The part of systemd that a daemon meets, on a real socket: it receives notifications, and ends a process that doesn't
pet its watchdog in time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deadline import DEADLINE_S


class NotifySocket:
    """The socket to which a daemon reports its state."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)

    def hear(self, within_s: float) -> str | None:
        """The next notification; None if it takes longer than `within_s`."""
        self._socket.settimeout(max(within_s, 0.001))
        try:
            return self._socket.recv(4096).decode()
        except TimeoutError:
            return None

    def hear_until(self, wanted: str) -> list[str]:
        """All notifications up to this one."""
        heard: list[str] = []
        deadline_s = time.monotonic() + DEADLINE_S
        while wanted not in heard:
            news = self.hear(deadline_s - time.monotonic())
            assert news is not None, heard
            heard.append(news)
        return heard

    def waiting(self) -> list[str]:
        """All notifications that haven't been read yet."""
        heard: list[str] = []
        self._socket.setblocking(False)
        try:
            while True:
                heard.append(self._socket.recv(4096).decode())
        except BlockingIOError:
            return heard

    def close(self) -> None:
        self._socket.close()


@contextmanager
def notify_socket(address: str) -> Iterator[NotifySocket]:
    listening = NotifySocket(address)
    try:
        yield listening
    finally:
        listening.close()


class Unit:
    """A supervised daemon; its notifications are in `heard`, its log lines in `log`."""

    def __init__(
        self, program: list[str], folder: Path, told: NotifySocket, watchdog_s: float, more: Mapping[str, str]
    ) -> None:
        self.heard: list[str] = []
        self._told = told
        self._watchdog_s = watchdog_s
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                program,
                cwd=folder,
                stdin=subprocess.PIPE,
                stderr=log,
                env={
                    **os.environ,
                    "NOTIFY_SOCKET": told.address,
                    "WATCHDOG_USEC": str(round(watchdog_s * 1_000_000)),
                    "PYTHONFAULTHANDLER": "1",
                    **more,
                },
            )

    @property
    def log(self) -> str:
        return self._log.read_text()

    def order(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def hear_until(self, wanted: str) -> None:
        """Read its notifications up to this one."""
        self.heard += self._told.hear_until(wanted)

    def watch(self, pings: int | None = None) -> None:
        """Wait until it has been pet this often, or misses its time, for which it is killed."""
        deadline_s = time.monotonic() + DEADLINE_S
        starves_s = time.monotonic() + self._watchdog_s
        eaten = 0
        while pings is None or eaten < pings:
            assert time.monotonic() < deadline_s, "fed for ever"
            news = self._told.hear(starves_s - time.monotonic())
            if news is not None:
                self.heard.append(news)
            if news == "WATCHDOG=1":
                starves_s = time.monotonic() + self._watchdog_s
                eaten += 1
            elif news is None:
                self.process.send_signal(signal.SIGABRT)
                # one that is stopped takes the signal only then: so does systemd
                self.process.send_signal(signal.SIGCONT)
                return

    def end(self) -> int:
        """Its exit status, after all its notifications."""
        status = self.process.wait(DEADLINE_S)
        self.heard += self._told.waiting()
        return status


@contextmanager
def supervised(
    program: list[str], folder: Path, watchdog_s: float, more: Mapping[str, str] | None = None
) -> Iterator[Unit]:
    """A daemon that is kept while this lasts."""
    with notify_socket(str(folder / "notify")) as told:
        unit = Unit([sys.executable, *program], folder, told, watchdog_s, more or {})
        try:
            yield unit
        finally:
            unit.process.kill()
            unit.process.wait(DEADLINE_S)
            assert unit.process.stdin is not None
            unit.process.stdin.close()
