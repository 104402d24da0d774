"""Seat buttons on the Pi's pins: every edge, bounces and all, goes up as a sighting with the time at which the
pin saw it. All of them share the kernel's clock. Whether an edge is a press is for the filter above; nothing
here waits, debounces or locks out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from gpiozero import DigitalInputDevice, Factory

from taptable.core.sightings import ButtonEdge, PartFailed, PartReturned
from taptable.edges.gpio import Header, HeaderPart


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
        self._down_already: set[int] = set()
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

    def _part(self, seat: int, pin: int) -> HeaderPart[Contact]:
        def build(factory: Factory) -> Contact:
            return Contact(pin, lambda ticks, pressed: self._hand_over(seat, ticks, pressed), factory)

        return HeaderPart(f"button {seat}", self._header, build, lambda contact: self._found(seat, contact))

    def _found(self, seat: int, contact: Contact) -> None:
        if contact.is_active:
            self._down_already.add(seat)
            reason = "down since before the table listened: stuck, or wired to the contact that is closed at rest"
            self._header.report(PartFailed(self._header.now_us(), f"button {seat}", reason))

    def _hand_over(self, seat: int, ticks: float, pressed: bool) -> None:
        """Take an edge from gpiozero's thread to the loop; the stamp goes along as the pin gave it."""
        with suppress(RuntimeError):  # the loop is closed: raising would end the one thread that serves all pins
            self._header.loop.call_soon_threadsafe(self._noticed, seat, ticks, pressed)

    def _noticed(self, seat: int, ticks: float, pressed: bool) -> None:
        if self._parts[seat].device is None:
            return
        if seat in self._down_already:
            self._down_already.remove(seat)
            self._header.report(PartReturned(self._header.now_us(), f"button {seat}"))
        edge = self._header.edge_time(ticks)
        self._header.report(ButtonEdge(edge.at_us, seat, pressed, edge.uncertainty_us))
