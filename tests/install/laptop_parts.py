"""The parts of a table at an emulated laptop: a Buzz! set in a USB socket whose other end is here, and cards for the
virtual readers of pcscd. Run as root without arguments it has them, until it is ended; with arguments it moves one:
``press DOME``, ``lay READER UID``, ``lift READER``, ``pull``, ``plug``, and ``lamps`` prints the last report to the
lamps. Needs the checkout's tests, and the program, on the path."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from kernel.controllers import BUZZ, Controller

PLACE = "/run/parts"
FIRST_PORT, SLOTS = 0x8C7B, 2
ATR = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")
DOMES = [*BUZZ.bits]


class Card:
    """A storage card on a reader, from its start until it is lifted."""

    def __init__(self, reader: int, uid: bytes) -> None:
        self._connection = socket.create_connection(("127.0.0.1", FIRST_PORT + SLOTS * reader), 20)
        self._connection.settimeout(None)
        self._uid = uid
        threading.Thread(target=self._serve, daemon=True).start()

    def lift(self) -> None:
        """Take it away."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _serve(self) -> None:
        with suppress(OSError), self._connection.makefile("rb") as stream:
            while header := stream.read(2):
                command = stream.read(*struct.unpack(">H", header))
                if command == b"\x04":
                    self._send(ATR)
                elif len(command) > 1:
                    self._send(self._uid + b"\x90\x00" if command[:2] == b"\xff\xca" else b"\x6a\x81")

    def _send(self, answer: bytes) -> None:
        self._connection.sendall(struct.pack(">H", len(answer)) + answer)


class Parts:
    """The parts, and what can be done with them."""

    def __init__(self) -> None:
        self.buzz = Controller(BUZZ, 0)
        self.cards: dict[int, Card] = {}

    def do(self, verb: str, *words: str) -> str:
        """Do something, and return what is to be printed."""
        match verb:
            case "plug":
                self.buzz.plug_in()
            case "pull":
                self.buzz.pull_out()
            case "press":
                self.buzz.move(DOMES[int(words[0])], down=True)
            case "release":
                self.buzz.move(DOMES[int(words[0])], down=False)
            case "lay":
                self.cards[int(words[0])] = Card(int(words[0]), bytes.fromhex(words[1]))
            case "lift":
                self.cards.pop(int(words[0])).lift()
            case "lamps":
                return self.buzz.lamp_reports(1)[0].hex()
            case _:
                return "there is no such verb"
        return "done"


def serve() -> None:
    """Have the parts."""
    for module in ("libcomposite", "dummy_hcd", "hid_sony"):
        subprocess.run(["modprobe", module], check=True)
    parts = Parts()
    with suppress(OSError):
        Path(PLACE).unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(PLACE)
        listener.listen()
        while True:
            client, _ = listener.accept()
            with client:
                try:
                    said = parts.do(*client.recv(1000).decode().split())
                except Exception as error:
                    said = f"failed: {error!r}"
                client.sendall(said.encode())


def ask(words: list[str]) -> int:
    """Have something done, and print the answer."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(PLACE)
        client.sendall(" ".join(words).encode())
        said = client.recv(1000).decode()
    print(said)
    return int(said.startswith(("failed", "there is")))


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1:]) if sys.argv[1:] else serve())
