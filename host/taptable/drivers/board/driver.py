"""The driver of the kind ``board``: a seat board on USB with the reader of a pad, its ring, and for a seat button and
lamp. Must not open a port: `boards` does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from taptable.drivers.interface import (
    Address,
    ClosedPart,
    DeviceContext,
    Driver,
    FoundPart,
    OpenedParts,
    Part,
    PartRole,
    SystemRule,
)
from taptable.drivers.rc522 import GAIN

if TYPE_CHECKING:
    from taptable.drivers.board.bus import Socket
    from taptable.drivers.board.port import OpenPort

_ID = re.compile(r"[A-Za-z0-9._-]{1,32}")  # the wire's syntax of a name


class BoardDriver(Driver):
    """The driver of seat boards. `open_port` opens a board's port (None: by the USB serial number); `socket_of(path)`
    returns where a port is plugged in (None: as the kernel says); `find_ids` returns the ids of the boards that are
    plugged in (None: as the kernel says)."""

    kind = "board"
    roles = frozenset({PartRole.PAD, PartRole.BUTTON, PartRole.LAMP})
    rank = 20
    accepts = '"board:<id>" with up to 32 letters, digits, dots, hyphens and underscores'
    short = 'a seat board, "board:<id>"'
    where = "on a board"
    examples = MappingProxyType(
        {
            "seats.pad": "board:e6616407e3496a28",
            "seats.button": "board:e6616407e3496a28",
            "discard.pad": "board:e6616407e3496a28",
            "pads.pad": "board:e6616407e3496a28",
        }
    )
    pad_keys = GAIN
    commands = ("flash",)
    is_whole_seat = True

    def __init__(
        self,
        open_port: OpenPort | None = None,
        socket_of: Callable[[str], Socket | None] | None = None,
        find_ids: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        self._open_port = open_port
        self._socket_of = socket_of
        self._find_ids = find_ids

    @property
    def open_port(self) -> OpenPort:
        """The function that opens the port of a board by its id."""
        from taptable.drivers.board.port import open_by_identity

        return self._open_port or open_by_identity

    @property
    def socket_of(self) -> Callable[[str], Socket | None]:
        """The function that returns where a serial port is plugged in, or None if that is unknown."""
        from taptable.drivers.board.bus import usb_socket

        return self._socket_of or usb_socket

    def accepts_name(self, name: str) -> bool:
        """Return whether a board could have this id."""
        return _ID.fullmatch(name) is not None

    def free(self, taken: Collection[Address]) -> str:
        """Return that boards don't run out."""
        del taken
        return "each pad has a board of its own"

    def find(self) -> Sequence[FoundPart]:
        """Return the boards that run MicroPython, without those that share a serial number."""
        from taptable.drivers.board.usb import MICROPYTHON, RASPBERRY_PI, find_ids

        return [
            FoundPart(
                Address(self.kind, board),
                self.roles,
                f"seat board {board}",
                device=f"{self.kind}:{board}",
                product=f"{RASPBERRY_PI}:{MICROPYTHON}",
                serial=board,
            )
            for board in (self._find_ids or find_ids)()
            if self.accepts_name(board)
        ]

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the boards whose port this user may not use."""
        from taptable.drivers.board.usb import closed_boards

        return [ClosedPart(f"seat board {board}", SystemRule.DEVICES) for board in closed_boards()]

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the boards of all pads that have one."""
        from taptable.drivers.board.boards import Boards

        button_seats = {part.pad for part in parts if part.role is PartRole.BUTTON and isinstance(part.pad, int)}
        buttons = [part for part in context.parts if part.role is PartRole.BUTTON]
        pads = {part.pad: part for part in parts if part.role is PartRole.PAD and part.pad is not None}
        return Boards(
            {pad: part.address.name for pad, part in pads.items()},
            context,
            self.open_port,
            self.socket_of,
            gains={pad: part.options["gain_db"] for pad, part in pads.items()},
            button_seats=button_seats,
            has_other_buttons=len(buttons) > len(button_seats),
        )
