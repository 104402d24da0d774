"""The table's own side of the header, listening on the kernel's chip."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from deadline import DEADLINE_S
from taptable.core.device_events import ButtonEdge, DeviceEvent
from taptable.drivers.gpio.header import Header

from kernel.header import now_us


class Listener:
    """A header opened as the daemon opens it, with the reports of its parts. Make it on the loop that runs it."""

    def __init__(self) -> None:
        self.said: list[DeviceEvent] = []
        self.raw: list[ButtonEdge] = []
        self._news = asyncio.Event()
        self.header = Header(loop=asyncio.get_running_loop(), report=self._report, now_us=now_us)

    @property
    def edges(self) -> list[ButtonEdge]:
        """The presses and releases so far, in the order of their arrival."""
        return [event for event in self.said if isinstance(event, ButtonEdge)]

    def hear_edge(self, seat: int, closed: bool, at_us: int, uncertainty_us: int) -> None:
        """Take down an edge, which may be a bounce."""
        self.raw.append(ButtonEdge(at_us, seat, closed, uncertainty_us))
        self._news.set()

    async def until(self, enough: Callable[[], bool]) -> None:
        """Wait for something that is reported."""
        async with asyncio.timeout(DEADLINE_S):
            while not enough():
                self._news.clear()
                await self._news.wait()

    async def hear(self, edges: int) -> list[ButtonEdge]:
        """Wait until there are `edges` edges, and return them."""
        await self.until(lambda: len(self.edges) >= edges)
        return self.edges

    def _report(self, device_event: DeviceEvent) -> None:
        self.said.append(device_event)
        self._news.set()
