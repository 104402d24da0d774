"""USB sockets of a kernel that is host and gadget at once: a board that is plugged in there has a /dev/ttyACM on the
table's side, and /dev/ttyGS at its own."""

from __future__ import annotations

import os
import time
import tty
from contextlib import suppress
from pathlib import Path

from deadline import DEADLINE_S
from taptable.drivers.board.usb_model import Plug, UsbSockets

BY_ID = Path("/dev/serial/by-id")
_GADGETS = Path("/sys/kernel/config/usb_gadget")
_DESCRIBED = {
    "idVendor": "0x2e8a",
    "idProduct": "0x0005",
    "strings/0x409/manufacturer": "MicroPython",
    "strings/0x409/product": "Board in FS mode",
}
"""As MicroPython describes a Pico."""


class Socket:
    """One socket, by its number, and the plug of one board, at whose end `descriptor` is while it is plugged in."""

    def __init__(self, number: int, board: str) -> None:
        self.board = board
        self.link = BY_ID / f"usb-MicroPython_Board_in_FS_mode_{board}-if00"
        self._number = number
        self._gadget = _GADGETS / f"board{number}"
        for folder in ("strings/0x409", "configs/c.1", f"functions/acm.{number}"):
            (self._gadget / folder).mkdir(parents=True)
        for file, word in (*_DESCRIBED.items(), ("strings/0x409/serialnumber", board)):
            (self._gadget / file).write_text(word, encoding="ascii")
        function = self._gadget / f"functions/acm.{number}"
        (self._gadget / f"configs/c.1/acm.{number}").symlink_to(function)
        self._end = f"/dev/ttyGS{(function / 'port_num').read_text(encoding='ascii').strip()}"
        self.descriptor = -1

    def plug_in(self, *, named: bool = True) -> str:
        """Plug it in, and wait for its port; that is given its name, as udev does, if it is to be `named`."""
        self.descriptor = os.open(self._end, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.descriptor)
        self._connect(f"dummy_udc.{self._number}")
        port = self._wait(True)
        if named:
            BY_ID.mkdir(parents=True, exist_ok=True)
            self.link.symlink_to(f"../../{port}")
        return f"/dev/{port}"

    def pull_out(self) -> None:
        """Pull it out, and wait until its port is gone."""
        self._connect("")
        self._wait(False)
        os.close(self.descriptor)
        self.link.unlink(missing_ok=True)

    def _connect(self, controller: str) -> None:
        (self._gadget / "UDC").write_text(f"{controller}\n", encoding="ascii")

    def _wait(self, there: bool) -> str:
        deadline_s = time.monotonic() + DEADLINE_S
        while bool(port := self._port()) is not there:
            assert time.monotonic() < deadline_s, f"board {self.board} isn't {'there' if there else 'gone'}"
            time.sleep(0.01)
        return port

    def _port(self) -> str:
        for port in Path("/sys/class/tty").glob("ttyACM*"):
            with suppress(OSError):
                if (port / "device/../serial").read_text(encoding="ascii").strip() == self.board:
                    return port.name
        return ""


class GadgetPlug(Plug):
    """The plug of a virtual board in a socket of the kernel's."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.path = socket.plug_in()
        self.descriptor = socket.descriptor

    def close(self) -> None:
        """Pull it out."""
        self._socket.pull_out()


class GadgetSockets(UsbSockets):
    """The place at which virtual boards find the kernel's sockets, by their numbers."""

    def __init__(self, places: dict[str, int]) -> None:
        super().__init__()
        self._kernel = {board: Socket(number, board) for board, number in places.items()}

    def plug_in(self, board: str) -> Plug:
        """Plug the board into its socket."""
        self._plugs[board] = GadgetPlug(self._kernel[board])
        return self._plugs[board]
