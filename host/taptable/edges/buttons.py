"""Buttons on the Pi's pins. Of a seat's button every edge, bounces and all, goes up as a device event with the time at
which the pin saw it, by the kernel's clock, which all of them share: whether it is a press is for the filter above;
nothing here waits, debounces or locks out. Of the power button, on which no window hangs, is told when it is held, let
go too early, or held long enough; must not know what a hold leads to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from typing import TypeAlias

from gpiozero import DigitalInputDevice, Factory

from taptable.core.device_events import ButtonEdge, PartFailed, PartReturned
from taptable.core.part_notices import PowerOffFailed
from taptable.edges.gpio import Header, HeaderPart

_DOWN_ALREADY = "down since before the table listened: stuck, or wired to the contact that is closed at rest"


class Contact(DigitalInputDevice):
    """A contact between a pin and ground. `edge` gets the pin's ticks and whether the contact is closed, in
    whatever thread gpiozero calls back (`gpiozero.Button` would add a thread that wakes ten times a second)."""

    def __init__(self, pin: int, edge: Callable[[float, bool], None], factory: Factory) -> None:
        self._edge = edge  # before the pin is opened, whose first edge may come at once
        super().__init__(pin, pull_up=True, bounce_time=None, pin_factory=factory)

    def _pin_changed(self, ticks: float, state: int) -> None:
        super()._pin_changed(ticks, state)
        self._edge(ticks, bool(self._state_to_value(state)))


class Buttons:
    """The buttons of all seats that have theirs on a pin: `pins` gives the BCM number of each seat's. To be kept as
    long as it should listen: gpiozero's pins refer to their devices weakly."""

    def __init__(self, header: Header, pins: Mapping[int, int]) -> None:
        self._header = header
        self._down_already: dict[int, asyncio.TimerHandle | None] = {}
        self._parts = {seat: self._part(seat, pin) for seat, pin in pins.items()}

    def open(self) -> None:
        """Listen to all buttons. One that can't be opened fails as *button N* and is tried again; one that is
        down already has not been pressed: it fails until it is let go."""
        for part in self._parts.values():
            part.open()

    def close(self) -> None:
        """Listen no more."""
        for part in self._parts.values():
            part.close()
        for seat in list(self._down_already):
            self._forget(seat)

    def is_down(self, seat: int) -> bool | None:
        """How a seat's contact is now, whatever edges are under way; None where no pin says so."""
        contact = self._parts[seat].device if seat in self._parts else None
        if contact is None:
            return None
        try:
            return contact.is_active
        except Exception:  # as in `HeaderPart.open`: what doesn't work comes out when it is used
            return None

    def _part(self, seat: int, pin: int) -> HeaderPart[Contact]:
        build = partial(Contact, pin, partial(self._hand_over, seat))
        return HeaderPart(f"button {seat}", self._header, build, partial(self._found, seat))

    def _found(self, seat: int, contact: Contact) -> None:
        self._forget(seat)
        if contact.is_active:
            self._down_already[seat] = None
            self._header.report(PartFailed(self._header.now_us(), f"button {seat}", _DOWN_ALREADY))

    def _hand_over(self, seat: int, ticks: float, pressed: bool) -> None:
        """Take an edge from gpiozero's thread to the loop; the stamp goes along as the pin gave it."""
        with suppress(RuntimeError):  # the loop is closed: raising would end the one thread that serves all pins
            self._header.loop.call_soon_threadsafe(self._noticed, seat, ticks, pressed)

    def _noticed(self, seat: int, ticks: float, pressed: bool) -> None:
        if self._parts[seat].device is None:
            return
        if seat in self._down_already:
            self._let_go(seat)
            return
        at_us, uncertainty_us = self._header.edge_time(ticks)
        self._header.report(ButtonEdge(at_us, seat, pressed, uncertainty_us))

    def _let_go(self, seat: int) -> None:
        """One that was down already moves: how its contact bounces on the way up is no press either."""
        self._forget(seat)
        self._down_already[seat] = self._header.loop.call_later(SETTLED_S, self._settled, seat)

    def _settled(self, seat: int) -> None:
        contact = self._parts[seat].device
        if contact is not None and not contact.is_active:
            self._forget(seat)
            self._header.report(PartReturned(self._header.now_us(), f"button {seat}"))

    def _forget(self, seat: int) -> None:
        settling = self._down_already.pop(seat, None)
        if settling is not None:
            settling.cancel()


SwitchOff: TypeAlias = Callable[[], PowerOffFailed | None]
"""Asks the system to switch off; what is wrong if that can't be done."""

PART = "power button"
HOLD_S = 3
"""So long it is held to mean it."""
SETTLED_S = 0.03
"""At rest for so long is no bounce any more; a line that never comes to rest is never held."""


class Hold(Enum):
    """What became of the button."""

    BEGUN = auto()
    BROKEN_OFF = auto()
    LONG_ENOUGH = auto()


class PowerButton:
    """The button at a pin, by its BCM number. To be kept as long as it should listen."""

    def __init__(self, header: Header, pin: int, tell: Callable[[Hold], None]) -> None:
        self._header = header
        self._tell = tell
        self._down = False
        self._armed = False
        self._settling: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._part = HeaderPart(PART, header, partial(Contact, pin, self._hand_over), self._found)

    def open(self) -> None:
        """Listen. One that is down already hasn't been pressed: it fails until it is let go."""
        self._part.open()

    def close(self) -> None:
        """Listen no more."""
        self._part.close()
        for timer in (self._settling, self._hold_timer):
            if timer is not None:
                timer.cancel()

    def _found(self, contact: Contact) -> None:
        self._down = contact.is_active
        self._armed = not self._down
        if self._down:
            self._header.report(PartFailed(self._header.now_us(), PART, _DOWN_ALREADY))

    def _hand_over(self, _ticks: float, _pressed: bool) -> None:
        """From gpiozero's thread to the loop; what counts is how the contact rests."""
        with suppress(RuntimeError):  # the loop is closed: raising would end the one thread that serves all pins
            self._header.loop.call_soon_threadsafe(self._moved)

    def _moved(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
        if self._part.device is not None:
            self._settling = self._header.loop.call_later(SETTLED_S, self._settled)

    def _settled(self) -> None:
        down = self._is_down()
        if down == self._down:
            return
        self._down = down
        if down and self._armed:
            self._hold_timer = self._header.loop.call_later(HOLD_S, self._held)
            self._tell(Hold.BEGUN)
        elif not self._armed:
            self._armed = True
            self._header.report(PartReturned(self._header.now_us(), PART))
        elif self._hold_timer is not None:
            self._break_off()

    def _held(self) -> None:
        if self._is_down():
            self._hold_timer = None
            self._tell(Hold.LONG_ENOUGH)
        else:  # its pin has failed meanwhile, or it was let go at this very moment
            self._down = False
            self._break_off()

    def _break_off(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None
            self._tell(Hold.BROKEN_OFF)

    def _is_down(self) -> bool:
        """Whether the contact is closed now; not if its pin can't be read."""
        seen: list[bool] = []
        self._part.use(lambda contact: seen.append(contact.is_active))
        return seen == [True]
