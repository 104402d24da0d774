"""The sockets of a simulated table: the driver listens at real ones, and fingers connect to them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress

from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.sim.stand_in import HardwareStandIn, Surroundings

from makeshift.socket.driver import SocketDriver, Talk


class SocketStandIn(HardwareStandIn):
    """The sockets of all buttons. Nobody can listen at one while no process may have them."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = SocketDriver(self._serve)
        self._paths = {part.pad: part.address.name for part in parts if part.pad is not None}
        self._is_free = True

    def let_go(self) -> None:
        """No process can listen any more."""
        self._is_free = False

    def take_up(self) -> None:
        """The next process may listen."""
        self._is_free = True

    def press(self, pad: Pad, hold_s: float) -> None:
        """Somebody connects to a button, holds it down for a while, and leaves."""
        finger = socket.socket(socket.AF_UNIX)
        with suppress(OSError):  # where nobody listens, a press is in vain
            finger.connect(self._paths[pad])
            finger.sendall(b"down\n")
        self.around.loop.call_later(hold_s, finger.close)

    async def _serve(self, talk: Talk, path: str) -> asyncio.Server:
        if not self._is_free:
            raise OSError("this process is gone")
        return await asyncio.start_unix_server(talk, path)


STAND_IN = SocketStandIn
