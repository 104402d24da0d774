"""The example of a screen at the Pi: its command fills a screen with the scoreboard page of the same computer. What
systemd says to the unit is in `test_units`."""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from deadline import DEADLINE_S

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "examples" / "kiosk" / "taptable-kiosk.service"
PROGRAMS = ("cage", "chromium", "Xvfb", "Xwayland")
COLOUR = (0, 102, 51)
PAGE = f"<html style='background: rgb{COLOUR}'></html>"
NOBODY = 65534


def command() -> list[str]:
    """The command of the unit."""
    (line,) = [line for line in UNIT.read_text(encoding="utf-8").splitlines() if line.startswith("ExecStart=")]
    return line.removeprefix("ExecStart=").split()


@contextmanager
def page_server() -> Generator[tuple[int, list[str]]]:
    """A page of one colour at a port; yields the port, and the paths that were fetched."""
    fetched: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fetched.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE.encode())

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port, fetched
    finally:
        server.shutdown()
        server.server_close()


def corners(frame_buffer: Path) -> set[tuple[int, int, int]]:
    """The colours at the corners of the screen and between them, where no pointer is, from Xvfb's
    file (a window dump, version 7)."""
    dump = frame_buffer.read_bytes()
    header = struct.unpack(">25I", dump[:100])
    size, width, height, stride, colours = header[0], header[4], header[5], header[12], header[19]
    pixels = size + 12 * colours
    found: set[tuple[int, int, int]] = set()
    for x, y in ((1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2), (width // 3, height // 3)):
        blue, green, red = dump[pixels + y * stride + 4 * x :][:3]
        found.add((red, green, blue))
    return found


@contextmanager
def virtual_screen(folder: Path) -> Generator[tuple[str, Path]]:
    """An X server without glass, as large as cage's window; yields its display, and the file of its pixels."""
    read, write = os.pipe()
    arguments = ["-displayfd", str(write), "-screen", "0", "1024x768x24", "-fbdir", str(folder), "-nolisten", "tcp"]
    server = subprocess.Popen(["Xvfb", *arguments], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            yield f":{numbers.readline().strip()}", folder / "Xvfb_screen0"
    finally:
        server.terminate()
        server.wait()


def test_the_command_shows_the_scoreboard_page_of_this_computer_and_nothing_else() -> None:
    assert command()[0].endswith("/cage")
    assert "--kiosk" in command()
    assert command()[-1] == "http://localhost:8137/scoreboard"


@pytest.mark.long
@pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason=f"needs {', '.join(PROGRAMS)}: see docs/kiosk.md")
def test_the_page_fills_the_screen() -> None:
    is_root = os.geteuid() == 0
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if is_root else []
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as name,
        page_server() as (port, fetched),
    ):
        folder = Path(name)
        folder.chmod(0o700)
        if is_root:
            os.chown(folder, NOBODY, NOBODY)
        (folder / "screen").mkdir()
        with virtual_screen(folder / "screen") as (display, pixels):
            cage, *options, _ = [word.replace("/var/lib/taptable-kiosk", name) for word in command()]
            # the sandbox needs rights that a container doesn't give; and a bar says so unless it is a test
            given = [*as_nobody, cage, *options, "--no-sandbox", "--test-type", f"http://localhost:{port}/scoreboard"]
            backend = {"WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman", "DISPLAY": display}
            env = {"PATH": os.environ["PATH"], "HOME": name, "XDG_RUNTIME_DIR": name, **backend}
            kiosk = subprocess.Popen(given, env=env, start_new_session=True, stderr=subprocess.DEVNULL)
            try:
                deadline_s = time.monotonic() + DEADLINE_S
                while corners(pixels) != {COLOUR} and time.monotonic() < deadline_s and kiosk.poll() is None:
                    time.sleep(0.2)
                assert kiosk.poll() is None
                assert corners(pixels) == {COLOUR}
                assert "/scoreboard" in fetched
            finally:
                os.killpg(kiosk.pid, signal.SIGKILL)
                kiosk.wait()
