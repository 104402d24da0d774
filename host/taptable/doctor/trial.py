"""The table's devices during a trial: opened as the daemon opens them, with a record of what they have reported, but
without journal and game. It must not know what is tried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import groupby
from typing import Protocol, TypeVar

from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, PartReturned, Receipt, TagCame
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.daemon import screen_style_of
from taptable.daemon.devices import TableDevices
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import DeviceContext

CHATTER_US = 20_000
"""Edges closer than this (in µs) belong to one movement of the contact."""


class Presses:
    """The presses of one button, from all its edges, bounces included."""

    def __init__(self) -> None:
        self.uncertainty_us = 0
        """By how much the time of the last closing edge may be off, in µs."""
        self._edges: list[tuple[int, int, bool]] = []  # number of the movement, time, and whether it closed

    def add_edge(self, at_us: int, closed: bool, uncertainty_us: int = 0) -> None:
        """Add an edge: the contact closed or opened."""
        if closed:
            self.uncertainty_us = uncertainty_us
        movement, last_us, _ = self._edges[-1] if self._edges else (0, at_us, False)
        self._edges.append((movement + (at_us - last_us >= CHATTER_US), at_us, closed))

    @property
    def is_down(self) -> bool:
        """Whether the contact is closed now."""
        return bool(self._edges) and self._edges[-1][2]

    @property
    def was_pressed(self) -> bool:
        """Whether a movement ended with the contact closed."""
        return any(closed for _, _, closed in self._movements())

    def is_done(self, now_us: int) -> bool:
        """Return whether it was pressed, released, and at rest since."""
        return self.was_pressed and not self.is_down and now_us - self._edges[-1][1] >= CHATTER_US

    @property
    def most_bounces(self) -> int:
        """The number of edges after the first one of a movement, in the worst movement."""
        return max((len(list(edges)) - 1 for _, edges in self._edges_by_movement()), default=0)

    @property
    def held_us(self) -> int:
        """The time from the first movement that closed the contact to the next movement; 0 without either."""
        movements = self._movements()
        closing = next((number for number, (_, _, closed) in enumerate(movements) if closed), len(movements))
        return movements[closing + 1][0] - movements[closing][0] if closing + 1 < len(movements) else 0

    @property
    def longest_bounce_us(self) -> int:
        """The time from the first edge of a movement to its last, in the worst movement."""
        return max((last_us - first_us for first_us, last_us, _ in self._movements()), default=0)

    def _movements(self) -> list[tuple[int, int, bool]]:
        """Return each movement's beginning and end, and whether it closed the contact."""
        movements = [list(edges) for _, edges in self._edges_by_movement()]
        return [(edges[0][1], edges[-1][1], edges[-1][2]) for edges in movements]

    def _edges_by_movement(self) -> groupby[int, tuple[int, int, bool]]:
        return groupby(self._edges, key=lambda edge: edge[0])


PATIENCE_S = 30.0
"""Seconds without any activity after which what is awaited counts as missing."""
LONGEST_S = 300.0
"""Seconds until then despite activity, as of a contact that never comes to rest."""

_LOOK_AGAIN_S = 0.1
"""Seconds after which a condition is checked again without activity: it may depend on time."""


class Somebody(Protocol):
    """The person who helps with the trial of the parts: sees what they do, and answers questions."""

    def tell(self, sentence: str) -> None:
        """Show a request or an observation."""
        ...

    async def ask(self, question: str) -> bool | None:
        """Return yes or no; None if nobody can answer."""
        ...


class Nobody:
    """The helper in an empty room: nobody presses anything or answers."""

    def tell(self, sentence: str) -> None:
        """Do nothing."""

    async def ask(self, question: str) -> bool | None:
        """Return None: nobody answers."""
        del question
        return None


PadT = TypeVar("PadT", bound=Pad)


class Trial:
    """The devices with a record of their events: `presses` by pad, the first tag on each pad in `cards`, and in
    `trouble` the reasons of failed parts. `on_device_event` is called with each device event."""

    def __init__(self, site: ExaminedTable) -> None:
        self.config = site.config
        self.drivers = site.drivers
        self.presses: dict[Pad, Presses] = {}
        self.cards: dict[Pad, str] = {}
        self.trouble: dict[str, str] = {}
        self.on_device_event: Callable[[DeviceEvent], None] | None = None
        self._loop = asyncio.get_running_loop()
        self._activity = asyncio.Event()
        # display and voice are tried separately, and the page needs no helper
        bare = replace(site.config, page=None, scoreboard=None, speech=None, power=None)
        context = DeviceContext(self._report, self.now_us, identify=lambda uid: uid)
        self.devices = TableDevices(bare, site.drivers, context, screen_style_of(bare))
        opened = self.devices.parts_by_kind.values()
        self._edge_watched_pads = {seat for parts in opened for seat in parts.watch_edges(self._edge)}

    def now_us(self) -> int:
        """Return the time by which presses are stamped, in µs."""
        return round(self._loop.time() * US_PER_S)

    def knows_bounces(self, seat: int) -> bool:
        """Return whether all edges of a seat's button are recorded, and not only its settled presses."""
        return seat in self._edge_watched_pads

    async def each_done(self, awaited: Iterable[PadT], is_done: Callable[[PadT], bool]) -> AsyncGenerator[PadT]:
        """Yield each of the awaited pads as soon as it is done. End when all are done, or nothing has happened for
        `PATIENCE_S`, or `LONGEST_S` have passed."""
        pending = list(awaited)
        last_s = self._loop.time()
        ends_s = last_s + LONGEST_S
        while self._loop.time() < min(last_s + PATIENCE_S, ends_s):
            for pad in [pad for pad in pending if is_done(pad)]:
                pending.remove(pad)
                yield pad
            if not pending:
                return
            self._activity.clear()
            try:
                async with asyncio.timeout(_LOOK_AGAIN_S):
                    await self._activity.wait()
                last_s = self._loop.time()
            except TimeoutError:
                continue

    def _edge(self, pad: Pad, closed: bool, at_us: int, uncertainty_us: int) -> None:
        """Count an edge of a button; edges of pins come with their bounces."""
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
        # otherwise the board would report it to the table later, as a press in the game
        return Receipt.COMMITTED


@asynccontextmanager
async def open_trial(site: ExaminedTable) -> AsyncGenerator[Trial]:
    """Yield a trial whose devices are open within this context."""
    trial = Trial(site)
    trial.devices.open()
    try:
        yield trial
    finally:
        await trial.devices.close()
