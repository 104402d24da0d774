"""A real PC/SC service with virtual readers, in a network and a folder of its own: Debian's pcscd, and vpcd as the
driver of its readers. A card is a connection to its reader that answers as a contactless card does. `Room` starts,
kills and configures the service; the code under test reaches it as on any computer, through libpcsclite."""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import ParamSpec, TypeVar

from deadline import DEADLINE_S
from servers import POLL_S, NotInstalled, Server, a_folder, program

from pcsc.usb import MOST_READERS, Reader, Usb, write_driver

SOCKET = "PCSCLITE_CSOCK_NAME"
"""In the environment: the socket of the service. libpcsclite reads it once in the life of a process."""
UID = bytes.fromhex("FFCA000000")
OK = b"\x90\x00"
UNSUPPORTED = b"\x6a\x81"
ATR = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")
"""The answer of a contactless storage card, as the readers make it up: an NTAG has none."""
_VPCD = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
_SOURCE = Path(__file__).with_name("reader.c")
_RUN, _DRIVERS = Path("/run/pcscd"), Path("/usr/lib/pcsc/drivers")
_FIRST_PORT = 20_000
_NEW_NETWORK, _NEW_MOUNTS = 0x40000000, 0x00020000
_BIND, _PRIVATE = 4096, (1 << 18) | 16384
_GET_FLAGS, _SET_FLAGS, _IS_UP = 0x8913, 0x8914, 1

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Namespace:
    """A thread with a network of its own, and with folders of ours in other places. The processes that are started in
    it, and its sockets, have both."""

    def __init__(self, places: Mapping[Path, Path]) -> None:
        self._thread = ThreadPoolExecutor(1, "namespace")
        try:
            self.run(self._enter, places)
        except OSError:
            self.close()
            raise

    def run(self, function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Call a function in it."""
        return self._thread.submit(function, *args, **kwargs).result(DEADLINE_S)

    def close(self) -> None:
        """Leave it; the processes stay in it."""
        self._thread.shutdown()

    @staticmethod
    def _enter(places: Mapping[Path, Path]) -> None:
        libc = ctypes.CDLL(None, use_errno=True)

        def check(status: int, doing: str) -> None:
            if status:
                raise OSError(ctypes.get_errno(), f"{doing}: {os.strerror(ctypes.get_errno())}")

        check(libc.unshare(_NEW_NETWORK | _NEW_MOUNTS), "unshare")
        check(libc.mount(None, b"/", None, _PRIVATE, None), "mount")
        check(libc.mount(b"none", bytes(_RUN.parent), b"tmpfs", 0, None), "mount")
        _RUN.mkdir()
        for place, folder in places.items():
            check(libc.mount(bytes(folder), bytes(place), None, _BIND, None), "mount")
        with socket.socket() as any_socket:
            request = struct.pack("16sH14x", b"lo", 0)
            (flags,) = struct.unpack_from("H", fcntl.ioctl(any_socket, _GET_FLAGS, request), 16)
            fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _IS_UP))


class Card:
    """A card that lies on a reader, from the start until it is lifted. It answers with its UID, or with `answer` if
    that is given; with an empty one it is pulled away instead."""

    def __init__(self, connection: socket.socket, uid: bytes, answer: bytes | None = None) -> None:
        self._connection = connection
        self._answer = uid + OK if answer is None else answer
        self.asked: list[bytes] = []
        """The commands that have come from the service."""
        self._thread = Thread(target=self._serve, name=f"card {uid.hex()}", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until it is gone: pulled away, or its reader has let it go."""
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()

    def lift(self) -> None:
        """Take it away."""
        with suppress(OSError):  # the service has ended
            self._connection.shutdown(socket.SHUT_RDWR)
        self.wait()
        self._connection.close()

    def _serve(self) -> None:
        with suppress(OSError), self._connection.makefile("rb") as stream:
            while header := stream.read(2):
                # vpcd sends the next command after this one is acknowledged, by default 40 ms later
                self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
                command = stream.read(*struct.unpack(">H", header))
                if len(command) > 1:
                    self.asked.append(command)
                    self._send(self._answer if command == UID else UNSUPPORTED)
                elif command == b"\x04":  # the others switch its field on and off, and want no answer
                    self._send(ATR)

    def _send(self, answer: bytes) -> None:
        if answer:
            self._connection.sendall(struct.pack(">H", len(answer)) + answer)
        else:
            self._connection.shutdown(socket.SHUT_RDWR)


@dataclass
class Pcscd(Server):
    """The service, ready once its socket accepts connections. Its readers have been opened by then."""

    address: Path = Path()

    def _is_ready(self) -> bool:
        if not super()._is_ready():
            return False
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.address)) == 0


