"""Contacts of buttons, between the drivers that stamp their edges and the table: turns edges into presses and releases
once they have settled, and reports these in the order of their stamps. Must not know how an edge is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from tapshared.contact import Contact

from taptable.core.device_events import ButtonEdge, Clock, DeviceEvent, PartFailed, PartReturned
from taptable.core.settings import US_PER_S

SETTLE_S = 0.03
"""A rest of this length is no bounce any more. A line that never rests is never held."""

DOWN_ALREADY = "pressed since before the table listened: stuck, or connected to the normally closed contact (NC)"


class Movement:
    """The movement of one seat's contact: turns edges into presses and releases, by the same rule as a seat board.

    Edges are stamped up to `late_us` after they happened. A press counts if it was surely closed for 3 ms, so the check
    comes that much later. A contact that is only looked at now and then may be found open while it bounces, so that its
    first edge is up to `bounce_us` later still. The stamp of a press is in the middle of the time at which it can have
    happened."""

    def __init__(self, seat: int, late_us: int = 0, bounce_us: int = 0) -> None:
        self._seat = seat
        self._late_us = late_us + bounce_us
        self._contact = Contact(closed=False, late_us=late_us)
        self._until_us = 0  # the last edge or check
        self._uncertainty_us = 0  # of the first edge of this movement
        self._lost_us = 0  # of the first edge of this movement
        self._settled: list[ButtonEdge] = []

    @property
    def due_us(self) -> int | None:
        """The time of the next check; None while nothing moves."""
        wait_us = self._contact.wait_us(self._until_us)
        return None if wait_us is None else self._until_us + wait_us

    def add_edge(self, closed: bool, at_us: int, uncertainty_us: int, lost_us: int = 0) -> None:
        """Add an edge. Edges of a contact must come in the order of their stamps. One that was lost, and is known by
        the level alone, may have happened `lost_us` earlier than others."""
        self._advance(at_us)
        if self._contact.wait_us(at_us) is None:
            self._uncertainty_us, self._lost_us = uncertainty_us, lost_us
        self._until_us = at_us
        self._contact.add_edge(closed, at_us)

    def take_settled(self, now_us: int) -> list[ButtonEdge]:
        """Return the presses and releases that have settled by now, once each."""
        self._advance(now_us)
        settled, self._settled = self._settled, []
        return settled

    def _advance(self, until_us: int) -> None:
        while (due_us := self.due_us) is not None and due_us <= until_us:
            self._until_us = due_us
            self._contact.advance(due_us)
            for verb, stamp_us in self._contact.events:
                at_us, uncertainty_us = middle(stamp_us, self._late_us + self._lost_us, self._uncertainty_us)
                edge = ButtonEdge(at_us, self._seat, verb == "press", uncertainty_us, None, Clock.TABLE)
                self._settled.append(replace(edge, settle_us=due_us - at_us))
            self._contact.events.clear()


def middle(stamp_us: int, late_us: int, uncertainty_us: int) -> tuple[int, int]:
    """Return the middle of the time in which an edge happened that was stamped up to `late_us` later, and how far the
    edge may be from it."""
    return stamp_us - late_us // 2, uncertainty_us + late_us - late_us // 2


class Contacts:
    """The contacts of some seats' buttons. Reports each press and release once, in the order of their stamps. A contact
    that is closed when it is first looked at has not been pressed: it fails as *button N* until it is released."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        report: Callable[[DeviceEvent], object],
        now_us: Callable[[], int],
        on_due: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._report = report
        self._now_us = now_us
        self._on_due = on_due
        self._movements: dict[int, Movement] = {}
        self._down_at_open: dict[int, asyncio.TimerHandle | None] = {}
        self._closed: dict[int, bool] = {}
        self._pressed: set[int] = set()
        self._settle_timer: asyncio.TimerHandle | None = None

    @property
    def moving_seats(self) -> Collection[int]:
        """The seats whose edges count now."""
        return self._movements.keys() - self._down_at_open.keys()

    def is_closed(self, seat: int) -> bool:
        """Return whether the last edge of a seat's contact closed it."""
        return self._closed[seat]

    def watch(self, seat: int, closed: bool, late_us: int = 0, bounce_us: int = 0) -> None:
        """Watch a contact from the beginning, which is closed or open now. `Movement` explains the times."""
        self.forget(seat)
        self._movements[seat] = Movement(seat, late_us, bounce_us)
        self._closed[seat] = closed
        if closed:
            self._down_at_open[seat] = None
            self._report(PartFailed(self._now_us(), f"button {seat}", DOWN_ALREADY))

    def forget(self, seat: int) -> bool:
        """Stop watching a contact; a button that was pressed counts as released. Return whether it had failed because
        it was closed from the beginning."""
        self._movements.pop(seat, None)
        if seat in self._pressed:
            self._pressed.discard(seat)
            self._report(ButtonEdge(self._now_us(), seat, pressed=False))
        return self._end_wait(seat)

    def add_edge(self, seat: int, closed: bool, at_us: int, uncertainty_us: int, lost_us: int = 0) -> None:
        """Add an edge with its stamp, as `Movement.add_edge` takes it."""
        self._closed[seat] = closed
        if seat in self._down_at_open:
            # it waits until the contact rests: its bounces on the way up are no presses
            self._end_wait(seat)
            self._down_at_open[seat] = self._loop.call_later(SETTLE_S, self._on_rest, seat)
        else:
            self._movements[seat].add_edge(closed, at_us, uncertainty_us, lost_us)

    def report_settled(self) -> None:
        """Report all presses and releases that have settled by now, and call `on_due` when the next one may have."""
        now_us = self._now_us()
        for seat, edge in sorted(self._take_settled(now_us), key=lambda each: each[1].at_us):
            (self._pressed.add if edge.pressed else self._pressed.discard)(seat)
            self._report(edge)
        if self._settle_timer is not None:
            self._settle_timer.cancel()
        due_us = min((due for each in self._movements.values() if (due := each.due_us) is not None), default=None)
        if due_us is not None:
            self._settle_timer = self._loop.call_later((due_us - now_us) / US_PER_S, self._on_due)

    def close(self) -> None:
        """Stop watching all contacts."""
        if self._settle_timer is not None:
            self._settle_timer.cancel()
        for seat in list(self._down_at_open):
            self._end_wait(seat)
        self._movements.clear()
        self._pressed.clear()

    def _take_settled(self, now_us: int) -> Iterator[tuple[int, ButtonEdge]]:
        for seat, movement in self._movements.items():
            for edge in movement.take_settled(now_us):
                yield seat, edge

    def _on_rest(self, seat: int) -> None:
        if not self._closed[seat]:
            self._end_wait(seat)
            self._report(PartReturned(self._now_us(), f"button {seat}"))

    def _end_wait(self, seat: int) -> bool:
        was_down = seat in self._down_at_open
        timer = self._down_at_open.pop(seat, None)
        if timer is not None:
            timer.cancel()
        return was_down
