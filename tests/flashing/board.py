"""A Pico on a cable: MicroPython's own prompt, with files that stay through a reset, and firmware that says hello once
it is there. What is at its port is a pseudo-terminal under the name of a board."""

from __future__ import annotations

import base64
import json
import os
import re
import select
import subprocess
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from deadline import DEADLINE_S
from tapshared.conversation import Conversation
from tapshared.ticks import PERIOD

ROOT = Path(__file__).resolve().parents[2]
INTERRUPT = b"\x03"
STARTS_ANEW = 3
VERSION = "/lib/tapshared/version.py"
SETTINGS = "/board.json"


class NoMicroPython(Exception):
    """MicroPython is missing; the text says how to get it."""


def micropython_js() -> Path:
    """The folder of the MicroPython whose prompt it is."""
    found = subprocess.run(
        [ROOT / "scripts" / "setup-micropython-js", "--find"], capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        raise NoMicroPython("no MicroPython for JavaScript: scripts/setup-micropython-js fetches it")
    return Path(found.stdout.strip())


@dataclass
class Pico:
    """One board. `port` and `version` are what its MicroPython says it is for and of; `harm` gets what is sent to its
    prompt and may change it; `breaks` are lines that its firmware says instead of the wire's. It is unplugged when it
    hears `unplugged_at`."""

    folder: Path
    board: str
    port: str = "rp2"
    version: str = ""
    harm: Callable[[bytes], bytes] = field(default=lambda sent: sent)
    breaks: bytes = b""
    unplugged_at: bytes | None = None
    resets: int = 0

    def __post_init__(self) -> None:
        self.far, self.near = os.openpty()
        tty.setraw(self.near)
        self.path = Path(os.ttyname(self.near))
        self._kept = self.folder / f"{self.board}.json"
        self._kept.write_text("{}", encoding="utf-8")
        self._prompt: subprocess.Popen[bytes] | None = None
        self._firmware: Conversation | None = None
        self._ending, self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, name=f"board {self.board}", daemon=True)

    @property
    def files(self) -> dict[str, bytes]:
        """The files on the board, as of its last start."""
        return {path: base64.b64decode(data) for path, data in json.loads(self._kept.read_text()).items()}

    def put(self, files: Mapping[str, bytes]) -> None:
        """Put these files on the board before it is plugged in."""
        kept = {path: base64.b64encode(data).decode() for path, data in files.items()}
        self._kept.write_text(json.dumps(kept), encoding="utf-8")

    def plug_in(self) -> None:
        self._start()
        self._thread.start()

    def press(self) -> None:
        """Press the button."""
        os.write(self._end, b"press")

    def pull_out(self) -> None:
        os.write(self._end, b".")
        self._thread.join()
        if self._prompt is not None:
            self._prompt.kill()
            self._prompt.communicate()
        for descriptor in (self.near, self._ending, self._end):
            os.close(descriptor)
        if self.far >= 0:
            os.close(self.far)

    def _start(self) -> None:
        """Power up: run main.py, if there is one."""
        files = self.files
        self._firmware = None
        if "/main.py" in files and not self.breaks:
            said = re.search(rb'FIRMWARE = "([^"]*)"', files.get(VERSION, b""))
            about: dict[str, int | str] = {"board": self.board, "boot": 7, "pads": 1, "buttons": 1}
            about["firmware"] = said[1].decode() if said else "none"
            about["pixels"] = json.loads(files.get(SETTINGS, b'{"pixels": 12}'))["pixels"]
            self._firmware = Conversation(about, _ticks())

    def _to_the_prompt(self) -> None:
        self._firmware = None
        command = ["node", Path(__file__).with_name("board.mjs"), micropython_js()]
        self._prompt = subprocess.Popen(
            [*command, self.port, self.version, self.board, self._kept], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def _run(self) -> None:
        while True:
            said = [] if self._prompt is None or self._prompt.stdout is None else [self._prompt.stdout]
            ready, _, _ = select.select([self.far, self._ending, *said], [], [], 0.05)
            if self._ending in ready and os.read(self._ending, 5) != b"press":
                return
            if self._ending in ready and self._firmware is not None:
                self._firmware.queue_event("press", (_ticks(), ""), _ticks())
            if self.far in ready:
                data = os.read(self.far, 4096)
                if self.unplugged_at is not None and self.unplugged_at in data:
                    os.close(self.far)
                    self.far = -1
                    return
                self._hear(data)
            if said and said[0] in ready:
                self._from_the_prompt(said[0].read1(4096))
            if self._prompt is None:
                self._run_firmware()

    def _run_firmware(self) -> None:
        said = self.breaks if self._firmware is None else self._firmware.take_outgoing(_ticks())
        _, writable, _ = select.select([], [self.far], [], 0)
        if writable:  # else nobody has listened for long
            os.write(self.far, said)

    def _hear(self, data: bytes) -> None:
        if self._prompt is None and INTERRUPT in data:
            self._to_the_prompt()
        if self._prompt is not None and self._prompt.stdin is not None:
            with suppress(BrokenPipeError):  # it is restarting, and hears nothing
                self._prompt.stdin.write(self.harm(data))
                self._prompt.stdin.flush()
        elif self._firmware is not None:
            self._firmware.receive(data, _ticks())

    def _from_the_prompt(self, data: bytes) -> None:
        if data:
            os.write(self.far, data)
            return
        assert self._prompt is not None
        assert self._prompt.wait(DEADLINE_S) == STARTS_ANEW
        self._prompt.communicate()
        self._prompt = None
        self.resets += 1
        self._start()


def _ticks() -> int:
    return time.monotonic_ns() // 1000 % PERIOD


@dataclass
class FakeComputer:
    """A computer with boards plugged in: `root` is where its files are."""

    root: Path
    picos: list[Pico] = field(default_factory=list)

    def plugs_in(self, pico: Pico) -> Pico:
        """Plug the board in: it appears among the USB devices and under its identity."""
        self.shows(pico.board, str(pico.path))
        self.picos.append(pico)
        pico.plug_in()
        return pico

    def shows(self, board: str, port: str) -> None:
        """Let a board with MicroPython appear, with udev's link to this port."""
        self.device(board, "0005")
        link = self._link(board)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(port)

    def waits_for_micropython(self, product: str) -> None:
        """A Pico was plugged in with BOOTSEL held."""
        self.device("E0C9125B0D9B", product)

    def link(self, pico: Pico) -> Path:
        """The name of its port."""
        return self._link(pico.board)

    def device(self, serial: str, product: str, vendor: str = "2e8a", place: str = "") -> None:
        """The kernel lists a device."""
        device = self.root / "sys" / "bus" / "usb" / "devices" / (place or f"1-{serial}")
        device.mkdir(parents=True)
        for name, word in (("idVendor", vendor), ("idProduct", product), ("serial", serial)):
            (device / name).write_text(f"{word}\n", encoding="utf-8")

    def _link(self, board: str) -> Path:
        return self.root / "dev" / "serial" / "by-id" / f"usb-MicroPython_Board_in_FS_mode_{board}-if00"


@contextmanager
def fake_computer(root: Path) -> Iterator[FakeComputer]:
    """Boards that are plugged in there are pulled out at the end."""
    desk = FakeComputer(root)
    try:
        yield desk
    finally:
        for pico in desk.picos:
            pico.pull_out()
