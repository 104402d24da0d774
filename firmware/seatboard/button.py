"""The button of the seat: its edges are stamped in a hard interrupt, which allocates nothing, and kept until the loop
comes round. What they mean is `contact`'s."""

import time
from array import array

from machine import Pin
from tapshared.contact import Contact
from tapshared.ticks import ticks_add

LOOK_EVERY_US = 10_000  # at the pin itself, whatever its interrupt told
_KEPT = 64  # edges; a contact that bounces makes dozens


class Button:
    """A contact between a pin, pulled up, and ground; where none is, it is never pressed. `due`: when a step has
    something to do, which an interrupt makes now."""

    def __init__(self, pin, now):
        self.due = now
        self._pin = pin
        self._stamps = array("I", [0] * _KEPT)
        self._levels = bytearray(_KEPT)
        self._put = 0  # places, each changed on one side of the interrupt only
        self._taken = 0
        self._contact = Contact(not pin())
        pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def step(self, now):
        """What is to be told by now: pairs of verb and stamp. The list is the caller's until the next step."""
        contact = self._contact
        contact.told.clear()
        while self._taken != self._put:
            contact.edge(not self._levels[self._taken], self._stamps[self._taken])
            self._taken = (self._taken + 1) % _KEPT
        closed = not self._pin()
        if closed != contact.closed and self._taken == self._put:
            contact.edge(closed, now)  # more edges came than could be kept
        contact.look(now)
        wait_us = contact.wait_us(now)
        # if an edge comes just here, what it sets is lost, and it is found with the next look
        self.due = ticks_add(now, LOOK_EVERY_US if wait_us is None else wait_us)
        return contact.told

    def _edge(self, pin):
        put = self._put
        after = (put + 1) % _KEPT
        if after != self._taken:
            self._stamps[put] = time.ticks_us()
            self._levels[put] = pin()
            self._put = after
            self.due = self._stamps[put]
