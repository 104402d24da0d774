"""Pads of a table whose readers are those of a real service, opened as the daemon opens them, with their reports."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

from deadline import DEADLINE_S
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, Receipt, TagCame, TagWent
from taptable.core.observations import Pad
from taptable.drivers.interface import Address, DeviceContext, Part, PartRole
from taptable.drivers.pcsc.driver import PcscDriver

from pcsc.service import Room

KNOWN = "04a2b3c4d5e680"
"""The UID of a tag that is in the table's deck."""


def now_us() -> int:
    """Return the table's time."""
    return time.monotonic_ns() // 1000


class Pads:
    """The pads of one table: what lies on each, which of them have failed and why, and all reports, by the reports."""

    def __init__(self) -> None:
        self.events: list[DeviceEvent] = []
        self.tags: dict[Pad, str] = {}
        self.failed: dict[str, str] = {}
        self.progress: Callable[[], int | None] = lambda: None
        self._news = asyncio.Event()

    @property
    def rounds(self) -> int:
        """The number that the table's watchdog compares: it changes while the driver makes progress."""
        return self.progress() or 0

    def report(self, event: DeviceEvent) -> Receipt:
        """Take a report."""
        self.events.append(event)
        match event:
            case TagCame(pad=pad, uid=uid):
                assert pad not in self.tags, f"a second tag on {pad}: {self.events}"
                self.tags[pad] = uid
            case TagWent(pad=pad, uid=uid):
                assert self.tags.pop(pad) == uid
            case PartFailed(part=part, reason=reason):
                assert part not in self.failed, self.events
                self.failed[part] = reason
            case PartReturned(part=part):
                del self.failed[part]
            case _:
                pass
        self._news.set()
        return Receipt.COMMITTED

    async def until(self, *, tags: Mapping[Pad, str] | None = None, failed: set[str] | None = None) -> None:
        """Wait until exactly these tags lie on the pads, and exactly these parts have failed."""
        try:
            async with asyncio.timeout(DEADLINE_S):
                while (tags is not None and self.tags != tags) or (failed is not None and self.failed.keys() != failed):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError as late:
            raise AssertionError(f"not {tags} {failed}, but {self.tags} {self.failed} after {self.events}") from late

    async def until_reported(self, kind: type[DeviceEvent], count: int = 1) -> list[DeviceEvent]:
        """Wait until there are `count` reports of a kind, and return them."""
        async with asyncio.timeout(DEADLINE_S):
            while len(found := [event for event in self.events if isinstance(event, kind)]) < count:
                self._news.clear()
                await self._news.wait()
        return found


@asynccontextmanager
async def opened_pads(room: Room, addresses: Mapping[Pad, str]) -> AsyncGenerator[Pads]:
    """Pads at these addresses, without the kind, opened as long as the context lasts."""
    pads = Pads()
    parts = [Part(("pads", str(pad)), PartRole.PAD, Address("pcsc", name), pad) for pad, name in addresses.items()]
    identify = {KNOWN: "online#1"}.get
    opened = PcscDriver(root=room.tree.root).open(DeviceContext(pads.report, now_us, identify, parts=parts), parts)
    pads.progress = opened.progress["the readers on PC/SC"]
    opened.open()
    try:
        yield pads
    finally:
        closing = opened.close()
        assert closing is not None
        await closing
