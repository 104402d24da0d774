"""The sockets of a simulated table. The driver listens at real ones, and fingers connect to them."""

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
    """The sockets of all buttons. A driver can listen at them only while a process may have them."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = SocketDriver(self._serve)
        self._paths = {part.pad: part.address.name for part in parts if part.pad is not None}
        self._is_free = True

    def let_go(self) -> None:
        """Detach the process: it can't listen any more."""
        self._is_free = False

    def take_up(self) -> None:
        """Let the next process listen."""
        self._is_free = True

    def press(self, pad: Pad, hold_s: float) -> None:
        """Connect to a button, hold it down for `hold_s`, and disconnect."""
        finger = socket.socket(socket.AF_UNIX)
        with suppress(OSError):  # without a listener a press has no effect
            finger.connect(self._paths[pad])
            finger.sendall(b"down\n")
        self.around.loop.call_later(hold_s, finger.close)

    async def _serve(self, talk: Talk, path: str) -> asyncio.Server:
        if not self._is_free:
            raise OSError("this process is gone")
        return await asyncio.start_unix_server(talk, path)


STAND_IN = SocketStandIn
