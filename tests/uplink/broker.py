"""A Mosquitto of a test's own, which can be stopped, killed, and made to forget everything."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

READY_WITHIN_S = 20.0


class Mosquitto:
    """At a port of this computer, open to everybody on it."""

    def __init__(self, folder: Path, more: str = "") -> None:
        program = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
        if program is None:
            pytest.skip("no mosquitto here")
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port: int = server.getsockname()[1]
        self._folder = folder
        user = pwd.getpwuid(os.getuid()).pw_name
        (folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nuser {user}\nallow_anonymous true\n"
            f"persistence true\npersistence_location {folder}/\nlog_dest none\n{more}"
        )
        self._command = [program, "-c", str(folder / "mosquitto.conf")]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, cwd=self._folder)
        end_s = time.monotonic() + READY_WITHIN_S
        while True:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            assert time.monotonic() < end_s, "mosquitto isn't ready"
            time.sleep(0.02)

    def stop(self) -> None:
        """Let it end; it keeps what it is to keep."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()

    def kill(self) -> None:
        """End it at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """All that it has kept is gone."""
        (self._folder / "mosquitto.db").unlink(missing_ok=True)


@contextmanager
def mosquitto(more: str = "") -> Iterator[Mosquitto]:
    with tempfile.TemporaryDirectory(prefix="taptable-") as folder:
        broker = Mosquitto(Path(folder), more)
        broker.start()
        try:
            yield broker
        finally:
            broker.kill()
