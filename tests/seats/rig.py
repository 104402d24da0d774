"""A table whose parts can be plugged in anywhere: readers that are files and buttons that are sockets, by the drivers
of `driver_package`, in processes of their own."""

from __future__ import annotations

import os
import pty
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.commands import TAPTABLE
from cli.deck_rig import box
from cli.running import Running
from deadline import DEADLINE_S
from taptable.api.client import Client, TableAway
from taptable.api.facts import PartsFacts
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_folder, socket_path
from taptable.memory.decks import Decks

PACKAGE = Path(__file__).parents[1] / "driver_package"
UID = next(uid for uid, card in box("box").cards.items() if card == "online#1")
STRANGE = "04c0ffee04c0ff"
ENTRY_POINTS = """
[taptable.drivers]
file = makeshift.file.driver:FileDriver
socket = makeshift.socket.driver:SocketDriver
"""


class Maker:
    """Somebody with a box of parts, and the folder of a table. `environment` is that of its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plugs = folder / "p"  # a socket's path is short
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(_installed(folder / "site")),
            "MAKESHIFT_PARTS": str(self.plugs),
            "LANGUAGE": "en",
        }
        self.journal = folder / "journal.sqlite"
        self.parts_file = folder / "parts.toml"
        (folder / "table.toml").write_text('[table]\ndeck = "box"\n')
        (self.plugs / "readers").mkdir(parents=True)
        (self.plugs / "buttons").mkdir()
        (folder / "decks").mkdir()
        Decks(folder / "decks").save(box("box"))

    @property
    def socket(self) -> Path:
        """The administrator's socket of the table."""
        return socket_path(socket_folder(self.journal), Role.ADMIN)

    def plug_in(
        self, readers: Sequence[str] = ("r1", "r2", "r3"), controllers: Sequence[str] = ("a-17", "b-18")
    ) -> None:
        """Plug in these parts. A card lies on the last reader: when the table says so, all readers have looked."""
        for reader in readers:
            (self.plugs / "readers" / reader).write_text(f"{STRANGE}\n" if reader == readers[-1] else "")
        for controller in controllers:
            (self.plugs / "buttons" / controller).mkdir()

    def lay(self, reader: str, uid: str = UID) -> None:
        """Lay a card on a reader, and lift those that lie elsewhere."""
        for each in (self.plugs / "readers").iterdir():
            each.write_text(f"{uid}\n" if each.name == reader else "", encoding="ascii")

    def press(self, controller: str, number: int) -> None:
        """Press a button, and release it."""
        with self.holding(controller, number):
            pass

    @contextmanager
    def holding(self, controller: str, number: int) -> Generator[None]:
        """Hold a button while this lasts."""
        path = self.plugs / "buttons" / controller / f"{number}.socket"
        deadline = time.monotonic() + DEADLINE_S
        while not path.is_socket():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        with socket.socket(socket.AF_UNIX) as button:
            button.connect(str(path))
            button.sendall(b"down\n")
            yield
            button.sendall(b"up\n")

    @staticmethod
    def read_until_again(table: Running, pattern: str, times: int) -> None:
        """Wait until a pattern is in the log so often."""
        table.read_until(pattern)
        while len(re.findall(pattern, table.log, re.MULTILINE)) < times:
            table.read_until(rf"\A(?s:.{{{len(table.log)}}}.)")

    @contextmanager
    def running(self, *arguments: object, terminal: bool = False) -> Generator[Running]:
        """A command as a process, at a terminal of its own if wanted; it is ended at the end."""
        main, side = pty.openpty() if terminal else (-1, subprocess.PIPE)
        process = subprocess.Popen(
            [*TAPTABLE, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            stdin=side,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        with process:
            try:
                yield AtTerminal(process, main) if terminal else Running(process)
            finally:
                process.kill()
                for descriptor in (main, side) if terminal else ():
                    os.close(descriptor)


class AtTerminal(Running):
    """A process that reads from a terminal."""

    def __init__(self, process: subprocess.Popen[bytes], main: int) -> None:
        super().__init__(process)
        self._main = main

    def order(self, *words: object) -> None:
        """Type a line."""
        os.write(self._main, f"{' '.join(map(str, words))}\n".encode())


class Watching:
    """A client that waits for steps."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._changes = client.subscribe("parts", timeout_s=DEADLINE_S)
        self.facts: PartsFacts = next(self._changes)["parts"]

    def wait_for(self, asked: str, seat: int | None = None) -> PartsFacts:
        """Wait until this is asked."""
        while (step := self.facts.assigning) is None or (step.asked, step.seat) != (asked, seat):
            self.facts = next(self._changes)["parts"]
        return self.facts

    def wait_for_answer(self, key: str) -> None:
        """Wait until people are told this."""
        while (step := self.facts.assigning) is None or step.answer is None or step.answer.key != key:
            self.facts = next(self._changes)["parts"]

    def wait_for_change(self) -> None:
        """Wait until something has changed."""
        self.facts = next(self._changes)["parts"]

    def wait_for_parts(self, count: int) -> None:
        """Wait until so many parts are plugged in."""
        while len(self.facts.parts) != count:
            self.facts = next(self._changes)["parts"]

    def wait_for_end(self) -> None:
        """Wait until the table ends the connection."""
        with pytest.raises(TableAway, match="it is gone"):
            list(self._changes)


@contextmanager
def watching(maker: Maker) -> Generator[Watching]:
    """A client of the table that runs."""
    with Client(maker.socket) as client:
        yield Watching(client)


def _installed(site: Path) -> Path:
    """The drivers of the package as an installation leaves them, without the time that pip takes."""
    about = site / "makeshift-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: makeshift\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    shutil.copytree(PACKAGE / "makeshift", site / "makeshift", ignore=shutil.ignore_patterns("__pycache__"))
    return site
