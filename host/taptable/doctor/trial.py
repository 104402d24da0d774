"""The devices of a table while somebody tries them: opened as the daemon opens them, and what they reported. Must not
know what is to be tried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import groupby
from typing import Protocol

from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, PartReturned, Receipt, TagCame
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.daemon import screen_style_of
from taptable.daemon.devices import TableDevices
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import DeviceContext

CHATTER_US = 20_000
"""Edges closer than this belong to one movement of the contact."""


class Presses:
    """To be told every edge, bounces and all."""

    def __init__(self) -> None:
        self.uncertainty_us = 0
        """By how much the time at which it closed last may be off."""
        self._edges: list[tuple[int, int, bool]] = []  # the number of its movement, its time, and whether it closed

    def add_edge(self, at_us: int, closed: bool, uncertainty_us: int = 0) -> None:
        """The contact closed or opened."""
        if closed:
            self.uncertainty_us = uncertainty_us
        movement, last_us, _ = self._edges[-1] if self._edges else (0, at_us, False)
        self._edges.append((movement + (at_us - last_us >= CHATTER_US), at_us, closed))

    @property
    def is_down(self) -> bool:
        """Is it closed now?"""
        return bool(self._edges) and self._edges[-1][2]

    @property
    def was_pressed(self) -> bool:
        """Did a movement end with the contact closed?"""
        return any(closed for _, _, closed in self._movements())

    def is_done(self, now_us: int) -> bool:
        """Was it pressed and let go, and is it at rest since?"""
        return self.was_pressed and not self.is_down and now_us - self._edges[-1][1] >= CHATTER_US

    @property
    def longest_bounce_us(self) -> int:
        """From the first edge of a movement to its last, in the worst movement."""
        return max((last_us - first_us for first_us, last_us, _ in self._movements()), default=0)

    def _movements(self) -> list[tuple[int, int, bool]]:
        """When each began and ended, and how the contact was left."""
        movements = [list(edges) for _, edges in groupby(self._edges, key=lambda edge: edge[0])]
        return [(edges[0][1], edges[-1][1], edges[-1][2]) for edges in movements]


PATIENCE_S = 30.0
"""How long nothing may happen before what is awaited is taken for missing."""
LONGEST_S = 300.0
"""And however much happens, as with a contact that never comes to rest."""

_LOOK_AGAIN_S = 0.1


class Somebody(Protocol):
    """Whoever stands at the table."""

    def tell(self, sentence: str) -> None:
        """Say what is to be done, or what was noticed."""
        ...

    async def ask(self, question: str) -> bool | None:
        """Yes or no; None if nobody can answer."""
        ...


class Nobody:
    """In an empty room: nothing is done, and no question is answered."""

    def tell(self, sentence: str) -> None:
        """Is heard by nobody."""

    async def ask(self, question: str) -> bool | None:
        """Is answered by nobody."""
        del question
        return None


class Trial:
    """What was noticed: `presses` by pad, the first tag on each pad in `cards`, and in `trouble` why a part fails.
    `on_device_event` is called with each device event."""

    def __init__(self, site: ExaminedTable) -> None:
        self.config = site.config
        self.drivers = site.drivers
        self.presses: dict[Pad, Presses] = {}
        self.cards: dict[Pad, str] = {}
        self.trouble: dict[str, str] = {}
        self.on_device_event: Callable[[DeviceEvent], None] | None = None
        self._loop = asyncio.get_running_loop()
        self._activity = asyncio.Event()
        # display and voice are tried by themselves, and the page needs nobody's hand
        bare = replace(site.config, page=None, scoreboard=None, speech=None, power=None)
        context = DeviceContext(self._report, self.now_us, identify=lambda uid: uid)
        self.devices = TableDevices(bare, site.drivers, context, screen_style_of(bare))
        opened = self.devices.parts_by_kind.values()
        self._edge_watched_pads = {seat for parts in opened for seat in parts.watch_edges(self._edge)}

    def now_us(self) -> int:
        """The time in which presses are stamped."""
        return round(self._loop.time() * US_PER_S)

    async def wait_until(self, enough: Callable[[], bool]) -> None:
        """Wait for it, for as long as something happens now and then."""
        last_s = self._loop.time()
        ends_s = last_s + LONGEST_S
        while not enough() and self._loop.time() < min(last_s + PATIENCE_S, ends_s):
            self._activity.clear()
            try:
                async with asyncio.timeout(_LOOK_AGAIN_S):
                    await self._activity.wait()
                last_s = self._loop.time()
            except TimeoutError:
                continue

    def _edge(self, pad: Pad, closed: bool, at_us: int, uncertainty_us: int) -> None:
        """Count an edge of a button: a pin's are reported with their bounces."""
        self.presses.setdefault(pad, Presses()).add_edge(at_us, closed, uncertainty_us)
        self._activity.set()

    def _report(self, device_event: DeviceEvent) -> Receipt:
        match device_event:
            case ButtonEdge(at_us, pad, pressed, uncertainty_us) if pad not in self._edge_watched_pads:
                self._edge(pad, pressed, at_us, uncertainty_us)
            case TagCame(_, pad, uid):
                self.cards.setdefault(pad, uid)
            case PartFailed(_, part, reason):
                self.trouble[part] = reason
            case PartReturned(_, part):
                self.trouble.pop(part, None)
            case _:
                pass
        if self.on_device_event is not None:
            self.on_device_event(device_event)
        self._activity.set()
        # or the board would report it to the table later, as a press in the game
        return Receipt.COMMITTED


@asynccontextmanager
async def open_trial(site: ExaminedTable) -> AsyncGenerator[Trial]:
    """The devices, opened while this lasts."""
    trial = Trial(site)
    trial.devices.open()
    try:
        yield trial
    finally:
        await trial.devices.close()
