"""The button of the seat. A hard interrupt, which allocates nothing, stamps its edges and stores them for the loop;
`contact` turns them into presses and releases. Where the chip can do it, it stamps the first edge of a press itself
(`falls`), without the interrupt's delay. Must not know what a press means."""

import time
from array import array

from machine import Pin
from tapshared.contact import DEBOUNCE_US, Contact
from tapshared.ticks import ticks_add, ticks_diff

try:
    from seatboard.falls import Falls
except ImportError:  # not on a Pico
    Falls = None

PIN_CHECK_EVERY_US = 10_000  # of the pin itself, in case the interrupt missed an edge
_CAPACITY = 64  # edges; a contact that bounces makes dozens


class Button:
    """A contact between a pin, pulled up, and ground; if no button is connected, it is never pressed. `due`: when the
    next step is to run; an interrupt sets it to now."""

    def __init__(self, pin, now):
        self.due = now
        self._pin = pin
        self._stamps = array("I", [0] * _CAPACITY)
        self._levels = bytearray(_CAPACITY)
        self._head = 0  # indexes, each changed on one side of the interrupt only
        self._tail = 0
        self._contact = Contact(not pin())
        self._falls = _open_falls(pin)
        pin.irq(self._on_edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def step(self, now):
        """Return the new events: verb, stamp, and the chip's own stamp or None."""
        contact = self._contact
        contact.events.clear()
        while self._tail != self._head:
            contact.add_edge(not self._levels[self._tail], self._stamps[self._tail])
            self._tail = (self._tail + 1) % _CAPACITY
        closed = not self._pin()
        if closed != contact.closed and self._tail == self._head:
            contact.add_edge(closed, now)  # there were more edges than fit
        contact.advance(now)
        wait_us = contact.wait_us(now)
        # if an edge comes just here, its `due` is lost, and the next check of the pin finds it
        self.due = ticks_add(now, PIN_CHECK_EVERY_US if wait_us is None else wait_us)
        if contact.events:
            return [(verb, ticks, self._exact_stamp(verb, ticks)) for verb, ticks in contact.events]
        if wait_us is None and not closed and self._falls is not None and not self._falls.is_waiting:
            self._falls.arm()
            if self._tail != self._head:
                self._falls.take_stamp()  # a press began before it was ready
        return contact.events

    def _exact_stamp(self, verb, ticks):
        # only for a press; a fall more than the debounce time before it was static, with which the press didn't begin
        first = self._falls.take_stamp() if verb == "press" and self._falls is not None else None
        return first if first is not None and 0 <= ticks_diff(ticks, first) < DEBOUNCE_US else None

    def _on_edge(self, pin):
        put = self._head
        after = (put + 1) % _CAPACITY
        if after != self._tail:
            self._stamps[put] = time.ticks_us()
            self._levels[put] = pin()
            self._head = after
            self.due = self._stamps[put]


def _open_falls(pin):
    if Falls is not None:
        try:
            return Falls(pin)
        except (AttributeError, OSError, ValueError):
            pass  # a MicroPython without DMA, no channel or state machine left: the interrupt stamps alone
    return None
