"""Buttons on the Pi's pins. A seat's button reports its presses and releases once they have settled, in their order,
each with the time of its edge by the kernel's clock. The power button reports when a hold starts, is cancelled by an
early release, or completes. Must not know what a press or a hold causes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue

from gpiozero import DigitalInputDevice, Factory

from taptable.core.device_events import PartFailed, PartReturned
from taptable.drivers.contacts import DOWN_ALREADY, SETTLE_S, Contacts
from taptable.drivers.gpio.header import CALLBACK_STAMP_US, Header, HeaderPart
from taptable.drivers.interface import HOLD_S, Hold, OnEdge


class PinContact(DigitalInputDevice):
    """A contact between a pin and ground. Calls `on_edge` with the pin's ticks and whether the contact is closed, in
    the thread of gpiozero's callbacks (`gpiozero.Button` would add a thread that wakes ten times a second)."""

    def __init__(self, pin: int, on_edge: Callable[[float, bool], None], factory: Factory) -> None:
        self._on_edge = on_edge  # before the pin is opened, whose first edge may come at once
        super().__init__(pin, pull_up=True, bounce_time=None, pin_factory=factory)

    def _pin_changed(self, ticks: float, state: int) -> None:
        super()._pin_changed(ticks, state)
        self._on_edge(ticks, bool(self._state_to_value(state)))


EDGE_WAIT_S = 0.01
"""The longest wait for an edge that the level of a pin shows, and that gpiozero's thread hasn't handed over yet."""


class Buttons:
    """The buttons of all seats whose button is on a pin; `pins` has the BCM number of each. Keep a reference to it
    while it shall listen: gpiozero's pins refer to their devices weakly.

    Reports a press once its contact has settled: it is closed 3 ms after its first edge, by the kernel's stamps and
    however late these arrive. Calls `on_raw_edge`, if it is set, with every edge, bounces included."""

    def __init__(self, header: Header, pins: Mapping[int, int]) -> None:
        self.on_raw_edge: OnEdge | None = None
        self._header = header
        self._edges: SimpleQueue[tuple[int, float, bool]] = SimpleQueue()
        self._contacts = Contacts(header.loop, header.report, header.now_us, self.deliver)
        self._delivering = False
        self._parts = {seat: self._part(seat, pin) for seat, pin in pins.items()}

    @property
    def seats(self) -> Collection[int]:
        """The seats whose button is on a pin."""
        return self._parts.keys()

    def open(self) -> None:
        """Listen to all buttons. One that can't be opened fails as *button N* and is retried. One that is down already
        has not been pressed: it fails until it is released."""
        for part in self._parts.values():
            part.open()

    def close(self) -> None:
        """Stop listening."""
        for part in self._parts.values():
            part.close()
        self._contacts.close()

    def deliver(self) -> None:
        """Report the events that have settled by now, in the order of their stamps. Wait at most `EDGE_WAIT_S` for an
        edge that gpiozero's thread hasn't handed over yet, as after the loop was held up."""
        if self._delivering:
            return
        self._delivering = True
        try:
            self._take_edges()
            until_s = time.monotonic() + EDGE_WAIT_S
            for seat in self._contacts.moving_seats:
                self._catch_up(seat, until_s)
            self._contacts.report_settled()
        finally:
            self._delivering = False

    def _take_edges(self) -> None:
        with suppress(Empty):
            while True:
                self._handle_edge(*self._edges.get_nowait())

    def _catch_up(self, seat: int, until_s: float) -> None:
        """Take all edges of a contact up to its present level. An edge that isn't handed over in time counts as
        happening now."""
        while True:
            closed = self._is_closed(seat)
            self._take_edges()
            if closed is None or closed is self._contacts.is_closed(seat):
                return
            try:
                self._handle_edge(*self._edges.get(timeout=max(0.0, until_s - time.monotonic())))
            except Empty:
                self._contacts.add_edge(seat, closed, self._header.now_us(), CALLBACK_STAMP_US)

    def _is_closed(self, seat: int) -> bool | None:
        """Return whether a seat's contact is closed now; None if its pin can't be read."""
        contact = self._parts[seat].device
        if contact is None:
            return None
        try:
            return bool(contact.is_active)
        except Exception:  # as in `HeaderPart.open`: a fault is reported when the part is used
            return None

    def _part(self, seat: int, pin: int) -> HeaderPart[PinContact]:
        build = partial(PinContact, pin, partial(self._hand_over, seat))
        return HeaderPart(f"button {seat}", self._header, build, partial(self._on_opened, seat))

    def _on_opened(self, seat: int, contact: PinContact) -> None:
        self._contacts.watch(seat, contact.is_active)

    def _hand_over(self, seat: int, ticks: float, closed: bool) -> None:
        """Take an edge from gpiozero's thread to the loop, with the pin's own stamp."""
        self._edges.put((seat, ticks, closed))
        with suppress(RuntimeError):  # the loop is closed: raising would end the one thread that serves all pins
            self._header.loop.call_soon_threadsafe(self.deliver)

    def _handle_edge(self, seat: int, ticks: float, closed: bool) -> None:
        if self._parts[seat].device is None:
            return
        at_us, uncertainty_us = self._header.edge_time(ticks)
        if self.on_raw_edge is not None:
            self.on_raw_edge(seat, closed, at_us, uncertainty_us)
        self._contacts.add_edge(seat, closed, at_us, uncertainty_us)


