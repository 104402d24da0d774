"""A seat board to be tested: a real one at its port, or the firmware in the VM."""

from __future__ import annotations

import asyncio
import termios
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import pytest
import serial
from firmware.vm.board import VmBoard
from firmware.vm.process import make_flash
from taptable.drivers.board.port import open_path
from taptable.drivers.board.usb_model import UsbSockets
from taptable.sim.loops import GivenTimeLoop

from hardware.person import PressingHand
from hardware.talk import Talk

_MODEL_ID = "e6614103e7a2b3c4"
_MODEL_UIDS = {4: "5e21c0a7", 7: "04a2b3c4d5e680"}
_PRESS_S = 0.12


class SeatBoard(Protocol):
    """A board, its port, and the folder that names ports by boards' ids."""

    hand: PressingHand
    port: Path
    links: Path

    def talk(self) -> AbstractAsyncContextManager[Talk]:
        """A conversation with it."""


class RealSeatBoard:
    """At the end of a cable, in real time. The test fails where its port can't be opened."""

    links = Path("/dev/serial/by-id")

    def __init__(self, port: Path, hand: PressingHand) -> None:
        try:
            open_path(str(port)).close()
        except (OSError, termios.error) as error:
            pytest.fail(f"--seat-port: {error}. Is the board flashed and plugged in, and the table stopped?")
        self.port = port
        self.hand = hand

    def talk(self) -> Talk:
        return Talk(lambda _: open_path(str(self.port)))


class ModelSeatBoard:
    """The firmware in the VM, in given time."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.links = folder / "by-id"
        self.links.mkdir()
        self.port = self.links / f"usb-MicroPython_Board_in_FS_mode_{_MODEL_ID}-if00"
        self.hand: PressingHand = self
        self._program = program
        self._flash = make_flash(folder / "flash")
        self._sockets = UsbSockets()
        self._board: VmBoard | None = None
        self._lying = ""

    @asynccontextmanager
    async def talk(self) -> AsyncIterator[Talk]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, GivenTimeLoop)
        self._board = VmBoard(_MODEL_ID, self._sockets, loop, self._program, self._flash)
        self._board.plug_in()
        try:
            async with Talk(self._open) as talk:
                yield talk
        finally:
            print(self._board.printed())  # a traceback, if the firmware has ended by one
            self._board.pull_out()

    @property
    def board(self) -> VmBoard:
        """The board, while the test talks to it."""
        assert self._board is not None
        return self._board

    def lay(self, uid_bytes: int) -> None:
        self._lying = _MODEL_UIDS[uid_bytes]
        self.board.put(self._lying)

    def lift(self) -> None:
        self.board.lift(self._lying)

    def press(self) -> None:
        self.board.press()
        asyncio.get_running_loop().call_later(_PRESS_S, self.board.release)

    def _open(self, _: str) -> serial.Serial:
        """Open the port as after udev's work when a board appears: the link leads to the port that the board has
        now."""
        opened = self._sockets.open(_MODEL_ID)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(str(opened.port))
        return opened
