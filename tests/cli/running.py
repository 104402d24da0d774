"""Commands that run as processes of their own: tests wait for their output, and send them signals."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deadline import DEADLINE_S


class Running:
    """A process and its output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.log = ""

    def read_until(self, *patterns: str) -> None:
        """Wait until all of these are in the log, or fail with it."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        deadline = time.monotonic() + DEADLINE_S
        while not all(re.search(pattern, self.log, re.MULTILINE) for pattern in patterns):
            assert select.select([descriptor], [], [], max(0, deadline - time.monotonic()))[0], self.log
            data = os.read(descriptor, 65536)
            assert data, self.log
            self.log += data.decode()

    def order(self, *words: object) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{' '.join(map(str, words))}\n".encode())
        self._process.stdin.flush()

    def wait(self) -> int:
        """Wait for its end; the status."""
        return self._process.wait(DEADLINE_S)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; the status."""
        self._process.send_signal(number)
        rest, _ = self._process.communicate(timeout=DEADLINE_S)
        self.log += rest.decode()
        return self._process.returncode


@contextmanager
def running(program: Sequence[object], folder: Path) -> Iterator[Running]:
    """A process in a folder; it is ended at the end."""
    process = subprocess.Popen(
        [*map(str, program)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    with process:
        try:
            yield Running(process)
        finally:
            process.kill()