PART = "power button"


class PowerButton:
    """The power button at a pin, by its BCM number. Calls `on_hold` with each state of a hold. Keep a reference to it
    while it shall listen."""

    def __init__(self, header: Header, pin: int, on_hold: Callable[[Hold], None]) -> None:
        self._header = header
        self._on_hold = on_hold
        self._down = False
        self._armed = False
        self._settling: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._part = HeaderPart(PART, header, partial(PinContact, pin, self._hand_over), self._on_opened)

    def open(self) -> None:
        """Listen. A button that is down already has not been pressed: it fails until it is released."""
        self._part.open()

    def close(self) -> None:
        """Stop listening."""
        self._part.close()
        for timer in (self._settling, self._hold_timer):
            if timer is not None:
                timer.cancel()

    def _on_opened(self, contact: PinContact) -> None:
        self._down = contact.is_active
        self._armed = not self._down
        if self._down:
            self._header.report(PartFailed(self._header.now_us(), PART, DOWN_ALREADY))

    def _hand_over(self, _ticks: float, _pressed: bool) -> None:
        """Take an edge from gpiozero's thread to the loop. Only the level at which the contact rests counts."""
        with suppress(RuntimeError):  # the loop is closed: raising would end the one thread that serves all pins
            self._header.loop.call_soon_threadsafe(self._on_edge)

    def _on_edge(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
        if self._part.device is not None:
            self._settling = self._header.loop.call_later(SETTLE_S, self._on_rest)

    def _on_rest(self) -> None:
        down = self._is_down()
        if down == self._down:
            return
        self._down = down
        if down and self._armed:
            self._hold_timer = self._header.loop.call_later(HOLD_S, self._on_hold_elapsed)
            self._on_hold(Hold.STARTED)
        elif not self._armed:
            self._armed = True
            self._header.report(PartReturned(self._header.now_us(), PART))
        elif self._hold_timer is not None:
            self._break_off()

    def _on_hold_elapsed(self) -> None:
        if self._is_down():
            self._hold_timer = None
            self._on_hold(Hold.COMPLETED)
        else:  # its pin has failed meanwhile, or it was released at this very moment
            self._down = False
            self._break_off()

    def _break_off(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None
            self._on_hold(Hold.CANCELLED)

    def _is_down(self) -> bool:
        """Return whether the contact is closed now; False if its pin can't be read."""
        levels: list[bool] = []
        self._part.use(lambda contact: levels.append(contact.is_active))
        return levels == [True]
