"""Virtual boards over pseudo-terminals and the real pyserial, and the Pi's events."""

from __future__ import annotations

import asyncio

from deadline import DEADLINE_S
from taptable.core.device_events import (
    ButtonEdge,
    DeviceEvent,
    Origin,
    PartFailed,
    PartReturned,
    Receipt,
    TagCame,
    TagWent,
)
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.boards import Boards
from taptable.drivers.board.usb_model import UsbSockets
from taptable.drivers.interface import DeviceContext

CARD, OTHER, FOREIGN = "04a2b3c4d5e680", "04ffffffffff01", "04deadbeef0001"


class Bench:
    """Boards on one loop, and a journal."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seats: int = 1, **circumstances: object) -> None:
        self.loop = loop
        self.sockets = UsbSockets()
        self.device_events: list[DeviceEvent] = []
        self.committed: list[Origin] = []
        self.full = False
        self.refused = 0
        self.virtual = {
            seat: VirtualBoard(f"b{seat}", self.sockets, loop, seed=seat, **circumstances)
            for seat in range(1, seats + 1)
        }
        self._awaited: list[tuple[type[DeviceEvent], asyncio.Future[None]]] = []

    @property
    def board(self) -> VirtualBoard:
        return self.virtual[1]

    def now_us(self) -> int:
        return int(self.loop.time() * 1_000_000)

    async def open(self) -> None:
        """Start the daemon's side, with the state of its journal."""
        self.boards = Boards(
            {seat: virtual.board for seat, virtual in self.virtual.items()},
            DeviceContext(
                self._report,
                self.now_us,
                lambda uid: None if uid == FOREIGN else uid,
                self.loop,
                last_committed=self._taken,
            ),
            self.sockets.open,
        )
        self.boards.open()

    async def start(self) -> None:
        for virtual in self.virtual.values():
            virtual.plug_in()
        await self.open()

    def close(self) -> None:
        self.boards.close()
        for virtual in self.virtual.values():
            virtual.pull_out()

    def _report(self, device_event: DeviceEvent) -> Receipt:
        origin = getattr(device_event, "origin", None)
        if origin is not None and self.full:
            self.refused += 1
            return Receipt.LATER
        self.device_events.append(device_event)
        if origin is not None:
            self.committed.append(origin)
        for kind, future in self._awaited:
            if isinstance(device_event, kind) and not future.done():
                future.set_result(None)
        return Receipt.COMMITTED

    def _taken(self, board: str, boot: int) -> int:
        return max((o.number for o in self.committed if (o.board, o.boot) == (board, boot)), default=0)

    async def next_device_event(self, kind: type[DeviceEvent]) -> None:
        """Wait for the next device event of a kind, with a deadline."""
        future = self.loop.create_future()
        self._awaited.append((kind, future))
        await asyncio.wait_for(future, DEADLINE_S)

    def truth_at(self, seat: int = 1) -> list[tuple[str, str]]:
        """The sightings at a seat, as its actions report them."""
        names = {TagCame: "put", TagWent: "lift"}
        told = []
        for device_event in self.device_events:
            if isinstance(device_event, TagCame | TagWent) and device_event.pad == seat:
                told.append((names[type(device_event)], device_event.uid))
            elif isinstance(device_event, ButtonEdge) and device_event.pad == seat:
                told.append(("press" if device_event.pressed else "release", ""))
        return told

    def parts(self) -> list[str]:
        """The parts that failed (-) and returned (+)."""
        signs = {PartFailed: "-", PartReturned: "+"}
        return [f"{signs[type(s)]}{s.part}" for s in self.device_events if isinstance(s, PartFailed | PartReturned)]