class Room:
    """The service, the readers that are plugged in, and the cards on them. Readers are known by the names that they
    have in tests."""

    def __init__(self, namespace: Namespace, folder: Path, pcscd: Pcscd, usb: Usb) -> None:
        self.pcscd = pcscd
        self.tree = usb.tree
        self.cards: dict[str, Card] = {}
        self._namespace = namespace
        self._folder = folder
        self._usb = usb

    @property
    def commands(self) -> list[str]:
        """The commands for readers themselves, with the number of the device."""
        file = self._folder / "commands"
        return file.read_text(encoding="ascii").splitlines() if file.exists() else []

    @property
    def ports(self) -> Mapping[str, Reader]:
        """The readers that are plugged in, by their ports."""
        return self._usb.ports

    def is_known(self, name: str) -> bool:
        """Return whether a reader is plugged in while the service runs."""
        return bool(self.pcscd.pids()) and any(reader.name == name for reader in self.ports.values())

    def start(self) -> None:
        """Start the service."""
        self._namespace.run(self.pcscd.start)

    def kill(self) -> None:
        """Kill the service, as the kernel does when memory runs out. No card lies anywhere then."""
        self.pcscd.kill()
        self.lift(*self.cards)

    def stop(self) -> None:
        """End the service, as an upgrade does. No card lies anywhere then."""
        self.pcscd.stop()
        self.lift(*self.cards)

    def plug_in(self, readers: Mapping[str, Reader]) -> None:
        """Plug readers into ports, one after the other."""
        for port, reader in readers.items():
            self._namespace.run(self._usb.plug_in, port, reader)

    def pull_out(self, *names: str) -> None:
        """Pull readers out, with what lies on them."""
        for name in names:
            if name in self.cards:
                self.lift(name)
            self._namespace.run(self._usb.pull_out, self._port(name))

    def silence(self, name: str, silent: bool) -> None:
        """Let a reader answer nothing, or answer again."""
        file = self._folder / f"silent{self._usb.numbers[self._port(name)]}"
        file.touch() if silent else file.unlink()

    def lay(self, name: str, uid: bytes, answer: bytes | None = None) -> Card:
        """Lay a card on a reader, which must be empty."""
        assert name not in self.cards
        self.cards[name] = card = Card(self.connect(name), uid, answer)
        return card

    def connect(self, name: str) -> socket.socket:
        """Return a connection to a reader, which takes one at a time for a card. The service has to know the reader by
        now, or soon."""
        port = _FIRST_PORT + 2 * self._usb.numbers[self._port(name)]
        end_s = time.monotonic() + DEADLINE_S
        while True:
            try:
                return self._namespace.run(socket.create_connection, ("127.0.0.1", port), DEADLINE_S)
            except ConnectionRefusedError as error:
                if time.monotonic() > end_s:
                    error.add_note(self.pcscd.log.read_bytes().decode(errors="replace")[-4000:])
                    raise
                time.sleep(POLL_S)

    def lift(self, *names: str) -> None:
        """Lift the cards on these readers."""
        for name in [*names]:
            self.cards.pop(name).lift()

    def _port(self, name: str) -> str:
        return next(port for port, reader in self._usb.ports.items() if reader.name == name)


@contextmanager
def pcsc_room(address: Path, poll_ms: int | None = None, *, with_slots: bool = False) -> Generator[Room]:
    """A room whose service will be at this address, and whose readers look for cards every `poll_ms` milliseconds
    (None: as often as pcscd looks by itself). An ACR1252U is a reader `with_slots`, or two readers. Raises
    `NotInstalled` if this computer has no pcscd, no vpcd or no compiler, or if this user may not have a network of its
    own."""
    found, library = program("pcscd"), reader_library()
    address.parent.mkdir(exist_ok=True)
    with a_folder() as folder:
        write_driver(folder / "drivers", library)
        for number in range(MOST_READERS):
            shutil.copy(_VPCD, folder / f"vpcd{number}.so")
        (folder / "none").mkdir()
        usb = Usb()
        places = {_RUN: address.parent, _DRIVERS: folder / "drivers", Path("/sys"): usb.tree.root / "sys"}
        try:
            namespace = Namespace(places)
        except OSError as error:
            usb.tree.remove()
            raise NotInstalled(f"pcscd can't have a network of its own here: {error}") from error
        # libudev takes our folder for sysfs
        variables = {"SYSTEMD_DEVICE_VERIFY_SYSFS": "0", "TAPTABLE_READERS": str(folder)}
        if poll_ms is not None:
            variables["TAPTABLE_POLL_MS"] = str(poll_ms)
        if with_slots:
            variables["TAPTABLE_SLOTS"] = "1"
        command = ["env", *(f"{name}={value}" for name, value in variables.items())]
        command += [found, "--foreground", "--info", "--config", str(folder / "none")]
        room = Room(namespace, folder, Pcscd("pcscd", command, folder, 0, b"daemon ready", address=address), usb)
        try:
            yield room
        finally:
            room.stop()
            namespace.close()
            usb.tree.remove()
            shutil.rmtree(address.parent, ignore_errors=True)


@cache
def reader_library() -> bytes:
    """Compile the driver of the readers. Raises `NotInstalled` without a compiler or vpcd."""
    if not _VPCD.exists():
        raise NotInstalled("there is no vpcd: scripts/setup-servers gets it")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise NotInstalled("there is no C compiler")
    with a_folder() as folder:
        library = folder / "reader.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, _SOURCE, "-ldl"], check=True)
        return library.read_bytes()
